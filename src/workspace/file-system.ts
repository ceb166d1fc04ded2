// The file system as tools see it: whole files and streams by absolute path, symlinks followed.
import { readFile, type Stats } from 'node:fs'
import { promisify } from 'node:util'
import { writeAtomically } from './atomic-write.ts'
import { DiskLooks } from './disk-looks.ts'
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
  const looks = new DiskLooks()
  return {
    async stat(path) {
      const found = await looks.stat(path)
      return found && fileStat(found)
    },
    read: readWhole,
    stream: streamFile,
    realPath: (path) => looks.realPath(path),
    entry: entryAt,
    below: entriesBelow,
    remove: removeEntry,
    move: moveEntry,
    async write(path, bytes) {
      await writeAtomically(await looks.realPath(path), bytes)
      return undefined
    },
  }
}

function fileStat(found: Stats): FileStat {
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other'
  return { kind, size: found.size }
}

/** Node's other form of it, with promises of its own, takes twice as long for a small file. */
const readWhole: (path: string) => Promise<Buffer> = promisify(readFile)
