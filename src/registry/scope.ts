// placeholder types until the registry is written
import type { ToolDefinition } from './definition.ts'
import type { CodeMode, ToolGuard } from './types.ts'
import type { Listeners } from './events.ts'
export type Disposer = () => void
export interface ScopeInfo {
  readonly sessionId: string
  readonly cwd: string
  readonly roots: readonly string[]
}
/** One agent session's layer over its parent's (or the global one). */
export interface Scope {
  readonly info: ScopeInfo | undefined
  register(definition: ToolDefinition): Disposer
  restrict(filter: { allow?: readonly string[]; deny?: readonly string[] }): Disposer
  guard(guard: ToolGuard): Disposer
  presentAs(mode: CodeMode): Disposer
  on<E extends keyof Listeners>(event: E, listener: Listeners[E]): Disposer
  dispose(): void
}
