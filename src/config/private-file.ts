// Small JSON files in the state directory that nobody else may read.
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from './make-directory.ts'
import { systemCode, thrownMessage } from '#json/thrown.ts'
import { isJsonObject, type JsonObject } from '#json/value.ts'

/** A file that can't be read as what it should be. It is never overwritten. */
export class PrivateFileError extends Error {
  override readonly name = 'PrivateFileError'
}

/** `{}` for a file that is not there. Throws `PrivateFileError`. */
export function readPrivateFile(path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (isJsonObject(value)) return value
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return {}
    throw new PrivateFileError(
      `${path} can't be read (${systemCode(error) ?? thrownMessage(error)}); repair or delete it.`,
      {
        cause: error,
      },
    )
  }
  throw new PrivateFileError(`${path} holds no JSON object; repair or delete it.`)
}

/** Changes the file as a whole: atomically, with mode 0600. Throws `PrivateFileError` when it is broken. */
export async function changePrivateFile(
  path: string,
  change: (value: JsonObject) => JsonObject,
): Promise<void> {
  await writePrivateFile(path, change(readPrivateFile(path)))
}

/** Writes JSON atomically, durably, with mode 0600; its directory is made with mode 0700. */
export async function writePrivateFile(path: string, value: object): Promise<void> {
  await makeDirectory(dirname(path), 0o700)
  const { default: writeFileAtomic } = await import('write-file-atomic')
  await writeFileAtomic(path, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 })
}
