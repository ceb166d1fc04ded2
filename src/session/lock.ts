// The lock: one writer a session, also across processes.
import { randomUUID } from 'node:crypto'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDirectory } from '#config/make-directory.ts'
import { systemCode } from '#json/thrown.ts'

/** Gives the lock back. Never rejects. */
export type Release = () => Promise<void>

export class LockedError extends Error {
  override readonly name = 'LockedError'
  /** The process that holds it. */
  readonly pid: number

  constructor(pid: number) {
    super(`another process is writing this session (pid ${pid})`)
    this.pid = pid
  }
}

interface Holder {
  pid: number
  /** When the process started, where the system tells: a pid alone may be somebody else's by now. */
  started: string
}

const RETRY_MS = 50

/**
 * Waits up to `waitMs` for a living holder, takes over from a dead one. Rejects with `LockedError`, or with the
 * system's error when the directory can't be written.
 */
export async function acquireLock(path: string, waitMs = 3000): Promise<Release> {
  await makeDirectory(dirname(path), 0o700)
  const own = `${path}.${randomUUID()}`
  const me: Holder = { pid: process.pid, started: await startOf(process.pid) }
  const deadline = Date.now() + waitMs
  try {
    await writeFile(own, JSON.stringify(me), { mode: 0o600 })
    for (;;) {
      // A hard link appears whole or not at all, so nobody ever reads half a lock.
      const taken = await link(own, path).then(() => true, isExisting)
      if (taken) return () => rm(path, { force: true }).catch(() => undefined)
      const holder = await readHolder(path)
      if (holder !== undefined && (await isAlive(holder))) {
        if (Date.now() >= deadline) throw new LockedError(holder.pid)
        await sleep(RETRY_MS)
      } else await removeDead(path, holder)
    }
  } finally {
    await rm(own, { force: true })
  }
}

function isExisting(error: NodeJS.ErrnoException): false {
  if (error.code === 'EEXIST') return false
  throw error
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    const holder = JSON.parse(await readFile(path, 'utf8')) as Holder
    return typeof holder.pid === 'number' ? holder : undefined
  } catch {
    return undefined
  }
}

async function isAlive({ pid, started }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false
  }
  const now = await startOf(pid)
  return now === '' || started === '' || now === started
}

/** The start time of a process in the system's ticks, on Linux; empty elsewhere. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name in parentheses may hold anything; the fields behind it are plain. Field 22 is the start time.
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

/** Moves a dead lock away, unless somebody else has taken it over meanwhile. */
async function removeDead(path: string, holder: Holder | undefined): Promise<void> {
  const aside = `${path}.${randomUUID()}`
  const moved = await rename(path, aside).then(
    () => true,
    () => false,
  )
  if (!moved) return
  const found = await readHolder(aside)
  if (found?.pid !== holder?.pid || found?.started !== holder?.started)
    await link(aside, path).catch(() => undefined)
  await rm(aside, { force: true })
}
