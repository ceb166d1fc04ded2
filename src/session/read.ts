// Reading a log file: everything that can be used, and a sentence about everything that can't.
import { copyFile, open, readFile, rename, writeFile } from 'node:fs/promises'
import { systemCode } from '#json/thrown.ts'
import type { JsonValue } from '#json/value.ts'
import { BlobFolder, refersToBlobs, unpack } from './blobs.ts'
import { decodeEvent, decodeHeader, parseLine } from './codec.ts'
import type { LoggedEvent, SessionHeader } from './event.ts'
import { linesOf } from './lines.ts'
import { besideLog, type LogFile } from './log.ts'
import { isOld, migrate } from './migrate.ts'

/** What a log file held, and what of it could not be used. */
export interface StoredSession extends LogFile {
  /** One sentence for each line that was passed over. */
  warnings: string[]
}

/** Why a stored session can't be used. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError'
  readonly code: 'not_found' | 'unreadable' | 'locked'

  constructor(code: 'not_found' | 'unreadable' | 'locked', message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/** Bytes in which a header's version is looked for. */
const HEADER_BYTES = 64 * 1024

/** Is given the events of a log while it is read, some at a time; the next are read when it settles. */
export type HistoryWatcher = (events: readonly LoggedEvent[], header: SessionHeader) => void | Promise<void>

/** Reads any log file, changing nothing. Rejects with `SessionStoreError`, and with what `watch` throws. */
export async function readSessionFile(path: string, watch?: HistoryWatcher): Promise<StoredSession> {
  const old = await oldVersion(path)
  return parseLog(old === undefined ? linesOf(path) : [old.text.split('\n')], path, watch)
}

/** Reads a log file that is going to be written: an old version is migrated on disk, its original kept as a backup. */
export async function readForWriting(path: string, watch?: HistoryWatcher): Promise<StoredSession> {
  const old = await oldVersion(path)
  if (old !== undefined) {
    await copyFile(path, `${path}.v${old.from}`)
    await writeFile(`${path}.new`, old.text, { mode: 0o600, flush: true })
    await rename(`${path}.new`, path)
  }
  return parseLog(linesOf(path), path, watch)
}

/** The migrated text of a log of an old version; undefined for the others, which are read as they come. */
async function oldVersion(path: string): Promise<{ text: string; from: number } | undefined> {
  try {
    if (!isOld(await beginning(path))) return undefined
    const { text, from } = migrate(await readFile(path, 'utf8'))
    return from === undefined ? undefined : { text, from }
  } catch (cause) {
    return cannotRead(path, cause)
  }
}

async function beginning(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(HEADER_BYTES) })
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

function cannotRead(path: string, cause: unknown): never {
  if (systemCode(cause) === 'ENOENT') {
    throw new SessionStoreError('not_found', `there is no session log at ${path}`, cause)
  }
  throw new SessionStoreError(
    'unreadable',
    `the session log ${path} could not be read: ${String(cause)}`,
    cause,
  )
}

/** A last line without newline is used when it is whole, and dropped when it is torn. */
async function parseLog(
  batches: AsyncIterable<string[]> | Iterable<string[]>,
  path: string,
  watch?: HistoryWatcher,
): Promise<StoredSession> {
  const reader = new LogReader(path)
  let last: string | undefined
  for await (const lines of disclosing(batches, path)) {
    const from = reader.events.length
    for (const line of lines) {
      const waiting = reader.take(line)
      if (waiting !== undefined) await waiting
    }
    if (reader.events.length > from) await watch?.(reader.events.slice(from), reader.header)
    last = lines.at(-1)
  }
  const { header, events, warnings, newer } = reader
  const stored: StoredSession = { path, header, events, warnings, stored: { torn: last !== '' } }
  return newer === undefined ? stored : { ...stored, readOnly: newerMessage(newer) }
}

/** The same batches, whose failures say which log could not be read. */
async function* disclosing(
  batches: AsyncIterable<string[]> | Iterable<string[]>,
  path: string,
): AsyncGenerator<string[]> {
  try {
    yield* batches
  } catch (cause) {
    cannotRead(path, cause)
  }
}

function newerMessage(type: string): string {
  return `this session was written by a newer version of Deckhand (event ${JSON.stringify(type)}); it can be read but not continued`
}

/** Makes events of lines, the first of which is the header. */
class LogReader {
  readonly events: LoggedEvent[] = []
  readonly warnings: string[] = []
  /** An event of a newer version that must not be ignored. */
  newer: string | undefined
  readonly #path: string
  readonly #blobs: BlobFolder
  #header: SessionHeader | undefined
  #lines = 0

  constructor(path: string) {
    this.#path = path
    this.#blobs = new BlobFolder(besideLog(path).blobs)
  }

  /** Throws `SessionStoreError` when the first line was none. */
  get header(): SessionHeader {
    this.#header ??= this.#headerOf('')
    return this.#header
  }

  /** A promise only where text beside the log has to be read: most lines need none. */
  take(line: string): Promise<void> | undefined {
    const number = ++this.#lines
    if (number === 1) this.#header = this.#headerOf(line)
    else if (line.trim() !== '') {
      const parsed = parseLine(line)
      if (parsed !== undefined && refersToBlobs(line)) return this.#unpacked(line, parsed, number)
      this.#keep(parsed, number)
    }
    return undefined
  }

  #headerOf(line: string): SessionHeader {
    const header = decodeHeader(line)
    if (typeof header !== 'string') return header
    throw new SessionStoreError('unreadable', `the session log ${this.#path} can’t be used: ${header}`)
  }

  async #unpacked(line: string, parsed: JsonValue, number: number): Promise<void> {
    const { value, lost } = await unpack(line, parsed, (hash) => this.#blobs.read(hash))
    if (lost > 0) this.#warn(number, 'refers to text beside the log that is missing or damaged')
    this.#keep(value, number)
  }

  #keep(value: JsonValue | undefined, number: number): void {
    const decoded = decodeEvent(value)
    if (decoded.kind === 'event') this.events.push(decoded.event)
    else if (decoded.kind === 'bad') this.#warn(number, `was passed over: ${decoded.reason}`)
    else if (!decoded.ignorable) this.newer ??= decoded.type
  }

  #warn(number: number, what: string): void {
    this.warnings.push(`line ${number} of ${this.#path} ${what}`)
  }
}
