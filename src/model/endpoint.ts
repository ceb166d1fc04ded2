// Where the models of a provider are reached: the built-in row, what the configuration says, and the keys.
import type { ApiId, ModelSettings, ProviderSettings, Settings } from '#config/settings.ts'
import type { Api, ModelTraits, ProviderRow } from './provider.ts'
import { APIS, PROVIDERS } from './providers/index.ts'

export interface Endpoint {
  /** Provider id. */
  id: string
  /** As people call it. */
  title: string
  /** The variable that holds its key. */
  keyVariable: string | undefined
  api: Api
  knownModels: readonly string[]
  defaultModel: string | undefined
  /** Undefined: the person has to set one. */
  baseURL: string | undefined
  settings: ProviderSettings
}

/** `own`: whether the general key and address belong to this provider. Undefined for one that nobody knows. */
export function endpointOf(id: string, settings: Settings, own: boolean): Endpoint | undefined {
  const configured: ProviderSettings = { ...settings.providers[id], ...(own && settings.chosen) }
  const builtIn = PROVIDERS.find((row) => row.id === id)
  const api = configured.api === undefined ? builtIn : APIS[configured.api]
  if (api === undefined) return undefined
  const lender = builtIn ?? (configured.api && rowOf(configured.api))
  return {
    id,
    title: configured.label ?? builtIn?.title ?? id,
    keyVariable: configured.keyVariable ?? builtIn?.keyVariable,
    api,
    knownModels: builtIn?.knownModels ?? [],
    defaultModel: builtIn?.defaultModel ?? Object.keys(configured.models ?? {})[0],
    baseURL: configured.baseURL ?? lender?.defaultBaseURL,
    settings: configured,
  }
}

/** Ids of all providers: built in, then configured. */
export function providerIds(settings: Settings): string[] {
  return [...new Set([...PROVIDERS.map(({ id }) => id), ...Object.keys(settings.providers)])]
}

/** Whether it can be asked at all; a provider whose configuration is wrong is not. */
export function hasKeyOrAddress({ settings }: Endpoint): boolean {
  if (settings.fault !== undefined) return false
  return settings.apiKey !== undefined || settings.baseURL !== undefined
}

/** What is assumed about a model, with what the configuration replaces. */
export function traitsOf({ api, settings }: Endpoint, modelId: string): ModelTraits {
  const assumed = api.traits(modelId)
  const own = modelSettings(settings, modelId)
  return {
    ...assumed,
    contextWindow: own.contextWindow ?? settings.contextWindow ?? assumed.contextWindow,
    images: own.images ?? settings.images ?? assumed.images,
    thoughtLevels: own.thoughtLevels ?? assumed.thoughtLevels,
  }
}

export function modelSettings({ models }: ProviderSettings, modelId: string): ModelSettings {
  return models !== undefined && Object.hasOwn(models, modelId) ? (models[modelId] ?? {}) : {}
}

/** The vendor whose API it is lends its address. */
function rowOf(api: ApiId): ProviderRow | undefined {
  return PROVIDERS.find((row) => row.id === api) ?? PROVIDERS.find(({ id }) => api.startsWith(`${id}-`))
}

/** `provider/model` in its parts; both empty when the text has another form. */
export function splitName(name: string): { providerId: string; modelId: string } {
  const slash = name.indexOf('/')
  return slash < 0
    ? { providerId: '', modelId: '' }
    : { providerId: name.slice(0, slash), modelId: name.slice(slash + 1) }
}
