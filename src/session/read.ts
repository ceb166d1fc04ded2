// Reading a log file: everything that can be used, and a sentence about everything that can't.
import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import type { JsonValue } from '#json/value.ts'
import { BlobFolder, refersToBlobs, unpack } from './blobs.ts'
import { decodeEvent, decodeHeader, parseLine } from './codec.ts'
import type { LoggedEvent } from './event.ts'
import { besideLog, type LogFile } from './log.ts'
import { migrate } from './migrate.ts'

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

/** Reads any log file, changing nothing. Rejects with `SessionStoreError`. */
export async function readSessionFile(path: string): Promise<StoredSession> {
  return parseLog(migrate(await readText(path)).text, path)
}

/** Reads a log file that is going to be written: an old version is migrated on disk, its original kept as a backup. */
export async function readForWriting(path: string): Promise<StoredSession> {
  const original = await readText(path)
  const { text, from } = migrate(original)
  if (from !== undefined) {
    await copyFile(path, `${path}.v${from}`)
    await writeFile(`${path}.new`, text, { mode: 0o600, flush: true })
    await rename(`${path}.new`, path)
  }
  return parseLog(text, path)
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new SessionStoreError('not_found', `there is no session log at ${path}`, cause)
    }
    throw new SessionStoreError(
      'unreadable',
      `the session log ${path} could not be read: ${String(cause)}`,
      cause,
    )
  }
}

/** Splits at 0x0A only. A last line without newline is used when it is whole, and dropped when it is torn. */
async function parseLog(text: string, path: string): Promise<StoredSession> {
  const lines = text.split('\n')
  const header = decodeHeader(lines[0] ?? '')
  if (typeof header === 'string') {
    throw new SessionStoreError('unreadable', `the session log ${path} can’t be used: ${header}`)
  }
  const reader = new LineReader(path)
  for (const [index, line] of lines.entries()) {
    const waiting = index > 0 && line.trim() !== '' ? reader.take(line, index + 1) : undefined
    if (waiting !== undefined) await waiting
  }
  const stored: StoredSession = {
    path,
    header,
    events: reader.events,
    warnings: reader.warnings,
    stored: { torn: lines.at(-1) !== '' },
  }
  return reader.newer === undefined ? stored : { ...stored, readOnly: newerMessage(reader.newer) }
}

function newerMessage(type: string): string {
  return `this session was written by a newer version of Deckhand (event ${JSON.stringify(type)}); it can be read but not continued`
}

class LineReader {
  readonly events: LoggedEvent[] = []
  readonly warnings: string[] = []
  /** An event of a newer version that must not be ignored. */
  newer: string | undefined
  readonly #path: string
  readonly #blobs: BlobFolder

  constructor(path: string) {
    this.#path = path
    this.#blobs = new BlobFolder(besideLog(path).blobs)
  }

  /** A promise only where text beside the log has to be read: most lines need none. */
  take(line: string, number: number): Promise<void> | undefined {
    const parsed = parseLine(line)
    if (parsed !== undefined && refersToBlobs(line)) return this.#unpacked(line, parsed, number)
    this.#keep(parsed, number)
    return undefined
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
