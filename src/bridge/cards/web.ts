// The web card: an answer with its sources, or one fetched page.
import type { WebFetchView, WebSearchView, WebSource } from '#registry/view.ts'
import { blockContent, textContent, type CardContext, type ResultCard, type ResultInput } from './card.ts'
import { clipContent } from './clip.ts'
import { shown } from './generic.ts'
import { resultTitle } from './title.ts'

export function webResult(
  view: WebSearchView | WebFetchView,
  input: ResultInput,
  ctx: CardContext,
): ResultCard {
  const title = resultTitle(view.title, input, ctx)
  return { ...title, content: view.kind === 'search' ? found(view) : fetched(view, input) }
}

function found(view: WebSearchView): ResultCard['content'] {
  const list = view.sources.map(item).join('\n')
  const cut = view.truncated ? 'more results were cut' : ''
  const text = [view.answer ?? '', list, cut].filter((part) => part !== '').join('\n\n')
  return clipContent([textContent(text || 'No results.'), ...view.sources.map(link)])
}

function item(source: WebSource): string {
  const title = flat(source.title ?? source.url).replaceAll(/[\\[\]`*_<>]/g, '\\$&')
  const url = source.url.replaceAll(/[<>\s]/g, encodeURIComponent)
  const date = source.publishedAt ? ` (${flat(source.publishedAt)})` : ''
  const snippet = source.snippet ? `\n  ${flat(source.snippet)}` : ''
  return `- [${title}](<${url}>)${date}${snippet}`
}

function link(source: WebSource): ReturnType<typeof blockContent> {
  return blockContent({
    type: 'resource_link',
    uri: source.url,
    name: source.title ?? source.url,
    ...(source.title !== undefined && { title: source.title }),
    ...(source.snippet !== undefined && { description: flat(source.snippet) }),
  })
}

function fetched(view: WebFetchView, input: ResultInput): ResultCard['content'] {
  const cut = view.truncated ? ' (cut)' : ''
  return clipContent([textContent(`${view.statusCode} <${view.url}>${cut}`), ...shown(input.content)])
}

function flat(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}
