// `deckhand login`: asks for a provider's key without showing it, checks it with the provider, stores it.
import { createInterface } from 'node:readline/promises'
import type { Configuration } from '#config/configuration.ts'
import { keyFile, storeKey } from '#config/keys.ts'
import { loadConfiguration } from '#config/load.ts'
import { PrivateFileError } from '#config/private-file.ts'
import { systemCode, thrownMessage } from '#json/thrown.ts'
import { isUsableKey } from '#config/settings.ts'
import { checkKey } from '#model/check-key.ts'
import { insideSentence } from '#model/error-sentence.ts'
import { type Endpoint, endpointOf } from '#model/endpoint.ts'
import { outgoingFetch } from '#model/outgoing-fetch.ts'
import { askSecret } from './ask-secret.ts'
import type { Host } from './host.ts'
import { knownProviders, noSuchProvider } from './known-providers.ts'

type Say = (text: string) => void

/** The provider that is offered where the configured model names none. */
const USUAL = 'anthropic'

/** Without a provider, the person is asked for one. Resolves with 0 when the key is stored, 2 for a provider that nobody knows, else 1. */
export async function login(host: Host, options: { provider?: string }): Promise<number> {
  const say: Say = (text) => void host.stderr.write(`${text}\n`)
  const configuration = await loadConfiguration({ env: host.env })
  for (const warning of configuration.warnings) say(`deckhand: ${warning}`)
  const provider = options.provider ?? (await askProvider(host, configuration))
  if (provider === undefined) return refuse(say, 'no provider was chosen; nothing is stored')
  const endpoint = endpointOf(provider, configuration, ownsGeneralAddress(provider, configuration))
  if (endpoint === undefined) {
    say(`deckhand: ${noSuchProvider(provider, configuration)}`)
    return 2
  }
  const key = await askSecret(host, `Key of ${insideSentence(endpoint.title)} (it is not shown): `)
  if (key === undefined) return refuse(say, 'no key was given; nothing is stored')
  if (!isUsableKey(key)) return refuse(say, 'a key holds no spaces and only plain letters; nothing is stored')
  return store(host, configuration.paths.state, endpoint, key, say)
}

/**
 * The provider of the configured model stands for those who just press Enter, and where there is nobody to ask. Only one
 * that has keys is offered. Undefined for Ctrl-C and Ctrl-D.
 */
async function askProvider(host: Host, configuration: Configuration): Promise<string | undefined> {
  const ofModel = configuration.model?.split('/')[0] ?? USUAL
  if (!host.stdin.isTTY) return ofModel
  const terminal = createInterface({ input: host.stdin, output: host.stderr })
  const ids = knownProviders(configuration)
  const known = ids.join(', ')
  const usual = ids.includes(ofModel) ? ofModel : USUAL
  // Ctrl-C and Ctrl-D reject the question; an input that ends leaves it open.
  const closed = new Promise<undefined>((resolve) => {
    terminal.once('close', () => resolve(undefined))
  })
  const question = terminal.question(`Provider (${known}) [${usual}]: `).catch(() => undefined)
  const answer = await Promise.race([question, closed])
  terminal.close()
  if (answer === undefined) host.stderr.write('\n')
  return answer === undefined ? undefined : answer.trim() || usual
}

async function store(host: Host, state: string, endpoint: Endpoint, key: string, say: Say): Promise<number> {
  const verdict = await checkKey(endpoint, key, outgoingFetch(host.env))
  if (verdict.kind === 'refused') {
    return refuse(say, `${endpoint.title} refused the key (${verdict.status}); nothing is stored`)
  }
  try {
    await storeKey(state, endpoint.id, key)
  } catch (error) {
    if (!(error instanceof PrivateFileError) && systemCode(error) === undefined) throw error
    return refuse(say, thrownMessage(error))
  }
  if (verdict.kind === 'unknown') say(`deckhand: the key could not be checked: ${verdict.why}`)
  say(`The key of ${insideSentence(endpoint.title)} is stored in ${keyFile(state)}; only you can read it.`)
  return 0
}

/** `DECKHAND_BASE_URL` is the address of the chosen provider. */
function ownsGeneralAddress(provider: string, { model }: Configuration): boolean {
  return model?.startsWith(`${provider}/`) === true
}

function refuse(say: Say, why: string): number {
  say(`deckhand: ${why}`)
  return 1
}
