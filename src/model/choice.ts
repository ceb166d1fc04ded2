// Which model is used, and why none is. Loads no provider.
import type { Settings } from '#config/settings.ts'
import { type Endpoint, endpointOf, hasKeyOrAddress, providerIds, splitName } from './endpoint.ts'
import { PROVIDERS } from './providers/index.ts'

export const SCRIPTED = 'scripted'

export interface Choice {
  selected: string | undefined
  /** Why no model is selected, or why the selected one can't work: a sentence for a person. */
  problem: string | undefined
}

/**
 * The chosen model, else the default of the first provider that is set up. A chosen provider that is unknown or
 * has no address stays selected, so that loading it can say so; one without its key is not. `scripted` has to be chosen.
 */
export function choose(settings: Settings): Choice {
  if (settings.model !== undefined) return chooseNamed(settings.model, settings)
  for (const id of providerIds(settings)) {
    const endpoint = endpointOf(id, settings, false)
    if (endpoint?.defaultModel !== undefined && canBeFound(endpoint)) {
      return { selected: `${id}/${endpoint.defaultModel}`, problem: undefined }
    }
  }
  const keys = PROVIDERS.flatMap((row) => row.keyVariable ?? []).join(', ')
  return {
    selected: undefined,
    problem: `No model is set up; run "deckhand login", set one of ${keys}, or DECKHAND_MODEL with DECKHAND_API_KEY or DECKHAND_BASE_URL.`,
  }
}

/** Only a key makes a vendor's default model a choice; an address is enough for a provider whose models are listed. */
function canBeFound({ settings, baseURL }: Endpoint): boolean {
  if (baseURL === undefined || settings.fault !== undefined) return false
  return settings.apiKey !== undefined || (settings.models !== undefined && settings.baseURL !== undefined)
}

function chooseNamed(name: string, settings: Settings): Choice {
  const { providerId } = splitName(name)
  if (providerId === SCRIPTED) return { selected: name, problem: undefined }
  const endpoint = endpointOf(providerId, settings, true)
  if (endpoint === undefined) return { selected: name, problem: unknownProvider(name, settings) }
  if (endpoint.baseURL === undefined) return { selected: name, problem: noAddress(name) }
  if (!hasKeyOrAddress(endpoint)) return { selected: undefined, problem: noKey(name, endpoint) }
  return { selected: name, problem: undefined }
}

export function unknownProvider(name: string, settings: Settings): string {
  const known = [...providerIds(settings), SCRIPTED].join(', ')
  return `There is no provider "${splitName(name).providerId}" (model "${name}"); known are ${known}.`
}

export function noAddress(name: string): string {
  return `The model "${name}" needs DECKHAND_BASE_URL, for example http://localhost:11434/v1, or baseURL in the configuration.`
}

export function noKey(name: string, { id, keyVariable, settings }: Endpoint): string {
  if (settings.fault !== undefined) return `The model "${name}" can't be used: ${settings.fault}`
  const variables = ['DECKHAND_API_KEY', ...(keyVariable === undefined ? [] : [keyVariable])].join(' or ')
  return `The model "${name}" needs a key; set ${variables}, or run "deckhand login ${id}".`
}
