// /compact: a shorter conversation for the model.
import type { CompactionOutcome } from '#agent/port.ts'
import { assertNever } from '#registry/view.ts'
import { DONE, type Command } from './command.ts'

export const compact: Command = {
  name: 'compact',
  description: 'Replace the older part of the conversation by a summary, for the model',
  run: async ({ session, say, signal }) => {
    const stop = (): void => session.cancel()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const outcome = await session.compact()
      if (!signal.aborted) say(sentence(outcome))
    } finally {
      signal.removeEventListener('abort', stop)
    }
    return DONE
  },
}

function sentence(outcome: CompactionOutcome): string {
  switch (outcome.kind) {
    case 'compacted':
      return `Compacted: about ${count(outcome.before)} → ${count(outcome.after)} tokens. What you see stays as it is.`
    case 'nothing':
      return 'There is nothing to compact yet.'
    case 'failed':
      return `The conversation could not be compacted and is as it was: ${outcome.message}`
    default:
      return assertNever(outcome)
  }
}

function count(tokens: number): string {
  return tokens.toLocaleString('en')
}
