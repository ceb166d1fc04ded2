// Keys that `deckhand login` stored, in the state directory with mode 0600.
import { join } from 'node:path'
import { changePrivateFile, PrivateFileError, readPrivateFile } from './private-file.ts'
import { Secret } from './secret.ts'
import { isUsableKey } from './settings.ts'

/** The file of the keys below a state directory. */
export function keyFile(state: string): string {
  return join(state, 'keys.json')
}

/** By provider id. Empty when there are none, or when the file can't be read: `storeKey` says what is wrong with it. */
export function readStoredKeys(state: string): Record<string, Secret> {
  try {
    const entries = Object.entries(readPrivateFile(keyFile(state)))
    return Object.fromEntries(
      entries.flatMap(([id, key]) =>
        typeof key === 'string' && isUsableKey(key) ? [[id, new Secret(key)] as const] : [],
      ),
    )
  } catch (error) {
    if (error instanceof PrivateFileError) return {}
    throw error
  }
}

/** Throws `PrivateFileError` when the file is broken, and what the file system throws. */
export async function storeKey(state: string, provider: string, key: string): Promise<void> {
  await changePrivateFile(keyFile(state), (keys) => ({ ...keys, [provider]: key }))
}

/** Forgets the key of a provider, or all. Resolves with the ids that are forgotten. */
export async function forgetKeys(state: string, provider?: string): Promise<string[]> {
  const known = Object.keys(readPrivateFile(keyFile(state)))
  const forgotten = known.filter((id) => provider === undefined || id === provider)
  if (forgotten.length > 0) {
    await changePrivateFile(keyFile(state), (keys) =>
      Object.fromEntries(Object.entries(keys).filter(([id]) => !forgotten.includes(id))),
    )
  }
  return forgotten
}
