// Repetition: a model that makes the same call with the same result again and again is told, then stopped.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AssistantToolCall } from '#model/message.ts'
import type { ToolExecutionResult } from '#registry/types.ts'
import type { LiveSession } from './live-session.ts'

const REMIND_AT = 3
const STOP_AT = 8

export interface Repetition {
  /** Looks at a finished batch; `stop` says that the turn must end, which the person has then been told. */
  seen(calls: readonly AssistantToolCall[], results: readonly ToolExecutionResult[]): 'go' | 'stop'
}

export function createRepetition(session: LiveSession): Repetition {
  let last: { name: string; arguments: unknown; content: unknown } | undefined
  let count = 0
  const look = (call: AssistantToolCall, result: ToolExecutionResult | undefined): void => {
    const current = { name: call.name, arguments: call.arguments, content: result?.content }
    count = isDeepStrictEqual(current, last) ? count + 1 : 1
    last = current
    if (count === REMIND_AT) remind(session, call.name)
  }
  return {
    seen(calls, results) {
      calls.forEach((call, index) => look(call, results[index]))
      if (count < STOP_AT) return 'go'
      session.record({
        type: 'notice',
        severity: 'warning',
        title: 'The turn was ended',
        description: `The model made the same call of ${last?.name ?? 'a tool'} ${count} times in a row with the same result.`,
      })
      return 'stop'
    },
  }
}

function remind(session: LiveSession, toolName: string): void {
  const text = `You have called ${toolName} ${REMIND_AT} times in a row with the same arguments and got the same result each time. Do something else, or tell the user what stops you.`
  session.record({
    type: 'user_message',
    message: {
      id: randomUUID(),
      content: [{ type: 'text', text }],
      source: { kind: 'policy', name: 'repetition' },
    },
  })
}
