// Which contents of which project files the person trusts.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { changePrivateFile, PrivateFileError, readPrivateFile } from './private-file.ts'

export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Whether this very content of the file is trusted. A store that can't be read trusts nothing. */
export function isTrusted(state: string, path: string, hash: string): boolean {
  try {
    return readPrivateFile(trustFile(state))[path] === hash
  } catch (error) {
    if (error instanceof PrivateFileError) return false
    throw error
  }
}

/** Remembers that the person trusts this content. Throws `PrivateFileError`, and what the file system throws. */
export async function trust(state: string, path: string, hash: string): Promise<void> {
  await changePrivateFile(trustFile(state), (trusted) => ({ ...trusted, [path]: hash }))
}

export async function revokeTrust(state: string, path: string): Promise<void> {
  await changePrivateFile(trustFile(state), ({ [path]: _revoked, ...rest }) => rest)
}

function trustFile(state: string): string {
  return join(state, 'trusted.json')
}
