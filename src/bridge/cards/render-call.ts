// Call views to cards: the exhaustive switch that a new card stops in.
import { assertNever, fence, type ToolCallView } from '#registry/view.ts'
import { type CallCard, type CardContext, textContent } from './card.ts'
import { clipText } from './clip.ts'
import { diffCall } from './diff.ts'
import { genericCall } from './generic.ts'
import { terminalCall, terminalPrompt } from './terminal.ts'
import { visible } from '#registry/visible.ts'
import { fitsTitle, isPlainTitle } from './title.ts'

/** The fields of `tool_call`. Pure; throws on a card that is not in the union. */
export function renderCall(view: ToolCallView, ctx: CardContext): CallCard {
  switch (view.card) {
    case 'generic':
      return genericCall(view, ctx)
    case 'terminal':
      return terminalCall(view, ctx)
    case 'diff':
      return diffCall(view, ctx)
    default:
      return assertNever(view)
  }
}

/** The card as a permission prompt shows it: nothing that matters is cut. */
export function renderPrompt(view: ToolCallView, ctx: CardContext): CallCard {
  const card = renderCall(view, ctx)
  if (view.card === 'terminal') return terminalPrompt(view, card)
  if (fitsTitle(view.title)) return card
  const whole = clipText(visible(view.title))
  const title = textContent(isPlainTitle(card.kind) ? fence(whole) : whole)
  return { ...card, content: [title, ...card.content] }
}
