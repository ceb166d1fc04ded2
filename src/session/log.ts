// The append-only log of one session: in memory at once, on disk in order, durable on flush.
import { appendFile } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory } from '#config/make-directory.ts'
import { BlobFolder, pack } from './blobs.ts'
import type { LoggedEvent, SessionEvent, SessionHeader } from './event.ts'
import { acquireLock, type Release } from './lock.ts'

/** What handles, and Node's own promises, have for it takes twice as long. */
export const append = promisify(appendFile)

export interface LogFile {
  /** Absolute path; the file and its directory are made with the first event. */
  path: string
  header: SessionHeader
  /** What the file holds already; empty for a new session. */
  events: readonly LoggedEvent[]
  /** For a file that exists: whether its last line lacks the newline, which the next append then supplies. */
  stored?: { torn: boolean }
  /** The lock, when it is held already; a new file is locked when it is made. */
  release?: Release
  /** Why nothing may be appended to the file. */
  readOnly?: string
}

/** Where a session works: its header says it, and whatever has moved it since. */
export function placeIn({ header, events }: Pick<LogFile, 'header' | 'events'>): {
  cwd: string
  roots: string[]
} {
  return events.findLast((event) => event.type === 'cwd') ?? header
}

/** Where the files that belong to a log lie. */
export function besideLog(path: string): { blobs: string; lock: string; files: string } {
  const stem = path.replace(/\.jsonl$/, '')
  return { blobs: `${stem}.blobs`, lock: `${stem}.lock`, files: `${stem}.files` }
}

/** A batch has many events in a millisecond, and each would format it anew. */
let moment = { milliseconds: Number.NaN, text: '' }

function now(): string {
  const milliseconds = Date.now()
  if (moment.milliseconds !== milliseconds)
    moment = { milliseconds, text: new Date(milliseconds).toISOString() }
  return moment.text
}

export class SessionLog {
  readonly header: SessionHeader
  readonly #file: LogFile
  readonly #events: LoggedEvent[]
  readonly #onFailure: (error: Error) => void
  readonly #blobs: BlobFolder
  /** What is to be written, in order; text is written as it is. */
  #pending: (string | LoggedEvent | SessionHeader)[]
  /** Events of one moment share a write. */
  #soon: NodeJS.Immediate | undefined
  #writing: Promise<void> | undefined
  #handle: FileHandle | undefined
  #release: Release | undefined
  /** Whether nothing is written any more. */
  #stopped: boolean

  /** `onFailure` is told once when the disk refuses; the session then lives on in memory. */
  constructor(file: LogFile, onFailure: (error: Error) => void) {
    this.header = file.header
    this.#file = file
    this.#events = [...file.events]
    this.#onFailure = onFailure
    this.#blobs = new BlobFolder(besideLog(file.path).blobs)
    this.#release = file.release
    this.#stopped = file.readOnly !== undefined
    this.#pending = file.stored === undefined ? [file.header] : file.stored.torn ? ['\n'] : []
  }

  get events(): readonly LoggedEvent[] {
    return this.#events
  }

  /** Numbers and keeps the event; it is on its way to the disk when this returns. */
  append(event: SessionEvent): LoggedEvent {
    const logged: LoggedEvent = {
      seq: (this.#events.at(-1)?.seq ?? 0) + 1,
      at: now(),
      ...event,
    }
    this.#events.push(logged)
    if (this.#stopped) return logged
    this.#pending.push(logged)
    this.#soon ??= setImmediate(() => this.#begin())
    return logged
  }

  /** Settles when everything appended so far has been handed to the operating system. Never rejects. */
  async written(): Promise<void> {
    this.#begin()
    await this.#writing
  }

  /** Settles when everything appended so far is durable. Never rejects. */
  async flush(): Promise<void> {
    await this.written()
    await this.#guard(async () => this.#handle?.datasync())
  }

  async close(): Promise<void> {
    await this.flush()
    if (this.#soon !== undefined) await this.flush()
    this.#stopped = true
    // What has begun ends before its file is closed: another one may get its number.
    await this.#writing
    await this.#handle?.close().catch(() => undefined)
    this.#handle = undefined
    await this.#release?.()
    this.#release = undefined
  }

  #begin(): void {
    if (this.#soon === undefined) return
    clearImmediate(this.#soon)
    this.#soon = undefined
    this.#writing ??= this.#drain()
  }

  async #drain(): Promise<void> {
    // Let the events of one tick share a write, for which somebody waits.
    await Promise.resolve()
    while (this.#pending.length > 0 && !this.#stopped) {
      const batch = this.#pending
      this.#pending = []
      await this.#guard(async () => this.#write(batch))
    }
    this.#writing = undefined
  }

  async #write(batch: readonly (string | LoggedEvent | SessionHeader)[]): Promise<void> {
    this.#handle ??= await this.#open()
    let text = ''
    for (const item of batch) {
      if (typeof item === 'string') text += item
      else {
        const { line, blobs } = pack(item)
        // A line never names a blob that is not there yet.
        for (const [hash, blob] of blobs) await this.#blobs.write(hash, blob)
        text += `${line}\n`
      }
    }
    await append(this.#handle.fd, text)
  }

  async #open(): Promise<FileHandle> {
    const { path } = this.#file
    await makeDirectory(dirname(path), 0o700)
    this.#release ??= await acquireLock(besideLog(path).lock)
    return open(path, 'a', 0o600)
  }

  async #guard(work: () => Promise<unknown>): Promise<void> {
    if (this.#stopped) return
    try {
      await work()
    } catch (thrown) {
      this.#stopped = true
      this.#pending = []
      this.#onFailure(thrown instanceof Error ? thrown : new Error(String(thrown)))
    }
  }
}
