// The append-only log of one session: in memory at once, on disk in order, durable on flush.
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { encodeEvent } from './codec.ts'
import type { LoggedEvent, SessionEvent, SessionHeader } from './event.ts'

export interface LogFile {
  /** Absolute path; the file and its directory are made with the first event. */
  path: string
  header: SessionHeader
  /** What the file holds already; empty for a new session. */
  events: readonly LoggedEvent[]
  /** For a file that exists: whether its last line lacks the newline, which the next append then supplies. */
  stored?: { torn: boolean }
}

export class SessionLog {
  readonly header: SessionHeader
  readonly #path: string
  readonly #events: LoggedEvent[]
  readonly #onFailure: (error: Error) => void
  #pending = ''
  #writing: Promise<void> | undefined
  #handle: FileHandle | undefined
  #failed = false

  /** `onFailure` is told once when the disk refuses; the session then lives on in memory. */
  constructor(file: LogFile, onFailure: (error: Error) => void) {
    this.header = file.header
    this.#path = file.path
    this.#events = [...file.events]
    this.#onFailure = onFailure
    this.#pending = file.stored === undefined ? `${encodeEvent(file.header)}\n` : file.stored.torn ? '\n' : ''
  }

  get events(): readonly LoggedEvent[] {
    return this.#events
  }

  /** Numbers and keeps the event; it is on its way to the disk when this returns. */
  append(event: SessionEvent): LoggedEvent {
    const logged: LoggedEvent = {
      seq: (this.#events.at(-1)?.seq ?? 0) + 1,
      at: new Date().toISOString(),
      ...event,
    }
    this.#events.push(logged)
    if (this.#failed) return logged
    this.#pending += `${encodeEvent(logged)}\n`
    this.#writing ??= this.#drain()
    return logged
  }

  /** Settles when everything appended so far has been handed to the operating system. Never rejects. */
  async written(): Promise<void> {
    await this.#writing
  }

  /** Settles when everything appended so far is durable. Never rejects. */
  async flush(): Promise<void> {
    await this.#writing
    if (!this.#failed) await this.#guard(async () => this.#handle?.datasync())
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#guard(async () => this.#handle?.close())
    this.#handle = undefined
  }

  async #drain(): Promise<void> {
    // Let the events of one tick share a write.
    await Promise.resolve()
    while (this.#pending !== '' && !this.#failed) {
      const text = this.#pending
      this.#pending = ''
      await this.#guard(async () => {
        this.#handle ??= await this.#open()
        await this.#handle.appendFile(text)
      })
    }
    this.#writing = undefined
  }

  async #open(): Promise<FileHandle> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 })
    return open(this.#path, 'a', 0o600)
  }

  async #guard(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (thrown) {
      if (this.#failed) return
      this.#failed = true
      this.#onFailure(thrown instanceof Error ? thrown : new Error(String(thrown)))
    }
  }
}
