// Scopes: one agent session's layer of tools, rules and listeners over its parent's.
import type { ToolDefinition } from './definition.ts'
import type { Listeners } from './events.ts'
import type { CodeMode, ToolGuard } from './types.ts'

/** Undoes one registration; calling it again does nothing. */
export type Disposer = () => void

/** Facts about the session that everybody may read. */
export interface ScopeInfo {
  readonly sessionId: string
  readonly cwd: string
  readonly roots: readonly string[]
}

/** Names that a scope keeps from, or hides of, what it inherits. */
export interface ScopeFilter {
  allow?: readonly string[]
  deny?: readonly string[]
}

/** What both the registry (for everybody) and a scope (for itself and its descendants) can be told. */
export interface ToolHost {
  /** Throws on a definition that could not be enforced, a reserved name, or a duplicate in this layer. */
  register(definition: ToolDefinition): Disposer
  /** A guard can only deny; it runs after policy has allowed. */
  guard(guard: ToolGuard): Disposer
  on<E extends keyof Listeners>(event: E, listener: Listeners[E]): Disposer
}

export interface Scope extends ToolHost {
  readonly info: ScopeInfo | undefined
  /** Filters what this scope inherits; never its own tools. Throws on an empty filter or a name it can't filter. */
  restrict(filter: ScopeFilter): Disposer
  /** How tools are presented to the model here; once per scope at a time, the nearest wins. */
  presentAs(mode: CodeMode): Disposer
  /** Removes everything that was registered here. */
  dispose(): void
}
