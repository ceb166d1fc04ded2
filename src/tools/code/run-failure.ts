// A failed run as the error that the model reads: kind, message, line, and what was printed until then.
import { ToolError } from '#registry/errors.ts'
import { cutUnits } from '#workspace/text.ts'
import type { RunFailure } from './outcome.ts'
import type { RunCard } from './present.ts'

/** Characters of the printed lines that the message repeats: their beginning and their end. */
const MAX_LOGS = 16 * 1024

export function runError(code: string, failure: RunFailure, card: RunCard): ToolError {
  const headline = `${failure.kind}: ${failure.message}${place(code, failure.line)}`
  const logs = clipped(card.logs.join('\n'))
  const printed = card.logs.length === 0 ? '' : `\nIt had printed:\n${logs}`
  const meta = {
    logs: [...card.logs],
    failure: headline,
    ...(card.withoutCard !== undefined && { withoutCard: card.withoutCard }),
  }
  return new ToolError('CODE_RUN_FAILED', `${headline}${printed}`, { meta })
}

function place(code: string, line: number | undefined): string {
  const text = line === undefined ? undefined : code.split('\n')[line - 1]
  return text === undefined ? '' : `\nat line ${line}: ${text.trim().slice(0, 200)}`
}

function clipped(text: string): string {
  if (text.length <= MAX_LOGS) return text
  const half = MAX_LOGS / 2
  const left = (text.length - MAX_LOGS).toLocaleString('en-US')
  return `${cutUnits(text, half)}\n… ${left} characters left out …\n${text.slice(-half).toWellFormed()}`
}
