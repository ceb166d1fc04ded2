// The generic card: the view's own blocks; on a result the raw content stands in.
import type { ContentBlock } from '#model/content.ts'
import type { GenericCallView, GenericResultView } from '#registry/view.ts'
import {
  blockContent,
  textContent,
  type CallCard,
  type CardContext,
  type ResultCard,
  type ResultInput,
} from './card.ts'
import { clipContent, diffContent } from './clip.ts'
import { absolutePath, wireLocations } from './path.ts'
import { cardTitle, resultTitle } from './title.ts'

export function genericCall(view: GenericCallView, ctx: CardContext): CallCard {
  const locations = view.locations ?? []
  return {
    title: cardTitle(
      view.title,
      locations.map((location) => location.path),
      ctx,
    ),
    kind: view.kind ?? 'other',
    content: clipContent((view.content ?? []).map(blockContent)),
    locations: wireLocations(locations, ctx.cwd),
    ...(view.rawInput !== undefined && { rawInput: view.rawInput }),
  }
}

/** A diff that was announced stays first: rejected code is visible, and a fallback never hides a change. */
export function genericResult(view: GenericResultView, input: ResultInput, ctx: CardContext): ResultCard {
  const title = resultTitle(view.title, input, ctx)
  if (input.call.card !== 'diff') return { ...title, content: shown(view.content ?? input.content) }
  if (!input.isError && view.content === undefined) return title
  const diffs = diffContent(input.call.diffs, (path) => absolutePath(path, ctx.cwd))
  return { ...title, content: [...diffs, ...shown(view.content ?? input.content)] }
}

/** Raw blocks for the wire; never empty. */
export function shown(content: readonly ContentBlock[]): CallCard['content'] {
  const blocks = content.filter((block) => block.type !== 'text' || block.text !== '')
  return blocks.length === 0 ? [textContent('(no output)')] : clipContent(blocks.map(blockContent))
}
