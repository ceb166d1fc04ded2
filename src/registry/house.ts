// The layers of one registry, and who may change them.
import { type Core, TRANSPORT_NAME } from './core.ts'
import type { ToolDefinition } from './definition.ts'
import { emit, silence } from './emit.ts'
import { Layer, type Roster, type ToolEntry } from './layer.ts'
import { checkName, compileDefinition, compileFilter } from './registration.ts'
import { EVENTS } from './events.ts'
import type { RegistryOptions } from './registry.ts'
import type { Disposer, Scope, ScopeFilter, ScopeInfo, ToolHost } from './scope.ts'
import { thrownMessage } from '#json/thrown.ts'
import type { CodeMode, Log } from './types.ts'

/** Drops what it is told; libraries don't print. */
const silent: Log = () => undefined

export class House {
  readonly core: Core
  readonly #roster: Roster = { order: 0, chains: new WeakMap() }
  readonly #layers = new WeakMap<Scope, Layer>()
  /** `tools/change` is unfiltered: its listeners live apart from the layers whose calls they would see. */
  readonly #watchers = new Layer(undefined, this.#roster)

  constructor({ approval, mode = 'native', transport, log = silent }: RegistryOptions) {
    let compiled = typeof transport === 'function' ? undefined : transport && compileTransport(transport)
    const global = new Layer(undefined, this.#roster)
    this.core = {
      global,
      approval,
      log: guarded(log),
      mode,
      get transport() {
        return (compiled ??= typeof transport === 'function' ? compileTransport(transport()) : undefined)
      },
      layerOf: (scope) => {
        const layer = scope === undefined ? global : this.#layers.get(scope)
        if (layer === undefined) throw new TypeError('the scope does not belong to this registry')
        return layer
      },
    }
    this.#checkMode(mode)
  }

  /** Registration into a layer; `own` collects what has not been disposed of. */
  host(layer: Layer, own = new Set<Disposer>()): ToolHost {
    return {
      register: (definition) => this.#register(layer, definition, own),
      guard: (guard) => {
        if (typeof guard !== 'function') throw new TypeError('a guard must be a function')
        const registered = { guard }
        layer.guards.add(registered)
        return keep(own, () => layer.guards.delete(registered))
      },
      on: (event, listener) => {
        if (!Object.hasOwn(EVENTS, event)) throw new TypeError(`unknown event ${JSON.stringify(event)}`)
        if (typeof listener !== 'function') throw new TypeError(`a listener of ${event} must be a function`)
        const home = event === 'tools/change' ? this.#watchers : layer
        return keep(own, home.addListener(event, listener))
      },
    }
  }

  createScope(parent: Scope | undefined, info: ScopeInfo | undefined): Scope {
    const layer = new Layer(this.core.layerOf(parent), this.#roster)
    const own = new Set<Disposer>()
    const scope: Scope = {
      ...this.host(layer, own),
      info: info && Object.freeze({ ...info, roots: Object.freeze([...info.roots]) }),
      restrict: (filter) => this.#restrict(layer, filter, own),
      presentAs: (mode) => this.#presentAs(layer, mode, own),
      dispose: () => {
        const registered = [...own]
        for (const undo of registered) undo()
      },
    }
    this.#layers.set(scope, layer)
    return scope
  }

  #register(layer: Layer, definition: ToolDefinition, own: Set<Disposer>): Disposer {
    const entry = compileDefinition(definition)
    const { name } = definition
    checkName(layer, name)
    layer.tools.set(name, entry)
    const remove = keep(own, () => {
      layer.tools.delete(name)
      this.#changed()
    })
    try {
      for (const listener of this.#watchers.chain('tools/change')) silence(listener())
    } catch (thrown) {
      remove()
      throw new Error(`tool ${JSON.stringify(name)} was not registered: ${thrownMessage(thrown)}`, {
        cause: thrown,
      })
    }
    return remove
  }

  #restrict(layer: Layer, given: ScopeFilter, own: Set<Disposer>): Disposer {
    const filter = compileFilter(layer, given)
    layer.filters.add(filter)
    this.#changed()
    return keep(own, () => {
      layer.filters.delete(filter)
      this.#changed()
    })
  }

  #presentAs(layer: Layer, mode: CodeMode, own: Set<Disposer>): Disposer {
    if (layer.mode !== undefined) throw new TypeError('this scope says already how its tools are presented')
    this.#checkMode(mode)
    layer.mode = mode
    this.#changed()
    return keep(own, () => {
      layer.mode = undefined
      this.#changed()
    })
  }

  #checkMode(mode: CodeMode): void {
    if (!['native', 'code', 'both'].includes(mode))
      throw new TypeError(`unknown mode ${JSON.stringify(mode)}`)
    if (mode !== 'native' && this.core.transport === undefined) {
      this.core.log(
        'error',
        `mode ${JSON.stringify(mode)} without a transport: the model is offered no way to call tools by program`,
      )
    }
  }

  #changed(): void {
    void emit(this.#watchers, this.core.log, 'tools/change')
  }
}

/** A log that can't hurt: what it throws is lost. */
function guarded(log: Log): Log {
  return (level, message, data) => {
    try {
      silence(log(level, message, data))
    } catch {
      // There is no other place to tell.
    }
  }
}

/** A disposer that works once and is remembered by its owner until then. */
function keep(own: Set<Disposer>, undo: () => void): Disposer {
  const disposer = (): void => {
    if (own.delete(disposer)) undo()
  }
  own.add(disposer)
  return disposer
}

function compileTransport(transport: ToolDefinition): ToolEntry {
  if (transport.name === TRANSPORT_NAME) return compileDefinition(transport)
  throw new TypeError(`the transport must be named ${JSON.stringify(TRANSPORT_NAME)}`)
}
