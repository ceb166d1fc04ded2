// A turn: steps of one model request and its tool batch, until nothing is left to do.
import type { FinishReason, Model } from '#model/port.ts'
import type { Registry } from '#registry/registry.ts'
import type { StopReason } from '#session/event.ts'
import { type TraceCarrier, traced } from '#telemetry/span.ts'
import { runBatch } from './batch.ts'
import type { LiveSession } from './live-session.ts'
import type { Limits } from './options.ts'
import { createRepetition } from './repetition.ts'
import { createRequests } from './requests.ts'
import { runStep } from './step.ts'
import { systemPrompt } from './system-prompt.ts'
import { unlessAborted } from './unless-aborted.ts'

export interface Turn {
  readonly session: LiveSession
  readonly registry: Registry
  readonly limits: Limits
  /** Rejects with `ModelError`. */
  loadModel(): Promise<Model>
  instructions(): Promise<string>
  readonly signal: AbortSignal
  readonly turnId: string
  /** The span of the client that this turn belongs to. */
  readonly trace?: TraceCarrier | undefined
}

/** How often in a row a step that was cut by the token limit may go on. */
const MAX_CUT_STEPS = 2

/** Runs until the turn ends by itself, by a limit or by the signal. Rejects with what the model failed with. */
export function runTurn(turn: Turn): Promise<StopReason> {
  const attributes = {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'deckhand',
    'gen_ai.conversation.id': turn.session.id,
    'deckhand.turn.id': turn.turnId,
  }
  const init = { name: 'invoke_agent deckhand', kind: 'internal', attributes, carrier: turn.trace } as const
  return traced(init, async (span) => {
    const stopReason = await runSteps(turn)
    span.set({ 'deckhand.turn.stop_reason': stopReason })
    return stopReason
  })
}

async function runSteps(turn: Turn): Promise<StopReason> {
  const { session, signal, limits } = turn
  if (signal.aborted) return 'cancelled'
  const model = await turn.loadModel()
  const system = await unlessAborted(systemPrompt(session, turn.instructions), signal)
  if (system === undefined) return 'cancelled'
  const requests = createRequests(turn, model, system)
  const repetition = createRepetition(session)
  let cut = 0
  for (let step = 1; step <= limits.modelRequests; step += 1) {
    session.takeNews()
    const request = await requests.next()
    if (request === 'cancelled') return request
    const outcome = await runStep(turn, model, step, request)
    if (outcome.kind === 'cancelled' || (outcome.calls.length === 0 && signal.aborted)) return 'cancelled'
    if (outcome.calls.length === 0) {
      if (session.hasNews) continue
      return stopReasonOf(outcome.finish)
    }
    cut = outcome.finish === 'length' ? cut + 1 : 0
    const batch = await runBatch(turn, outcome)
    if (signal.aborted) return 'cancelled'
    if (batch.concludes) return 'end_turn'
    if (cut > MAX_CUT_STEPS) return 'max_tokens'
    if (repetition.seen(outcome.calls, batch.results) === 'stop') return 'end_turn'
  }
  return 'max_turn_requests'
}

function stopReasonOf(finish: FinishReason): StopReason {
  if (finish === 'length') return 'max_tokens'
  return finish === 'refusal' ? 'refusal' : 'end_turn'
}
