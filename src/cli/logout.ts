// `deckhand logout`: forgets stored keys.
import { forgetKeys } from '#config/keys.ts'
import { readPaths } from '#config/paths.ts'
import { PrivateFileError } from '#config/private-file.ts'
import type { Host } from './host.ts'

/** Forgets the key of a provider, or all. Resolves with 0 also when there was none, 1 when the file is broken. */
export async function logout(host: Host, { provider }: { provider?: string }): Promise<number> {
  try {
    const forgotten = await forgetKeys(readPaths(host.env).state, provider)
    const none = provider === undefined ? 'No key was stored.' : `No key of ${provider} was stored.`
    const what = forgotten.length > 0 ? `The key of ${forgotten.join(', ')} is forgotten.` : none
    host.stderr.write(`${what}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof PrivateFileError)) throw error
    host.stderr.write(`deckhand: ${error.message}\n`)
    return 1
  }
}
