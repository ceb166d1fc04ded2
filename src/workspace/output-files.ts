// Files for output that is too long for a conversation: in a private directory of the session.
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeDirectory } from '#config/make-directory.ts'

/** Bytes of a stream that are kept in its file. */
export const MAX_OUTPUT_FILE = 64 * 1024 * 1024

export interface OutputFile {
  /** Absolute. */
  readonly path: string
  /** Awaited: the disk slows the writer. What comes beyond `MAX_OUTPUT_FILE` is let go, and so is all after a failure. */
  write(text: string): Promise<void>
  close(): Promise<void>
}

export interface OutputFiles {
  /** Where the files are, once there is one. */
  readonly directory: string | undefined
  /** `name`: what the file's name begins with. */
  create(name: string): Promise<OutputFile>
  /** A whole text at once; its path. */
  save(name: string, text: string): Promise<string>
  /** Removes them all, unless they lie in a directory that somebody else keeps. */
  dispose(): Promise<void>
}

/** `kept`: a directory that outlives this process and is somebody else's to remove; made when it is needed. */
export function createOutputFiles(kept?: string): OutputFiles {
  let made: Promise<string> | undefined
  let directory: string | undefined
  const pathFor = async (name: string): Promise<string> => {
    made ??= kept === undefined ? mkdtemp(join(tmpdir(), 'deckhand-output-')) : makePrivate(kept)
    directory = await made
    return join(directory, `${name}-${randomBytes(4).toString('hex')}.txt`)
  }
  return {
    get directory() {
      return directory
    },
    create: async (name) => openFile(await pathFor(name)),
    async save(name, text) {
      const path = await pathFor(name)
      await writeFile(path, text, { mode: 0o600, flag: 'wx' })
      return path
    },
    async dispose() {
      const gone = made
      made = undefined
      directory = undefined
      if (gone && kept === undefined) await rm(await gone, { recursive: true, force: true })
    },
  }
}

async function makePrivate(directory: string): Promise<string> {
  await makeDirectory(directory, 0o700)
  return directory
}

async function openFile(path: string): Promise<OutputFile> {
  const file = await open(path, 'wx', 0o600)
  let left = MAX_OUTPUT_FILE
  return {
    path,
    async write(text) {
      if (left <= 0) return
      const bytes = Buffer.from(text)
      const kept = bytes.subarray(0, left)
      left -= kept.length
      await file.writeFile(kept).catch(() => {
        left = 0
      })
    },
    close: () => file.close().catch(() => undefined),
  }
}
