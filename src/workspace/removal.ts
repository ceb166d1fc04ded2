// Taking entries away and renaming them: never over something else, links themselves and not what they point to.
import { constants, type Dirent, type Stats } from 'node:fs'
import { cp, link, lstat, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeDirectory } from '#config/make-directory.ts'
import { systemCode } from '#json/thrown.ts'

export interface Entry {
  kind: 'file' | 'directory' | 'link' | 'other'
  /** Bytes. */
  size: number
}

/** What is at `path` itself: a link is not followed. `undefined` when nothing is there. */
export async function entryAt(path: string): Promise<Entry | undefined> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  })
  return found && { kind: kindOf(found), size: found.size }
}

/** Paths of the entries below a directory, at most `most`; links are entries and not followed. */
export async function entriesBelow(
  directory: string,
  most: number,
): Promise<{ path: string; kind: Entry['kind'] }[]> {
  const found: { path: string; kind: Entry['kind'] }[] = []
  const waiting = [directory]
  for (let next = waiting.pop(); next !== undefined && found.length < most; next = waiting.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      const path = join(next, entry.name)
      found.push({ path, kind: kindOf(entry) })
      if (entry.isDirectory()) waiting.push(path)
    }
  }
  return found.slice(0, most)
}

function kindOf(entry: Dirent | Stats): Entry['kind'] {
  if (entry.isFile()) return 'file'
  if (entry.isDirectory()) return 'directory'
  return entry.isSymbolicLink() ? 'link' : 'other'
}

/** Removes a file, a link, or a directory: an empty one unless `recursive`. Throws the system's errors. */
export async function removeEntry(path: string, recursive: boolean): Promise<void> {
  const entry = await lstat(path)
  if (!entry.isDirectory()) return unlink(path)
  return recursive ? rm(path, { recursive: true }) : rmdir(path)
}

/** Renames; parents of `to` are created. Throws an error with the code `EEXIST` when something is at `to`. */
export async function moveEntry(from: string, to: string): Promise<void> {
  const entry = await lstat(from)
  const present = await lstat(to).catch(() => undefined)
  const isSame = present !== undefined && present.ino === entry.ino && present.dev === entry.dev
  // On a file system that ignores case, another spelling of a name is the same entry.
  if (present && !(isSame && from !== to && from.toLowerCase() === to.toLowerCase())) throw existsError(to)
  await makeDirectory(dirname(to))
  if (!isSame && entry.isFile() && (await linkAcross(from, to))) return
  await rename(from, to).catch((error: unknown) => {
    if (systemCode(error) !== 'EXDEV') throw error
    return copyAcross(from, to)
  })
}

/** A link can't replace anything, which a rename does unasked. False: this file system has no links. */
async function linkAcross(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw error
    return false
  }
  await unlink(from).catch(async (error: unknown) => {
    await unlink(to)
    throw error
  })
  return true
}

/** To another file system: the copy is whole before the original goes. */
async function copyAcross(from: string, to: string): Promise<void> {
  try {
    await cp(from, to, {
      recursive: true,
      errorOnExist: true,
      force: false,
      preserveTimestamps: true,
      verbatimSymlinks: true,
      mode: constants.COPYFILE_EXCL,
    })
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' && systemCode(error) !== 'ERR_FS_CP_EEXIST') {
      await rm(to, { recursive: true, force: true })
    }
    throw error
  }
  await rm(from, { recursive: true })
}

function existsError(path: string): Error {
  return Object.assign(new Error(`${path} exists`), { code: 'EEXIST' })
}
