// Why a person rejected a call: an optional line for the model, by a form of the client.
import type { CreateElicitationRequest, SendRequestOptions } from '@agentclientprotocol/sdk'
import { isJsonObject } from '#json/value.ts'
import { systemClock, type Clock } from '#bridge/pacing/clock.ts'

/** Milliseconds that the form stays open. */
export const REASON_MS = 60_000
const LONGEST = 1000

export interface ReasonRequest {
  sessionId: string
  callId: string
  elicit(params: CreateElicitationRequest, options: SendRequestOptions): Promise<unknown>
  signal: AbortSignal
  clock?: Clock
}

/** One line, or undefined: declined, cancelled, blank, an error, or nothing within a minute. Never rejects. */
export async function askReason(request: ReasonRequest): Promise<string | undefined> {
  const { sessionId, callId, elicit, signal, clock = systemClock } = request
  if (signal.aborted) return undefined
  const late = new AbortController()
  const stop = clock.after(REASON_MS, () => late.abort())
  try {
    const reply = await elicit(
      {
        mode: 'form',
        sessionId,
        toolCallId: callId,
        message: 'What should be done instead? (optional)',
        requestedSchema: {
          type: 'object',
          properties: { reason: { type: 'string', title: 'Reason', maxLength: LONGEST } },
        },
      },
      { cancellationSignal: AbortSignal.any([signal, late.signal]), stopWaitingOnCancel: true },
    )
    const reason = written(reply).replaceAll(/\s+/g, ' ').trim()
    return reason === '' ? undefined : reason.slice(0, LONGEST).toWellFormed()
  } catch {
    return undefined
  } finally {
    stop()
  }
}

/** What an accepted form holds; empty for every other answer. */
function written(reply: unknown): string {
  const content = isJsonObject(reply) && reply['action'] === 'accept' ? reply['content'] : undefined
  const reason = isJsonObject(content) ? content['reason'] : undefined
  return typeof reason === 'string' ? reason : ''
}
