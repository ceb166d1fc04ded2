// Updates that wait while the client does not read: first in, first out.
import type { SessionUpdate } from '@agentclientprotocol/sdk'

/** Taken entries are let go at this many. */
const CHUNK = 1024

export class Backlog {
  #waiting: SessionUpdate[] = []
  #at = 0
  #whenEmpty: (() => void)[] = []

  add(update: SessionUpdate): void {
    this.#waiting.push(update)
  }

  take(): SessionUpdate | undefined {
    const update = this.#waiting[this.#at]
    if (update === undefined) return undefined
    this.#at++
    if (this.#at === this.#waiting.length || this.#at >= CHUNK) {
      this.#waiting.splice(0, this.#at)
      this.#at = 0
    }
    if (this.#waiting.length === 0) queueMicrotask(() => this.#tell())
    return update
  }

  /** Settles when nothing waits. */
  async empty(): Promise<void> {
    if (this.#waiting.length === 0) return
    await new Promise<void>((resolve) => this.#whenEmpty.push(resolve))
  }

  #tell(): void {
    if (this.#waiting.length > 0) return
    for (const resolve of this.#whenEmpty.splice(0)) resolve()
  }
}
