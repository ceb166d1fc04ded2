// A draft: the assistant message while it streams, shown as it grows, then committed or withdrawn.
import { randomUUID } from 'node:crypto'
import { materializedOnce } from '#json/materialize.ts'
import type { AssistantMessage, AssistantPart } from '#model/message.ts'
import type { ModelEvent } from '#model/port.ts'
import { assertNever } from '#registry/view.ts'
import type { LiveSession } from './live-session.ts'

type StreamedPart = Extract<AssistantPart, { type: 'text' | 'thought' }>

export class Draft {
  readonly #session: LiveSession
  readonly #id = randomUUID()
  readonly #parts: AssistantPart[] = []
  /** The part that deltas are added to. */
  #open: StreamedPart | undefined
  /** Calls that were announced, by the id that the provider gave, with the id that we use. */
  readonly #calls = new Map<string, { callId: string; name: string }>()

  constructor(session: LiveSession) {
    this.#session = session
  }

  /** Whether a person has seen anything of it. */
  get visible(): boolean {
    return this.#parts.length > 0 || this.#calls.size > 0
  }

  take(event: Exclude<ModelEvent, { type: 'finish' }>): void {
    switch (event.type) {
      case 'text':
      case 'thought':
        return this.#grow(event.type, event.text)
      case 'part_end':
        return this.#endPart(event)
      case 'call_start':
        return void this.#announce(event.callId, event.name)
      case 'call_delta': {
        const known = this.#calls.get(event.callId)
        if (known) this.#session.show({ type: 'call_delta', callId: known.callId, delta: event.delta })
        return
      }
      case 'call': {
        this.#open = undefined
        const { type: _type, callId: given, ...rest } = event
        const { callId } = this.#calls.get(given) ?? this.#announce(given, event.name)
        // They are taken many times from here on.
        const args = materializedOnce(rest.arguments)
        this.#parts.push({ type: 'tool_call', callId, ...rest, arguments: args })
        return
      }
      default:
        assertNever(event)
    }
  }

  commit(): AssistantMessage {
    const message: AssistantMessage = { id: this.#id, parts: this.#parts }
    this.#session.record({ type: 'assistant_message', message })
    const whole = new Set(this.#parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : [])))
    this.#withdrawCalls('the model did not finish this call', whole)
    return message
  }

  /** Keeps the text that was seen; calls that were announced are closed without having run. */
  withdraw(reason: string): void {
    if (!this.visible) return
    const parts = this.#parts.filter((part) => part.type !== 'tool_call')
    this.#session.record({ type: 'assistant_message', message: { id: this.#id, parts }, interrupted: true })
    this.#withdrawCalls(reason, new Set())
  }

  #grow(type: 'text' | 'thought', text: string): void {
    if (text === '') return
    this.#part(type).text += text
    this.#session.show({ type: type === 'text' ? 'text_delta' : 'thought_delta', messageId: this.#id, text })
  }

  #endPart({ part, provider }: Extract<ModelEvent, { type: 'part_end' }>): void {
    // A thought may be nothing but its signature, and must go back all the same.
    if (provider !== undefined) this.#part(part).provider = provider
    this.#open = undefined
  }

  /** The open part of this type, or a new one. */
  #part(type: 'text' | 'thought'): StreamedPart {
    if (this.#open?.type === type) return this.#open
    const part: StreamedPart = { type, text: '' }
    this.#parts.push(part)
    this.#open = part
    return part
  }

  #announce(given: string, name: string): { callId: string; name: string } {
    this.#open = undefined
    const call = { callId: this.#session.calls.unique(given), name }
    this.#calls.set(given, call)
    this.#session.show({ type: 'call_start', messageId: this.#id, ...call })
    return call
  }

  #withdrawCalls(reason: string, except: ReadonlySet<string>): void {
    for (const { callId, name } of this.#calls.values()) {
      if (except.has(callId)) continue
      this.#session.record({ type: 'call_withdrawn', callId, name, messageId: this.#id, reason })
    }
  }
}
