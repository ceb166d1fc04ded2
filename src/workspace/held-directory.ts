// A directory that is held open while something is done in it: whoever puts a link in its place meanwhile changes nothing.
import { constants, existsSync } from 'node:fs'
import { type FileHandle, open, readlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { makeDirectory } from '#config/make-directory.ts'
import { systemCode } from '#json/thrown.ts'

/** Something else stands where a directory was. */
export class MovedDirectoryError extends Error {
  override readonly name = 'MovedDirectoryError'
  readonly code = 'EACCES'

  constructor(path: string) {
    super(`${path} is not the directory that it was a moment ago; nothing was changed`)
  }
}

const DESCRIPTORS = '/proc/self/fd'
const canHold = process.platform === 'linux' && existsSync(DESCRIPTORS)

/**
 * Runs `work` with a path that leads to this very directory, `make`: made with its parents where it is missing.
 * `directory` is a real path; only on Linux is it held, elsewhere `work` is given the path itself. Failures name it.
 */
export async function inDirectory<T>(
  directory: string,
  make: boolean,
  work: (held: string) => Promise<T>,
): Promise<T> {
  if (!canHold) {
    if (make) await makeDirectory(directory)
    return work(directory)
  }
  const handle = await hold(directory, make)
  const held = join(DESCRIPTORS, String(handle.fd))
  try {
    return await work(held)
  } catch (error) {
    throw renamed(error, held, directory)
  } finally {
    await handle.close()
  }
}

async function hold(directory: string, make: boolean): Promise<FileHandle> {
  try {
    return await openExactly(directory, directory)
  } catch (error) {
    if (!make || systemCode(error) !== 'ENOENT' || dirname(directory) === directory) throw error
  }
  return inDirectory(dirname(directory), make, async (parent) => {
    const path = join(parent, basename(directory))
    await makeDirectory(path)
    return openExactly(path, directory)
  })
}

/** What is opened must be found where it is expected: no link was followed on the way. */
async function openExactly(path: string, expected: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW
  const handle = await open(path, flags).catch((error: unknown) => {
    throw systemCode(error) === 'ELOOP' || systemCode(error) === 'ENOTDIR'
      ? new MovedDirectoryError(expected)
      : error
  })
  const found = await readlink(join(DESCRIPTORS, String(handle.fd)))
  if (found === expected) return handle
  await handle.close()
  throw new MovedDirectoryError(expected)
}

/** The same error, with the directory's own name in it. */
function renamed(error: unknown, held: string, directory: string): unknown {
  if (!(error instanceof Error)) return error
  error.message = error.message.replaceAll(held, directory)
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: string }
  if (path !== undefined) (error as NodeJS.ErrnoException).path = path.replace(held, directory)
  if (dest !== undefined) (error as { dest?: string }).dest = dest.replace(held, directory)
  return error
}
