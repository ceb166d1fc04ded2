// The store: where sessions live, and how one is found again.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { decodeEvent, decodeHeader } from './codec.ts'
import type { LoggedEvent, SessionHeader } from './event.ts'
import type { LogFile } from './log.ts'

/** What a log file held, and what of it could not be used. */
export interface StoredSession extends LogFile {
  /** One sentence for each line that was passed over. */
  warnings: string[]
}

/** Why a stored session can't be used. */
export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError'
  readonly code: 'not_found' | 'unreadable'

  constructor(code: 'not_found' | 'unreadable', message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export interface SessionStore {
  /** A log file that does not exist yet. */
  create(header: SessionHeader): LogFile
  /** Rejects with `SessionStoreError`. Ids that we never gave out are not found, whatever they look like. */
  read(id: string): Promise<StoredSession>
}

/** `directory` is the state directory of the user. */
export function createSessionStore(directory: string): SessionStore {
  const pathOf = (id: string): string => join(directory, 'sessions', `${id}.jsonl`)
  return {
    create: (header) => ({ path: pathOf(header.id), header, events: [] }),
    read: async (id) => {
      if (!SESSION_ID.test(id))
        throw new SessionStoreError('not_found', `there is no session ${JSON.stringify(id.slice(0, 80))}`)
      return readSessionFile(pathOf(id))
    },
  }
}

/** Reads any log file. Rejects with `SessionStoreError`. */
export async function readSessionFile(path: string): Promise<StoredSession> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw new SessionStoreError(
      missing ? 'not_found' : 'unreadable',
      missing
        ? `there is no session log at ${path}`
        : `the session log ${path} could not be read: ${String(cause)}`,
      cause,
    )
  }
  return { path, ...parseLog(text, path) }
}

/** Splits at 0x0A only. A last line without newline is used when it is whole, and dropped when it is torn. */
function parseLog(text: string, path: string): Omit<StoredSession, 'path'> {
  const lines = text.split('\n')
  const tail = lines.pop() ?? ''
  const header = decodeHeader(lines.shift() ?? '')
  if (typeof header === 'string')
    throw new SessionStoreError('unreadable', `the session log ${path} can’t be used: ${header}`)
  const events: LoggedEvent[] = []
  const warnings: string[] = []
  const take = (line: string, number: number): void => {
    const decoded = decodeEvent(line)
    if (decoded.kind === 'event') events.push(decoded.event)
    else if (decoded.kind === 'bad')
      warnings.push(`line ${number} of ${path} was passed over: ${decoded.reason}`)
    else if (!decoded.ignorable)
      warnings.push(
        `line ${number} of ${path} was passed over: unknown event ${JSON.stringify(decoded.type)}`,
      )
  }
  lines.forEach((line, index) => {
    if (line.trim() !== '') take(line, index + 2)
  })
  if (tail !== '') take(tail, lines.length + 2)
  return { header, events, warnings, stored: { torn: tail !== '' } }
}
