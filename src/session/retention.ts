// Retention: conversations are kept; what only a rewind or a look into a long output needs goes after a while.
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { besideLog } from './log.ts'

export const DEFAULT_RETENTION_DAYS = 30
const DAY_MS = 24 * 60 * 60 * 1000

/**
 * Removes the output files, and the long texts that only snapshots refer to, of sessions that nothing was added to for
 * so many days. Never rejects; what can't be removed stays. Returns the number of files and folders removed.
 */
export async function pruneSessions(
  directory: string,
  days = DEFAULT_RETENTION_DAYS,
  now = Date.now(),
): Promise<number> {
  const folder = join(directory, 'sessions')
  const names = await readdir(folder).catch(() => [])
  let removed = 0
  for (const name of names.filter((candidate) => candidate.endsWith('.jsonl'))) {
    const path = join(folder, name)
    const old = await stat(path).then(
      (found) => now - found.mtimeMs > days * DAY_MS,
      () => false,
    )
    if (old) removed += await prune(path, names).catch(() => 0)
  }
  return removed
}

async function prune(path: string, names: readonly string[]): Promise<number> {
  const { blobs, files } = besideLog(path)
  let removed = 0
  const remove = async (target: string): Promise<void> => {
    await rm(target, { recursive: true, force: true })
    removed += 1
  }
  const has = (target: string): boolean => names.includes(basename(target))
  if (has(files)) await remove(files)
  if (has(blobs)) for (const hash of await snapshotBlobs(path)) await remove(join(blobs, hash))
  return removed
}

/** Blobs that snapshots name and nothing else does. */
async function snapshotBlobs(path: string): Promise<Set<string>> {
  const only = new Set<string>()
  const elsewhere = new Set<string>()
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    const target = line.includes('"type":"snapshot"') ? only : elsewhere
    for (const [, hash = ''] of line.matchAll(/"\$blob":"([0-9a-f]{64})"/g)) target.add(hash)
  }
  return only.difference(elsewhere)
}
