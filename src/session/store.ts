// The store: where sessions live, and how one is found, listed and removed.
import { readdir, realpath, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Catalogue, type SessionSummary } from './catalogue.ts'
import type { SessionHeader } from './event.ts'
import { acquireLock, LockedError, type Release } from './lock.ts'
import { besideLog, type LogFile } from './log.ts'
import {
  type HistoryWatcher,
  readForWriting,
  readSessionFile,
  SessionStoreError,
  type StoredSession,
} from './read.ts'

/** What we give out as ids; anything else is not found, and never becomes a path. */
const SESSION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const PAGE = 50

export interface SessionPage {
  sessions: SessionSummary[]
  /** Opaque; absent on the last page. */
  nextCursor?: string
}

export interface SessionStore {
  /** A log file that does not exist yet. */
  create(header: SessionHeader): LogFile
  /** Opens for continuing, with the lock. Rejects with `SessionStoreError`, and with what `watch` throws. */
  open(id: string, watch?: HistoryWatcher): Promise<StoredSession>
  /** Opens for looking only. Rejects with `SessionStoreError`. */
  read(id: string): Promise<StoredSession>
  /** Newest first, 50 a page; only those of a directory where one is given, compared by real path. */
  list(query: { cwd?: string; cursor?: string }): Promise<SessionPage>
  /** Renews what the list says. Never rejects. */
  note(summary: SessionSummary): Promise<void>
  /** Removes the log and everything beside it; unknown ids succeed quietly. Rejects when another process writes it. */
  remove(id: string): Promise<void>
  /** Where a session may keep files of its own; made and removed by whoever uses it. */
  filesOf(id: string): string
}

/** `directory` is the state directory of the user. */
export function createSessionStore(directory: string): SessionStore {
  const folder = join(directory, 'sessions')
  const pathOf = (id: string): string => {
    if (!SESSION_ID.test(id)) throw noSession(id)
    return join(folder, `${id}.jsonl`)
  }
  const catalogue = new Catalogue(folder, join(directory, 'catalogue.jsonl'))
  return {
    create: (header) => ({ path: pathOf(header.id), header, events: [] }),
    read: async (id) => readSessionFile(pathOf(id)).catch((thrown: unknown) => refuse(id, thrown)),
    open: async (id, watch) => openLocked(pathOf(id), watch).catch((thrown: unknown) => refuse(id, thrown)),
    list: async ({ cwd, cursor }) => page(await matching(await catalogue.all(), cwd), cursor),
    note: async (summary) => catalogue.note(summary).catch(() => undefined),
    remove: async (id) => (SESSION_ID.test(id) ? removeUnlocked(folder, id) : undefined),
    filesOf: (id) => besideLog(pathOf(id)).files,
  }
}

function noSession(id: string, cause?: unknown): SessionStoreError {
  return new SessionStoreError('not_found', `there is no session ${JSON.stringify(id.slice(0, 80))}`, cause)
}

/** Whoever asked by id is told of the id, not of the file that is not there. */
function refuse(id: string, thrown: unknown): never {
  throw thrown instanceof SessionStoreError && thrown.code === 'not_found' ? noSession(id, thrown) : thrown
}

async function openLocked(path: string, watch?: HistoryWatcher): Promise<StoredSession> {
  // A look before the lock: an id that nobody has must leave no lock file behind. A process that was killed while it made
  // its log has left an empty one.
  if (!(await sizeOf(path))) throw new SessionStoreError('not_found', `there is no session log at ${path}`)
  let release: Release
  try {
    release = await lockOrRefuse(path)
  } catch (cause) {
    if (cause instanceof SessionStoreError) throw cause
    const reason = `the directory of the session log can’t be written (${String(cause)}); it can be read but not continued`
    return { ...(await readSessionFile(path, watch)), readOnly: reason }
  }
  try {
    return { ...(await readForWriting(path, watch)), release }
  } catch (thrown) {
    await release()
    throw thrown
  }
}

async function matching(all: SessionSummary[], cwd: string | undefined): Promise<SessionSummary[]> {
  if (cwd === undefined) return all
  const real = new Map<string, string>()
  const realOf = async (path: string): Promise<string> => {
    const known = real.get(path) ?? (await realpath(path).catch(() => path.replace(/(?<=.)\/+$/, '')))
    real.set(path, known)
    return known
  }
  const wanted = await realOf(cwd)
  const matches: SessionSummary[] = []
  for (const summary of all) if ((await realOf(summary.cwd)) === wanted) matches.push(summary)
  return matches
}

/** The cursor names the last entry that was given out, so that new sessions don't shift the pages. */
function page(all: readonly SessionSummary[], cursor: string | undefined): SessionPage {
  const [updatedAt, id] = cursor === undefined ? [] : Buffer.from(cursor, 'base64url').toString().split(' ')
  const rest =
    updatedAt === undefined || id === undefined
      ? all
      : all.filter(
          (summary) => summary.updatedAt < updatedAt || (summary.updatedAt === updatedAt && summary.id < id),
        )
  const sessions = rest.slice(0, PAGE)
  const last = sessions.at(-1)
  if (last === undefined || rest.length <= PAGE) return { sessions }
  return { sessions, nextCursor: Buffer.from(`${last.updatedAt} ${last.id}`).toString('base64url') }
}

/** What another process is writing is not removed behind its back. */
async function removeUnlocked(folder: string, id: string): Promise<void> {
  const path = join(folder, `${id}.jsonl`)
  const release = (await sizeOf(path)) !== undefined ? await lockOrRefuse(path, 0) : undefined
  try {
    await removeAll(folder, id)
  } finally {
    await release?.()
  }
}

/** Bytes; undefined where nothing is. */
function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}

async function lockOrRefuse(path: string, waitMs?: number): Promise<Release> {
  try {
    return await acquireLock(besideLog(path).lock, waitMs)
  } catch (cause) {
    if (!(cause instanceof LockedError)) throw cause
    const message = `this session is open in another process (pid ${cause.pid}): close it there first`
    throw new SessionStoreError('locked', message, cause)
  }
}

async function removeAll(folder: string, id: string): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const own = names.filter((name) => name.startsWith(`${id}.`))
  await Promise.all(own.map((name) => rm(join(folder, name), { recursive: true, force: true })))
}
