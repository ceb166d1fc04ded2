// The search card: matches by file, or a list of paths.
import { code, type SearchMatchesView, type SearchPathsView, fence } from '#registry/view.ts'
import { textContent, type CardContext, type ResultCard, type ResultInput } from './card.ts'
import { clipText } from './clip.ts'
import { displayPath, wireLocations } from './path.ts'
import { numbered } from './read.ts'
import { resultTitle } from './title.ts'

export function searchResult(
  view: SearchMatchesView | SearchPathsView,
  input: ResultInput,
  ctx: CardContext,
): ResultCard {
  const title = resultTitle(view.title, input, ctx)
  return view.shape === 'matches' ? { ...title, ...matches(view, ctx) } : { ...title, ...paths(view, ctx) }
}

function matches(view: SearchMatchesView, ctx: CardContext): ResultCard {
  const hits = view.files.flatMap((file) =>
    file.matches.map((match) => ({ path: file.path, line: match.lineNumber })),
  )
  const files = view.files.map((file) => {
    const lines = file.matches.map((match) => ({ number: match.lineNumber, text: match.line }))
    return `${code(displayPath(file.path, ctx))}\n${fence(numbered(lines))}`
  })
  const text = [...(files.length > 0 ? files : ['No matches.']), ...count(hits.length, 'matches', view)].join(
    '\n\n',
  )
  return {
    content: [textContent(clipText(text))],
    ...(hits.length === 1 && { locations: wireLocations(hits, ctx.cwd) }),
  }
}

function paths(view: SearchPathsView, ctx: CardContext): ResultCard {
  const list = view.paths.map((path) => `- ${code(displayPath(path, ctx))}`).join('\n')
  const text = [list || 'No files.', ...count(view.paths.length, 'paths', view)].join('\n\n')
  return { content: [textContent(clipText(text))] }
}

function count(shownCount: number, noun: string, view: SearchMatchesView | SearchPathsView): string[] {
  if (!view.truncated) return []
  return [`${shownCount} of ${view.atLeast ? 'at least ' : ''}${view.total} ${noun}`]
}
