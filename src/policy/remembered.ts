// Remembered grants: one file a project, in the user's state directory, read afresh for every question.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivateFile } from '#config/private-file.ts'
import { systemCode } from '#json/thrown.ts'
import type { Log } from '#registry/types.ts'
import { contains } from '#workspace/path-inside.ts'
import { withPathLock } from '#workspace/path-lock.ts'
import { type GrantEntry, readEntry } from './grants.ts'

export interface Remembered {
  /** Short and stable. */
  id: string
  /** ISO 8601. */
  at: string
  entry: GrantEntry
}

export interface GrantStore {
  /** Oldest first. Never rejects: a file that can't be read holds nothing. */
  list(): Promise<readonly Remembered[]>
  /** Rejects when it can't be stored. */
  add(entries: readonly GrantEntry[]): Promise<void>
  /** Whether there was such a grant. Rejects when the file can't be changed. */
  revoke(id: string): Promise<boolean>
  /** False where the project holds the state directory: a tool could write its own grants. */
  usable(): Promise<boolean>
}

export interface GrantStoreInit {
  /** The directory of state. */
  state: string
  /** The working directory of the session. */
  project: string
  realPath(path: string): Promise<string>
  log: Log
}

const VERSION = 1

export function createGrantStore({ state, project, realPath, log }: GrantStoreInit): GrantStore {
  const locate = async (): Promise<{ file: string; real: string }> => {
    const real = await realPath(project)
    const hash = createHash('sha256').update(real).digest('hex').slice(0, 32)
    return { file: join(state, 'grants', `${hash}.json`), real }
  }
  const usable = async (): Promise<boolean> => !contains(await realPath(project), await realPath(state))
  const list = async (): Promise<readonly Remembered[]> => {
    try {
      if (!(await usable())) return []
      const { file, real } = await locate()
      return await load(file, real, log)
    } catch (error) {
      log('warn', 'remembered permissions can not be read; none apply', { error: String(error) })
      return []
    }
  }
  const change = async (next: (now: readonly Remembered[]) => readonly Remembered[]): Promise<boolean> => {
    if (!(await usable()))
      throw new Error('the state directory is inside the project, where nothing is remembered')
    const { file, real } = await locate()
    return withPathLock(file, async () => {
      const now = await load(file, real, log)
      const grants = next(now)
      if (grants.length === now.length) return false
      await writePrivateFile(file, { version: VERSION, project: real, grants })
      return true
    })
  }
  return {
    list,
    usable,
    add: async (entries) => void (await change((now) => joined(now, entries))),
    revoke: (id) => change((now) => now.filter((grant) => grant.id !== id)),
  }
}

function joined(now: readonly Remembered[], entries: readonly GrantEntry[]): Remembered[] {
  const at = new Date().toISOString()
  const known = new Map(now.map((grant) => [grant.id, grant]))
  for (const entry of entries) {
    const id = idOf(entry)
    if (!known.has(id)) known.set(id, { id, at, entry })
  }
  return [...known.values()]
}

function idOf(entry: GrantEntry): string {
  return createHash('sha256')
    .update(JSON.stringify(entry, Object.keys(entry).sort()))
    .digest('hex')
    .slice(0, 8)
}

async function load(file: string, project: string, log: Log): Promise<readonly Remembered[]> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return []
  const grants = parse(text, project)
  if (grants === undefined) log('warn', `the remembered permissions in ${file} are damaged; none apply`)
  return grants ?? []
}

/** All or nothing: of a damaged file nothing is believed. */
function parse(text: string, project: string): Remembered[] | undefined {
  try {
    const value = JSON.parse(text) as { version?: unknown; project?: unknown; grants?: unknown }
    if (value?.version !== VERSION || value.project !== project || !Array.isArray(value.grants))
      return undefined
    const grants: Remembered[] = []
    for (const stored of value.grants as { at?: unknown; entry?: unknown }[]) {
      const entry = readEntry(stored?.entry)
      if (entry === undefined) return undefined
      grants.push({ id: idOf(entry), at: typeof stored.at === 'string' ? stored.at : '', entry })
    }
    return grants
  } catch {
    return undefined
  }
}
