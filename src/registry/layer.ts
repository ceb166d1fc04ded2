// A layer: what one scope, or the whole registry, has registered; and what is visible through a chain of them.
import type { Validator } from '#json/validate.ts'
import type { ToolSchema } from '#model/port.ts'
import type { ToolDefinition } from './definition.ts'
import type { Listeners } from './events.ts'
import type { CodeMode, ToolGuard } from './types.ts'

/** A registered tool with what was computed once for it. */
export interface ToolEntry {
  readonly definition: ToolDefinition
  /** The model's fields as they were at registration. */
  readonly schema: ToolSchema
  readonly checkOutput: Validator
}

export interface Filter {
  readonly allow: ReadonlySet<string> | undefined
  readonly deny: ReadonlySet<string>
}

interface Registered {
  readonly order: number
  readonly listener: unknown
}

/** What the layers of one registry share: the order of listeners, and chains that hold until any of them changes. */
export interface Roster {
  order: number
  chains: WeakMap<Layer, Map<keyof Listeners, unknown[]>>
}

export class Layer {
  readonly parent: Layer | undefined
  readonly tools = new Map<string, ToolEntry>()
  readonly filters = new Set<Filter>()
  readonly guards = new Set<{ readonly guard: ToolGuard }>()
  mode: CodeMode | undefined
  readonly #roster: Roster
  readonly #listeners = new Map<keyof Listeners, Set<Registered>>()

  constructor(parent: Layer | undefined, roster: Roster) {
    this.parent = parent
    this.#roster = roster
  }

  /** From this layer to the global one. */
  *upwards(): Generator<Layer> {
    for (let layer: Layer | undefined = this; layer !== undefined; layer = layer.parent) yield layer
  }

  /** The nearest registration of the name, unless a filter on the way hides it. */
  find(name: string): ToolEntry | undefined {
    for (let layer: Layer | undefined = this; layer !== undefined; layer = layer.parent) {
      const entry = layer.tools.get(name)
      if (entry !== undefined) return entry
      for (const filter of layer.filters) if (!lets(filter, name)) return undefined
    }
    return undefined
  }

  /** All visible tools, those of far layers first, in the order of registration. */
  visible(): Map<string, ToolEntry> {
    const names = new Set([...this.upwards()].toReversed().flatMap((layer) => [...layer.tools.keys()]))
    const found = new Map<string, ToolEntry>()
    for (const name of names) {
      const entry = this.find(name)
      if (entry !== undefined) found.set(name, entry)
    }
    return found
  }

  addListener<E extends keyof Listeners>(event: E, listener: Listeners[E]): () => void {
    const registered: Registered = { order: (this.#roster.order += 1), listener }
    const set = this.#listeners.get(event) ?? new Set<Registered>()
    this.#listeners.set(event, set.add(registered))
    this.#roster.chains = new WeakMap()
    return () => {
      set.delete(registered)
      this.#roster.chains = new WeakMap()
    }
  }

  /** Listeners that see a call of this layer, in the order of their registration wherever that was. */
  chain<E extends keyof Listeners>(event: E): readonly Listeners[E][] {
    let chains = this.#roster.chains.get(this)
    if (chains === undefined) this.#roster.chains.set(this, (chains = new Map()))
    const cached = chains.get(event)
    if (cached !== undefined) return cached as Listeners[E][]
    const all = [...this.upwards()].flatMap((layer) => [...(layer.#listeners.get(event) ?? [])])
    const chain = all.toSorted((a, b) => a.order - b.order).map((registered) => registered.listener)
    chains.set(event, chain)
    return chain as Listeners[E][]
  }

  /** How tools are presented here: the nearest layer that says so. */
  presentation(fallback: CodeMode): CodeMode {
    for (const layer of this.upwards()) if (layer.mode !== undefined) return layer.mode
    return fallback
  }
}

function lets(filter: Filter, name: string): boolean {
  return (filter.allow === undefined || filter.allow.has(name)) && !filter.deny.has(name)
}
