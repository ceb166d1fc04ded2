// Puts the calls of one answer together, each under an id of its own.
import { randomUUID } from 'node:crypto'
import { parseArguments } from './parse-arguments.ts'
import type { ModelEvent } from './port.ts'
import { type Origin, tagData } from './provider-data.ts'

/** A finished call as the provider gave it. */
export interface WholeCall {
  toolCallId: string
  toolName: string
  /** Used only when the arguments were not streamed. */
  input: unknown
  providerMetadata?: unknown
}

export class CallAssembly {
  readonly #origin: Origin
  readonly #pending = new Map<string, { callId: string; text: string }>()
  readonly #used: () => Set<string>
  #callIds: Set<string> | undefined
  #whole = 0

  /** `used`: ids of the history, in a set that is ours; some endpoints count from zero in every answer. */
  constructor(origin: Origin, used: () => Set<string>) {
    this.#origin = origin
    this.#used = used
  }

  /** Whether there was a whole call. */
  get called(): boolean {
    return this.#whole > 0
  }

  start(id: string, name: string): ModelEvent[] {
    const callId = this.#freshId(id)
    this.#pending.set(id, { callId, text: '' })
    return [{ type: 'call_start', callId, name }]
  }

  grow(id: string, delta: string): ModelEvent[] {
    const call = this.#pending.get(id)
    if (call === undefined || delta === '') return []
    call.text += delta
    return [{ type: 'call_delta', callId: call.callId, delta }]
  }

  finish(call: WholeCall): ModelEvent[] {
    const announced = this.#pending.has(call.toolCallId) ? [] : this.start(call.toolCallId, call.toolName)
    const pending = this.#pending.get(call.toolCallId)
    if (pending === undefined) return announced
    this.#pending.delete(call.toolCallId)
    this.#whole++
    return [
      ...announced,
      {
        type: 'call',
        callId: pending.callId,
        name: call.toolName,
        ...parseArguments(pending.text || textOfInput(call.input)),
        ...(call.providerMetadata !== undefined && {
          provider: tagData(this.#origin, call.providerMetadata),
        }),
      },
    ]
  }

  #freshId(id: string): string {
    this.#callIds ??= this.#used()
    const callId = id === '' || this.#callIds.has(id) ? `${id || 'call'}_${randomUUID().slice(0, 8)}` : id
    this.#callIds.add(callId)
    return callId
  }
}

function textOfInput(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {})
}
