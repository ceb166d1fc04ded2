// Result views to cards: the exhaustive switch that a new card stops in.
import { assertNever, type ToolResultView } from '#registry/view.ts'
import type { CardContext, ResultCard, ResultInput } from './card.ts'
import { diffResult } from './diff.ts'
import { genericResult, shown } from './generic.ts'
import { readResult } from './read.ts'
import { searchResult } from './search.ts'
import { terminalResult } from './terminal.ts'
import { webResult } from './web.ts'

/** The fields of the last `tool_call_update`. Pure; throws on a card that is not in the union. */
export function renderResult(
  view: ToolResultView | undefined,
  input: ResultInput,
  ctx: CardContext,
): ResultCard {
  const drawn = fitting(view ?? { card: 'generic' }, input)
  switch (drawn.card) {
    case 'generic':
      return closedTerminal(genericResult(drawn, input, ctx), input, ctx)
    case 'terminal':
      return terminalResult(drawn, input, ctx)
    case 'diff':
      return diffResult(drawn, input, ctx)
    case 'search':
      return withError(searchResult(drawn, input, ctx), input)
    case 'read':
      return withError(readResult(drawn, input, ctx), input)
    case 'web':
      return drawn.kind === 'fetch'
        ? webResult(drawn, input, ctx)
        : withError(webResult(drawn, input, ctx), input)
    default:
      return assertNever(drawn)
  }
}

/** The view that fits the call: no terminal without a terminal call, and a failed terminal stays one. */
function fitting(view: ToolResultView, input: ResultInput): ToolResultView {
  if (view.card === 'terminal' && input.call.card !== 'terminal') {
    return { card: 'generic', ...(view.title !== undefined && { title: view.title }) }
  }
  return view.card !== 'terminal' && input.isError && input.call.card === 'terminal'
    ? { card: 'terminal' }
    : view
}

function withError(card: ResultCard, input: ResultInput): ResultCard {
  return input.isError ? { ...card, content: [...(card.content ?? []), ...shown(input.content)] } : card
}

/** A terminal whose result is drawn otherwise is closed, so that nothing spins. */
function closedTerminal(card: ResultCard, input: ResultInput, ctx: CardContext): ResultCard {
  if (input.call.card !== 'terminal' || !ctx.profile.terminalMeta) return card
  return { ...card, terminal: { data: '', exitCode: null, signal: null } }
}
