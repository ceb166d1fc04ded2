// The journal of a live session: its log, and everybody who watches.
import type { AnyEvent, LoggedEvent, SessionEvent, SessionHeader } from '#session/event.ts'
import { type LogFile, SessionLog } from '#session/log.ts'

export class Journal {
  readonly #log: SessionLog
  readonly #listeners = new Set<(event: AnyEvent) => void>()

  constructor(file: LogFile) {
    this.#log = new SessionLog(file, (error) => this.#reportDiskFailure(error))
  }

  get header(): SessionHeader {
    return this.#log.header
  }

  get events(): readonly LoggedEvent[] {
    return this.#log.events
  }

  subscribe(listener: (event: AnyEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Logs an event and tells everybody. */
  record(event: SessionEvent): LoggedEvent {
    const logged = this.#log.append(event)
    this.show(logged)
    return logged
  }

  /** Tells everybody of an event that is not logged. */
  show(event: AnyEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Settles when everything recorded so far has left this process. */
  written(): Promise<void> {
    return this.#log.written()
  }

  /** Settles when everything recorded so far is durable. */
  flush(): Promise<void> {
    return this.#log.flush()
  }

  async close(): Promise<void> {
    await this.#log.close()
    this.#listeners.clear()
  }

  #reportDiskFailure(error: Error): void {
    this.show({
      type: 'notice',
      severity: 'warning',
      title: 'This session can’t be saved',
      description: `Its log could not be written (${error.message}). The session goes on in memory and is lost when it is closed.`,
    })
  }
}
