// How a failed turn is told: to the log, and to whoever sent the prompt.
import { thrownMessage } from '#json/thrown.ts'
import { ModelError } from '#model/error.ts'
import type { TurnError } from '#session/event.ts'
import { AgentError } from './error.ts'

export function turnFailure(thrown: unknown): { logged: TurnError; error: AgentError } {
  if (thrown instanceof ModelError) {
    const { code, status, message } = thrown
    const details = status === undefined ? { code } : { code, status }
    const error = new AgentError(code === 'auth' ? 'auth' : 'model', message, { details, cause: thrown })
    return { logged: status === undefined ? { code, message } : { code, message, status }, error }
  }
  if (thrown instanceof AgentError)
    return { logged: { code: thrown.code, message: thrown.message }, error: thrown }
  const message = `Deckhand failed inside: ${thrownMessage(thrown)}`
  return {
    logged: { code: 'internal', message },
    error: new AgentError('internal', message, { cause: thrown }),
  }
}
