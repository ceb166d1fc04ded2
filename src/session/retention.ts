// Retention: conversations are kept; what only a rewind or a look into a long output needs goes after a while.
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { hashesIn } from './blobs.ts'
import { besideLog } from './log.ts'

/** Days without a new event; 0 keeps for ever. */
export interface Retention {
  /** Whole sessions; by default they are kept. */
  sessionDays?: number
  /** Long texts that only snapshots refer to: what a rewind needs. */
  snapshotDays?: number
  /** Files of long output. */
  outputDays?: number
}

const DEFAULT_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/** Never rejects; what can't be removed stays. Returns the number of files, folders and sessions removed. */
export async function pruneSessions(
  directory: string,
  retention: Retention = {},
  now = Date.now(),
): Promise<number> {
  const folder = join(directory, 'sessions')
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names.filter((candidate) => candidate.endsWith('.jsonl'))) {
    const path = join(folder, name)
    const age = await stat(path).then(
      (found) => (now - found.mtimeMs) / DAY_MS,
      () => 0,
    )
    removed += await prune(path, names, age, retention).catch(() => 0)
  }
  return removed
}

async function prune(
  path: string,
  names: readonly string[],
  age: number,
  { sessionDays = 0, snapshotDays = DEFAULT_DAYS, outputDays = DEFAULT_DAYS }: Retention,
): Promise<number> {
  const { blobs, files } = besideLog(path)
  const over = (days: number): boolean => days > 0 && age > days
  const has = (target: string): boolean => names.includes(basename(target))
  let removed = 0
  const remove = async (target: string): Promise<void> => {
    await rm(target, { recursive: true, force: true })
    removed += 1
  }
  if (over(sessionDays)) {
    for (const target of [blobs, files]) await rm(target, { recursive: true, force: true })
    await remove(path)
    return removed
  }
  if (over(outputDays) && has(files)) await remove(files)
  if (over(snapshotDays) && has(blobs))
    for (const hash of await snapshotBlobs(path)) await remove(join(blobs, hash))
  return removed
}

/** Blobs that snapshots name and nothing else does. */
async function snapshotBlobs(path: string): Promise<Set<string>> {
  const only = new Set<string>()
  const elsewhere = new Set<string>()
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const target = line.includes('"type":"snapshot"') ? only : elsewhere
    for (const hash of hashesIn(line)) target.add(hash)
  }
  return only.difference(elsewhere)
}
