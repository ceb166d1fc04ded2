// A batch: the calls of one assistant message, run by the scheduler and committed in the model's order.
import { randomUUID } from 'node:crypto'
import { failureFrom } from '#registry/failure.ts'
import { ToolError } from '#registry/errors.ts'
import { createScheduler } from '#registry/scheduler.ts'
import type { ToolExecutionInput, ToolExecutionResult } from '#registry/types.ts'
import type { UserMessage } from '#model/message.ts'
import type { StepOutcome } from './step.ts'
import { storedResultView } from './stored-view.ts'
import type { Turn } from './turn.ts'

const CUT =
  'the answer was cut off by the output limit, so this call was not run; repeat it in smaller parts (write a long file in several edits)'

export interface BatchOutcome {
  /** In the order of the calls. */
  results: ToolExecutionResult[]
  /** Whether a call asked to end the turn. */
  concludes: boolean
}

/** Every call gets exactly one result, whatever happens; messages that calls deferred follow behind them. */
export async function runBatch(
  turn: Turn,
  step: Extract<StepOutcome, { kind: 'done' }>,
): Promise<BatchOutcome> {
  const { session, registry, limits, signal } = turn
  const { calls, messageId } = step
  if (calls.length > 1) session.foresee(calls)
  for (const { callId, name } of calls) session.record({ type: 'tool_call', callId, name, messageId })
  const contexts: UserMessage[] = []
  const commit = (input: Called, result: ToolExecutionResult): void => {
    recordResult(turn, input, result)
    contexts.push(...(result.additionalContexts ?? []))
  }
  let results: ToolExecutionResult[]
  if (step.finish === 'length') {
    const cut = failureFrom(new ToolError('OUTPUT_CUT', CUT))
    results = calls.map((call) => (commit(call, cut), cut))
  } else {
    const scheduler = createScheduler(registry, {
      parallel: limits.parallel,
      abandonAfterMs: limits.abandonAfterMs,
      commit,
    })
    const inputs = calls.map((call) => ({
      callId: call.callId,
      name: call.name,
      arguments: call.arguments,
      scope: session.scope,
      signal,
    }))
    results = await Promise.all(inputs.map((input) => scheduler.submit(input)))
  }
  for (const message of contexts)
    session.record({ type: 'user_message', message: { ...message, id: message.id || randomUUID() } })
  return { results, concludes: results.some((result) => !result.isError && result.concludesTurn === true) }
}

type Called = Pick<ToolExecutionInput, 'callId' | 'name' | 'arguments'>

function recordResult(
  turn: Turn,
  { callId, name, arguments: args }: Called,
  result: ToolExecutionResult,
): void {
  turn.session.calls.commit(callId)
  turn.session.record({
    type: 'tool_result',
    callId,
    isError: result.isError,
    content: result.content,
    ...(result.meta !== undefined && { meta: result.meta }),
    ...(result.isError && { error: result.error }),
    ...storedResultView(turn.session.presenters(name), args, result),
  })
}
