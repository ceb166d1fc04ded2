// Call ids of a session: unique whatever the provider gives, and closed once the call has its result.
import { randomUUID } from 'node:crypto'
import type { SessionEvent } from '#session/event.ts'

export class CallIds {
  readonly #used = new Set<string>()
  readonly #committed = new Set<string>()

  constructor(events: readonly SessionEvent[]) {
    for (const event of events) {
      if (event.type === 'tool_call' || event.type === 'call_withdrawn') this.#used.add(event.callId)
    }
  }

  /** The id that a call goes by here: the provider's, unless that is empty or was used before. */
  unique(given: string): string {
    const fresh = given !== '' && !this.#used.has(given)
    const callId = fresh ? given : `${given || 'call'}_${randomUUID().slice(0, 8)}`
    this.#used.add(callId)
    return callId
  }

  /** From now on the call has its result; what its body may still report is dropped. */
  commit(callId: string): void {
    this.#committed.add(callId)
  }

  isCommitted(callId: string): boolean {
    return this.#committed.has(callId)
  }
}
