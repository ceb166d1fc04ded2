// `deckhand logout`: forgets stored keys.
import { forgetKeys } from '#config/keys.ts'
import { loadConfiguration } from '#config/load.ts'
import { readPaths } from '#config/paths.ts'
import { PrivateFileError } from '#config/private-file.ts'
import type { Host } from './host.ts'
import { knownProviders, noSuchProvider } from './known-providers.ts'

/** Forgets the key of a provider, or all. Resolves with 0 also when there was none, 2 for a provider that nobody knows, 1 when the file is broken. */
export async function logout(host: Host, { provider }: { provider?: string }): Promise<number> {
  try {
    const forgotten = await forgetKeys(readPaths(host.env).state, provider)
    if (forgotten.length > 0) host.stderr.write(`The key of ${forgotten.join(', ')} is forgotten.\n`)
    else if (provider === undefined) host.stderr.write('No key was stored.\n')
    else return await none(host, provider)
    return 0
  } catch (error) {
    if (!(error instanceof PrivateFileError)) throw error
    host.stderr.write(`deckhand: ${error.message}\n`)
    return 1
  }
}

/** A key may outlive the configuration of its provider; a provider without both is a slip. */
async function none(host: Host, provider: string): Promise<number> {
  const configuration = await loadConfiguration({ env: host.env })
  const known = knownProviders(configuration).includes(provider)
  const said = known
    ? `No key of ${provider} was stored.`
    : `deckhand: ${noSuchProvider(provider, configuration)}`
  host.stderr.write(`${said}\n`)
  return known ? 0 : 2
}
