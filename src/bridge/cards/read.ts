// The read card: numbered lines in one fence, and the place that was read.
import { type ReadResultView, fence } from '#registry/view.ts'
import { textContent, type CardContext, type ResultCard, type ResultInput } from './card.ts'
import { clipText } from './clip.ts'
import { shown } from './generic.ts'
import { wireLocations } from './path.ts'
import { resultTitle } from './title.ts'

export function readResult(view: ReadResultView, input: ResultInput, ctx: CardContext): ResultCard {
  const line = view.lines[0]?.number ?? view.offset
  return {
    ...resultTitle(view.title, input, ctx, [view.path]),
    locations: wireLocations([{ path: view.path, line }], ctx.cwd),
    content: contentOf(view),
  }
}

function contentOf(view: ReadResultView): ResultCard['content'] {
  if (view.lines.length > 0) return [textContent(fence(clipText(numbered(view.lines)), view.lang))]
  if (view.content && view.content.length > 0) return shown(view.content)
  return [
    textContent(
      view.totalLines === 0
        ? '(empty file)'
        : `(no lines from ${view.offset}: the file has ${view.totalLines})`,
    ),
  ]
}

/** Lines behind right-aligned numbers. */
export function numbered(lines: readonly { number: number; text: string }[]): string {
  const width = lines.reduce((most, line) => Math.max(most, String(line.number).length), 0)
  return lines.map((line) => `${String(line.number).padStart(width)}  ${line.text}`).join('\n')
}
