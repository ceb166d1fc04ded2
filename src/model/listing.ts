// The models that can be chosen, as far as is known without asking anybody.
import type { Settings } from '#config/settings.ts'
import {
  type Endpoint,
  endpointOf,
  hasKeyOrAddress,
  modelSettings,
  providerIds,
  splitName,
  traitsOf,
} from './endpoint.ts'
import type { ModelListing } from './port.ts'

/** `selected` comes first unless it is listed anyway. Providers that are not set up are left out. Pure. */
export function listModels(settings: Settings, selected: string | undefined): ModelListing[] {
  const chosenId = splitName(selected ?? '').providerId
  const listed = providerIds(settings).flatMap((id) => {
    const endpoint = endpointOf(id, settings, id === chosenId)
    if (endpoint?.baseURL === undefined || !hasKeyOrAddress(endpoint)) return []
    return modelIds(endpoint).map((modelId) => listing(endpoint, modelId))
  })
  if (selected === undefined || listed.some(({ name }) => name === selected)) return listed
  return [listSelected(selected, settings), ...listed]
}

/** What the configuration lists; without that, well-known models, unless the address is somebody else's. */
function modelIds({ settings, knownModels }: Endpoint): string[] {
  const configured = Object.keys(settings.models ?? {})
  return settings.baseURL === undefined ? [...new Set([...configured, ...knownModels])] : configured
}

function listing(endpoint: Endpoint, modelId: string): ModelListing {
  const { contextWindow, images, thoughtLevels } = traitsOf(endpoint, modelId)
  const label = modelSettings(endpoint.settings, modelId).label ?? modelId
  return { name: `${endpoint.id}/${modelId}`, label, contextWindow, images, thoughtLevels }
}

function listSelected(name: string, settings: Settings): ModelListing {
  const { providerId, modelId } = splitName(name)
  const endpoint = endpointOf(providerId, settings, true)
  if (endpoint !== undefined) return listing(endpoint, modelId)
  return { name, label: name, contextWindow: 200_000, images: true, thoughtLevels: [] }
}
