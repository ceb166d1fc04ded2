// The registered tools of one server: a whole list at a time, and what has not changed stays as it is.
import { thrownMessage } from '#json/thrown.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import type { Disposer, Scope } from '#registry/scope.ts'
import type { ImportedTool } from './tool-list.ts'

export class Registrations {
  readonly #scope: Scope
  readonly #define: (tool: ImportedTool) => ToolDefinition
  #registered = new Map<string, { identity: string; tool: ImportedTool; remove: Disposer }>()

  constructor(scope: Scope, define: (tool: ImportedTool) => ToolDefinition) {
    this.#scope = scope
    this.#define = define
  }

  /** Makes these the tools, in one go. Returns one sentence for each that the registry refused. */
  swap(tools: readonly ImportedTool[]): string[] {
    const wanted = new Map(tools.map((tool) => [tool.name, { tool, identity: JSON.stringify(tool) }]))
    for (const [name, { identity, remove }] of this.#registered) {
      if (wanted.get(name)?.identity === identity) continue
      remove()
      this.#registered.delete(name)
    }
    return [...wanted].flatMap(([name, { tool, identity }]) => {
      if (this.#registered.has(name)) return []
      try {
        const remove = this.#scope.register(this.#define(tool))
        this.#registered.set(name, { identity, tool, remove })
        return []
      } catch (error) {
        return [`tool ${JSON.stringify(tool.rawName)} was refused: ${thrownMessage(error)}`]
      }
    })
  }

  /** In the order of the server's list as far as it is registered. */
  tools(): ImportedTool[] {
    return [...this.#registered.values()].map(({ tool }) => tool)
  }

  find(name: string): ImportedTool | undefined {
    return this.#registered.get(name)?.tool
  }
}
