// The file system as tools see it: whole files and streams by absolute path, symlinks followed.
import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { lstat, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { systemCode } from '#json/thrown.ts'
import { writeAtomically } from './atomic-write.ts'
import { streamFile } from './file-stream.ts'
import { entriesBelow, type Entry, entryAt, moveEntry, removeEntry } from './removal.ts'

export interface FileStat {
  kind: 'file' | 'directory' | 'other'
  /** Bytes. */
  size: number
}

/** Every path is absolute. Failures are the system's errors, with their `code`. */
export interface FileSystem {
  /** `undefined` when nothing is there. */
  stat(path: string): Promise<FileStat | undefined>
  read(path: string): Promise<Buffer>
  /**
   * The bytes in pieces, in constant memory: a piece is valid until the next one is asked for. The signal ends the
   * stream with an error whose code is `ABORT_ERR`.
   */
  stream(path: string, signal?: AbortSignal): AsyncIterable<Uint8Array>
  /** Where the bytes of `path` live or would be created: links resolved, dangling ones included. */
  realPath(path: string): Promise<string>
  /**
   * Replaces or creates the file behind `path` in one step; `writeAtomically` says what else may be thrown. Gives the
   * bytes that are there afterwards where they are others: an editor that writes for us may format.
   */
  write(path: string, bytes: Uint8Array): Promise<Uint8Array | undefined>
  /** What is at `path` itself; a link is not followed. */
  entry(path: string): Promise<Entry | undefined>
  /** Entries below a directory, at most `most`. */
  below(path: string, most: number): Promise<{ path: string; kind: Entry['kind'] }[]>
  /** Takes away a file, a link, or a directory: an empty one unless `recursive`. */
  remove(path: string, recursive: boolean): Promise<void>
  /** Renames; parents of `to` are created. Throws the code `EEXIST` when something is at `to`. */
  move(from: string, to: string): Promise<void>
}

export function createFileSystem(): FileSystem {
  return {
    stat: statFile,
    read: (path) => readFile(path),
    stream: streamFile,
    realPath: resolveLinks,
    entry: entryAt,
    below: entriesBelow,
    remove: removeEntry,
    move: moveEntry,
    async write(path, bytes) {
      await writeAtomically(await resolveLinks(path), bytes)
      return undefined
    },
  }
}

async function statFile(path: string): Promise<FileStat | undefined> {
  try {
    const found = await stat(path)
    const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other'
    return { kind, size: found.size }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

const LONGEST_CHAIN = 40

async function resolveLinks(path: string, links = 0): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || links > LONGEST_CHAIN) throw error
  }
  const link = await lstat(path).catch(() => undefined)
  if (link?.isSymbolicLink()) return resolveLinks(resolve(dirname(path), await readlink(path)), links + 1)
  const parent = dirname(path)
  return parent === path ? path : join(await resolveLinks(parent, links), basename(path))
}

/** `realPath` without waiting, for the few paths that every call asks about. Blocks as long as the disk does. */
export function resolveLinksNow(path: string, links = 0): string {
  const there = statSync(path, { throwIfNoEntry: false }) !== undefined
  if (there || links > LONGEST_CHAIN) return realpathSync.native(path)
  const link = lstatSync(path, { throwIfNoEntry: false })
  if (link?.isSymbolicLink()) return resolveLinksNow(resolve(dirname(path), readlinkSync(path)), links + 1)
  const parent = dirname(path)
  return parent === path ? path : join(resolveLinksNow(parent, links), basename(path))
}
