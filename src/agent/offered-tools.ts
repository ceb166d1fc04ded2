// The tools that a session's model is offered: the same at every step, until they change.
import type { ToolSchema } from '#model/port.ts'
import type { Registry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'

export class OfferedTools {
  readonly #registry: Registry
  readonly #scope: Scope
  #schemas: readonly ToolSchema[] | undefined

  /** Watches until the scope is disposed of. */
  constructor(registry: Registry, scope: Scope) {
    this.#registry = registry
    this.#scope = scope
    scope.on('tools/change', () => {
      this.#schemas = undefined
    })
  }

  /** Copies that belong to the session. */
  get schemas(): readonly ToolSchema[] {
    return (this.#schemas ??= this.#registry.presentedSchemas(this.#scope))
  }
}
