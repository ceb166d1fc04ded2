// Plugins: a module that is handed a deck and plays its cards there; one that fails costs only itself.
import { thrownMessage } from '#json/thrown.ts'
import { defineTool } from './define-tool.ts'
import type { Listeners, WaterfallEvent } from './events.ts'
import type { Disposer, Scope, ScopeFilter, ToolHost } from './scope.ts'

/** What a plugin is given, so that nothing needs to be resolved from its own project. */
export interface Deck {
  readonly defineTool: typeof defineTool
  readonly tools: {
    readonly register: ToolHost['register']
    readonly guard: ToolHost['guard']
    readonly restrict: (filter: ScopeFilter) => Disposer
    readonly on: <E extends WaterfallEvent>(event: E, listener: Listeners[E]) => Disposer
  }
}

export type Plugin = (deck: Deck) => void | Disposer | Promise<void | Disposer>

export type PluginOutcome =
  | { ok: true; name: string; dispose: Disposer }
  /** Everything that it had registered is gone again. */
  | { ok: false; name: string; message: string }

/** The function that a module exports: its default export, or the only one that is a function. */
export function pluginOf(module: unknown): Plugin | undefined {
  if (typeof module === 'function') return module as Plugin
  if (typeof module !== 'object' || module === null) return undefined
  const named = Object.entries(module)
  const byDefault = named.find(([name]) => name === 'default')?.[1]
  if (typeof byDefault === 'function') return byDefault as Plugin
  const functions = named.filter(([, value]) => typeof value === 'function')
  return functions.length === 1 ? (functions[0]?.[1] as Plugin) : undefined
}

/** Runs a plugin's module in a scope. Never rejects; `name` says in messages which plugin it was. */
export async function runPlugin(name: string, module: unknown, scope: Scope): Promise<PluginOutcome> {
  const own = new Set<Disposer>()
  let open = true
  const plugin = pluginOf(module)
  try {
    if (plugin === undefined) throw new TypeError('the module must export one function, (deck) => disposer?')
    const undo: unknown = await plugin(deckOf(scope, own, () => open))
    if (undo !== undefined && typeof undo !== 'function')
      throw new TypeError('a plugin returns nothing or a disposer')
    if (undo !== undefined) own.add(undo as Disposer)
  } catch (thrown) {
    open = false
    disposeAll(own)
    return { ok: false, name, message: `plugin ${name}: ${thrownMessage(thrown)}` }
  }
  return {
    ok: true,
    name,
    dispose: () => {
      open = false
      disposeAll(own)
    },
  }
}

function deckOf(scope: Scope, own: Set<Disposer>, isOpen: () => boolean): Deck {
  const keep =
    <A extends unknown[]>(act: (...args: A) => Disposer): ((...args: A) => Disposer) =>
    (...args) => {
      if (!isOpen()) throw new Error('this plugin has been disposed of')
      const undo = act(...args)
      const disposer = (): void => {
        own.delete(disposer)
        undo()
      }
      own.add(disposer)
      return disposer
    }
  return Object.freeze({
    defineTool,
    tools: Object.freeze({
      register: keep(scope.register),
      guard: keep(scope.guard),
      restrict: keep(scope.restrict),
      on: keep(scope.on) as Deck['tools']['on'],
    }),
  })
}

/** In reverse order; one that throws does not keep the others. */
function disposeAll(own: Set<Disposer>): void {
  for (const undo of [...own].toReversed()) {
    own.delete(undo)
    try {
      undo()
    } catch {
      // Its own mess, and nobody is left to tell.
    }
  }
}
