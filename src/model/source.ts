// Which model is used, and how its code is found. Loads no provider before it is asked for one.
import type { ProviderSettings, Settings } from '#config/settings.ts'
import { ModelError } from './error.ts'
import type { Model, ModelSource } from './port.ts'
import { PROVIDERS, type ProviderRow } from './provider.ts'

const SCRIPTED = 'scripted'
const DEFAULT_IDLE_MS = 5 * 60_000

export interface ModelSourceOptions {
  /** Longest silence of a provider, in milliseconds; default 5 minutes. */
  idleTimeoutMs?: number
}

export interface ConfiguredModelSource extends ModelSource {
  /** Why no model is selected, or why the selected one can't work: a sentence for a person. */
  readonly problem: string | undefined
}

interface Choice {
  selected: string | undefined
  problem: string | undefined
}

/**
 * The chosen model, else the default of the first provider whose key is set. A chosen provider that is unknown or
 * has no address stays selected, so that `load` can say so; one without its key is not. `scripted` has to be chosen.
 */
export function createModelSource(
  settings: Settings,
  options: ModelSourceOptions = {},
): ConfiguredModelSource {
  const choice = choose(settings)
  const idleTimeoutMs = options.idleTimeoutMs ?? DEFAULT_IDLE_MS
  const loaded = new Map<string, Promise<Model>>()
  return {
    ...choice,
    load(name) {
      const known = loaded.get(name)
      if (known !== undefined) return known
      const model = load(name, settings, choice, idleTimeoutMs)
      loaded.set(name, model)
      // A failure is not remembered: the next attempt may find a repaired scenario.
      model.catch(() => loaded.delete(name))
      return model
    },
  }
}

function choose(settings: Settings): Choice {
  if (settings.model !== undefined) return chooseNamed(settings.model, settings)
  for (const row of PROVIDERS) {
    if (row.defaultModel !== undefined && settings.providers[row.id]?.apiKey !== undefined) {
      return { selected: `${row.id}/${row.defaultModel}`, problem: undefined }
    }
  }
  const keys = PROVIDERS.flatMap((row) => row.keyVariable ?? []).join(', ')
  return {
    selected: undefined,
    problem: `No model is set up; set one of ${keys}, or DECKHAND_MODEL with DECKHAND_API_KEY or DECKHAND_BASE_URL.`,
  }
}

function chooseNamed(name: string, settings: Settings): Choice {
  const { providerId } = split(name)
  if (providerId === SCRIPTED) return { selected: name, problem: undefined }
  const row = PROVIDERS.find(({ id }) => id === providerId)
  if (row === undefined) return { selected: name, problem: unknownProvider(name) }
  const { apiKey, baseURL } = { ...settings.providers[row.id], ...settings.chosen }
  if (baseURL === undefined && row.defaultBaseURL === undefined)
    return { selected: name, problem: noAddress(name) }
  if (apiKey === undefined && baseURL === undefined) return { selected: undefined, problem: noKey(name, row) }
  return { selected: name, problem: undefined }
}

async function load(name: string, settings: Settings, choice: Choice, idleTimeoutMs: number): Promise<Model> {
  const { providerId, modelId } = split(name)
  if (modelId === '') throw new ModelError('config', `A model is named provider/model; "${name}" is not.`)
  if (providerId === SCRIPTED) return (await import('./scripted.ts')).loadScripted(modelId, settings.scenario)
  const row = PROVIDERS.find(({ id }) => id === providerId)
  if (row === undefined) throw new ModelError('config', unknownProvider(name))
  const provider = providerSettings(row, settings, choice)
  const baseURL = provider.baseURL ?? row.defaultBaseURL
  if (baseURL === undefined) throw new ModelError('config', noAddress(name))
  if (provider.apiKey === undefined && provider.baseURL === undefined)
    throw new ModelError('auth', noKey(name, row))
  const [{ createModel }, code] = await Promise.all([import('./adapter.ts'), row.load()])
  return createModel({ row, provider: code, modelId, settings: provider, baseURL, idleTimeoutMs })
}

/** The general key and address belong to the selected provider; without one, to whichever is loaded. */
function providerSettings(row: ProviderRow, settings: Settings, { selected }: Choice): ProviderSettings {
  const chosen = selected ?? settings.model
  const own = chosen === undefined || split(chosen).providerId === row.id
  return { ...settings.providers[row.id], ...(own && settings.chosen) }
}

function split(name: string): { providerId: string; modelId: string } {
  const slash = name.indexOf('/')
  return slash < 0
    ? { providerId: '', modelId: '' }
    : { providerId: name.slice(0, slash), modelId: name.slice(slash + 1) }
}

function unknownProvider(name: string): string {
  const known = [...PROVIDERS.map(({ id }) => id), SCRIPTED].join(', ')
  return `There is no provider "${split(name).providerId}" (model "${name}"); known are ${known}.`
}

function noAddress(name: string): string {
  return `The model "${name}" needs DECKHAND_BASE_URL, for example http://localhost:11434/v1.`
}

function noKey(name: string, row: ProviderRow): string {
  const variables = ['DECKHAND_API_KEY', ...(row.keyVariable === undefined ? [] : [row.keyVariable])].join(
    ' or ',
  )
  return `The model "${name}" needs a key; set ${variables}.`
}
