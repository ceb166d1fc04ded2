// A lazy agent: its code is loaded with its first session, so that a client is answered before that.
import type { Agent } from './port.ts'

export interface LazyAgent extends Agent {
  /** Begins to load now, without anybody waiting. */
  warm(): void
}

/** `model` answers without the agent. A failed load is tried again by whoever needs the agent next. */
export function lazyAgent(load: () => Promise<Agent>, model: () => string | undefined): LazyAgent {
  let loading: Promise<Agent> | undefined
  let loaded: Agent | undefined
  const agent = (): Promise<Agent> => {
    loading ??= load().then(
      (ready) => (loaded = ready),
      (thrown: unknown) => {
        loading = undefined
        throw thrown
      },
    )
    return loading
  }
  return {
    get model() {
      return loaded === undefined ? model() : loaded.model
    },
    create: async (options) => (await agent()).create(options),
    open: async (id, options, watch) => (await agent()).open(id, options, watch),
    get: (id) => loaded?.get(id),
    list: async (query) => (await agent()).list(query),
    remove: async (id) => (await agent()).remove(id),
    dispose: async () => (await loading?.catch(() => undefined))?.dispose(),
    warm: () => void agent().catch(() => undefined),
  }
}
