// The models of this process: which one is used, and how its code is found. Loads no provider before it is asked for one.
import type { Secret } from '#config/secret.ts'
import type { ProviderSettings, Settings } from '#config/settings.ts'
import { choose, noAddress, noKey, SCRIPTED, unknownProvider } from './choice.ts'
import { endpointOf, hasKeyOrAddress, splitName } from './endpoint.ts'
import { ModelError } from './error.ts'
import { listModels } from './listing.ts'
import type { LoadOptions, Model, ModelListing, ModelSource } from './port.ts'

export const DEFAULT_IDLE_MS = 5 * 60_000

export interface ModelSourceOptions {
  /** Longest silence of a provider, in milliseconds; default 5 minutes. */
  idleTimeoutMs?: number
  /** Keys that `login` stored, by provider id; asked for again each time, because a login may happen meanwhile. */
  storedKeys?: () => Readonly<Record<string, Secret>>
  /** How requests leave; default the global `fetch`. */
  fetch?: typeof globalThis.fetch
}

export interface ConfiguredModelSource extends ModelSource {
  /** Why no model is selected, or why the selected one can't work: a sentence for a person. */
  readonly problem: string | undefined
}

export function createModelSource(
  settings: Settings,
  options: ModelSourceOptions = {},
): ConfiguredModelSource {
  return new Models(settings, options)
}

class Models implements ConfiguredModelSource {
  readonly #settings: Settings
  readonly #options: ModelSourceOptions
  readonly #loaded = new Map<string, Promise<Model>>()

  constructor(settings: Settings, options: ModelSourceOptions) {
    this.#settings = settings
    this.#options = options
  }

  get selected(): string | undefined {
    return choose(this.#current()).selected
  }

  get problem(): string | undefined {
    return choose(this.#current()).problem
  }

  get small(): string | undefined {
    const { smallModel } = this.#settings
    if (smallModel === undefined) return undefined
    const { providerId } = splitName(smallModel)
    if (providerId === SCRIPTED) return smallModel
    const settings = this.#current()
    const endpoint = endpointOf(providerId, settings, ownsGeneral(providerId, settings))
    return endpoint?.baseURL !== undefined && hasKeyOrAddress(endpoint) ? smallModel : undefined
  }

  models(): readonly ModelListing[] {
    const settings = this.#current()
    return listModels(settings, choose(settings).selected)
  }

  load(name: string, { thoughtLevel }: LoadOptions = {}): Promise<Model> {
    const settings = this.#current()
    const { providerId } = splitName(name)
    const key = JSON.stringify([name, thoughtLevel, settings.providers[providerId]?.apiKey?.reveal()])
    const known = this.#loaded.get(key)
    if (known !== undefined) return known
    const model = this.#load(name, settings, thoughtLevel)
    this.#loaded.set(key, model)
    // A failure is not remembered: the next attempt may find a repaired scenario.
    model.catch(() => this.#loaded.delete(key))
    return model
  }

  async #load(name: string, settings: Settings, thoughtLevel: LoadOptions['thoughtLevel']): Promise<Model> {
    const { providerId, modelId } = splitName(name)
    if (modelId === '') throw new ModelError('config', `A model is named provider/model; "${name}" is not.`)
    if (providerId === SCRIPTED) {
      return (await import('./scripted.ts')).loadScripted(modelId, settings.scenario)
    }
    const endpoint = endpointOf(providerId, settings, ownsGeneral(providerId, settings))
    if (endpoint === undefined) throw new ModelError('config', unknownProvider(name, settings))
    const { baseURL } = endpoint
    if (baseURL === undefined) throw new ModelError('config', noAddress(name))
    if (!hasKeyOrAddress(endpoint)) throw new ModelError('auth', noKey(name, endpoint))
    const [{ createModel }, connect] = await Promise.all([import('./adapter.ts'), endpoint.api.load()])
    const { idleTimeoutMs = DEFAULT_IDLE_MS, fetch = globalThis.fetch } = this.#options
    return createModel({ endpoint, connect, modelId, baseURL, idleTimeoutMs, fetch, thoughtLevel })
  }

  /** The settings with stored keys where the environment has none. */
  #current(): Settings {
    const stored = Object.entries(this.#options.storedKeys?.() ?? {})
    if (stored.length === 0) return this.#settings
    const providers: Record<string, ProviderSettings> = { ...this.#settings.providers }
    for (const [id, apiKey] of stored) providers[id] = { apiKey, ...providers[id] }
    return { ...this.#settings, providers }
  }
}

/** The general key and address belong to the selected provider; without one, to whichever is loaded. */
function ownsGeneral(providerId: string, settings: Settings): boolean {
  const chosen = choose(settings).selected ?? settings.model
  return chosen === undefined || splitName(chosen).providerId === providerId
}
