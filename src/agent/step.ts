// A step: one model request, tried again where that can help, committed as one assistant message.
import { setTimeout as sleep } from 'node:timers/promises'
import { ModelError } from '#model/error.ts'
import type { AssistantToolCall } from '#model/message.ts'
import type { FinishReason, Model, ModelRequest, Usage } from '#model/port.ts'
import { untilAborted } from '#model/until-aborted.ts'
import { Draft } from './draft.ts'
import type { Turn } from './turn.ts'

export type StepOutcome =
  | { kind: 'done'; messageId: string; calls: AssistantToolCall[]; finish: FinishReason }
  | { kind: 'cancelled' }

type Attempt =
  | { kind: 'done'; finish: FinishReason; usage: Usage | undefined }
  | { kind: 'failed'; error: ModelError }

/** Rejects with the `ModelError` of the last try. What was streamed before a failure stays visible and logged. */
export async function runStep(
  turn: Turn,
  model: Model,
  step: number,
  request: ModelRequest,
): Promise<StepOutcome> {
  const { session, limits, signal } = turn
  session.record({ type: 'step_start', step, model: `${model.provider}/${model.id}` })
  let visibleTries = 0
  for (let tries = 1; ; tries += 1) {
    const draft = new Draft(session)
    const attempt = await attemptStep(model, request, draft)
    if (attempt.kind === 'done') return commit(turn, model, step, draft, attempt)
    const { error } = attempt
    const cancelled = signal.aborted
    draft.withdraw(cancelled ? 'cancelled' : error.message)
    if (cancelled) {
      session.record({ type: 'step_end', step, finish: 'cancelled' })
      return { kind: 'cancelled' }
    }
    if (draft.visible) visibleTries += 1
    const again = error.retryable && tries <= limits.retries && visibleTries <= limits.visibleRetries
    if (!again) {
      session.record({ type: 'step_end', step, finish: 'error' })
      throw error
    }
    await waitBefore(turn, tries, error)
  }
}

async function attemptStep(model: Model, request: ModelRequest, draft: Draft): Promise<Attempt> {
  let finished: { finish: FinishReason; usage: Usage | undefined } | undefined
  try {
    for await (const event of untilAborted(model.stream(request), request.signal)) {
      if (event.type === 'finish') finished = { finish: event.reason, usage: event.usage }
      else draft.take(event)
    }
    if (finished !== undefined) return { kind: 'done', ...finished }
    return {
      kind: 'failed',
      error: new ModelError('transport', `${model.provider} ended its answer before it was complete.`),
    }
  } catch (thrown) {
    if (thrown instanceof ModelError) return { kind: 'failed', error: thrown }
    throw thrown
  }
}

function commit(
  turn: Turn,
  model: Model,
  step: number,
  draft: Draft,
  { finish, usage }: { finish: FinishReason; usage: Usage | undefined },
): StepOutcome {
  const { session } = turn
  const message = draft.commit()
  session.record({
    type: 'step_end',
    step,
    finish,
    contextWindow: model.contextWindow,
    ...(usage !== undefined && { usage }),
  })
  const calls = message.parts.filter((part): part is AssistantToolCall => part.type === 'tool_call')
  return { kind: 'done', messageId: message.id, calls, finish }
}

async function waitBefore(turn: Turn, tries: number, error: ModelError): Promise<void> {
  const { session, limits, signal } = turn
  const backoff = Math.min(limits.retryDelayMs * 2 ** (tries - 1), limits.maxRetryDelayMs)
  const delayMs = Math.round(error.retryAfterMs ?? backoff * (0.75 + Math.random() / 2))
  session.record({ type: 'retry', attempt: tries, delayMs, reason: error.message })
  await sleep(delayMs, undefined, { signal }).catch(() => undefined)
}
