// Replacing a file's bytes so that a crash leaves the old or the new file, and nothing else about it changes.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, copyFile, lstat, open, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Stats } from 'node:fs'
import { systemCode } from '#json/thrown.ts'
import { makeDirectory } from '#config/make-directory.ts'

/** The file may be read only; replacing it would go around that. */
export class ReadOnlyFileError extends Error {
  override readonly name = 'ReadOnlyFileError'
  readonly path: string

  constructor(path: string) {
    super(`${path} is read-only`)
    this.path = path
  }
}

/**
 * Writes the whole file at `target`, a real path (no symlink). Parents are created, mode bits kept.
 * A file with several hard links, of another owner or in a closed directory is written in place, with a
 * recovery copy beside it that only a crash leaves behind.
 * Throws `ReadOnlyFileError`, or the system's error; the old file is whole then, save for a write in
 * place that fails midway, whose error names the recovery copy.
 */
export async function writeAtomically(target: string, bytes: Uint8Array): Promise<void> {
  const present = await statIfPresent(target)
  if (!present) await makeDirectory(dirname(target))
  else if (!(await isWritable(target, present))) throw new ReadOnlyFileError(target)
  if (present && (await needsInPlace(target, present))) return writeInPlace(target, bytes)
  await replaceFile(target, bytes, present)
}

/** Beside it first: libraries for this resolve the path anew, which whoever holds the directory must not. */
async function replaceFile(target: string, bytes: Uint8Array, present: Stats | undefined): Promise<void> {
  const temporary = join(dirname(target), `.${randomBytes(8).toString('hex')}.tmp`)
  try {
    const file = await open(temporary, 'wx', 0o666)
    try {
      await file.writeFile(bytes)
      if (present) {
        // The group is kept where the system lets us.
        await file.chown(present.uid, present.gid).catch(() => undefined)
        await file.chmod(present.mode & 0o7777)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

async function statIfPresent(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isWritable(path: string, { mode }: Stats): Promise<boolean> {
  return (mode & 0o222) !== 0 && (await isAllowed(path, constants.W_OK))
}

async function needsInPlace(path: string, { nlink, uid }: Stats): Promise<boolean> {
  const stranger = process.getuid !== undefined && process.getuid() !== uid
  return nlink > 1 || stranger || !(await isAllowed(dirname(path), constants.W_OK))
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}

async function writeInPlace(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0))
  try {
    const copy = await keepCopy(path)
    try {
      await file.writeFile(bytes)
      await file.truncate(bytes.length)
      await file.sync()
    } catch (error) {
      throw new Error(`writing ${path} failed midway; what it held is in ${copy}`, { cause: error })
    }
    await rm(copy, { force: true })
  } finally {
    await file.close()
  }
}

async function keepCopy(path: string): Promise<string> {
  const name = `.${basename(path)}.${randomBytes(6).toString('hex')}.recovery`
  const beside = join(dirname(path), name)
  const isBeside = await isAllowed(dirname(path), constants.W_OK)
  const copy = isBeside ? beside : join(tmpdir(), name)
  await copyFile(path, copy, constants.COPYFILE_EXCL)
  return copy
}
