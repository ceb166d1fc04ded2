// The class of a call: whether its body may overlap others.
import { materialize } from '#json/materialize.ts'
import { type Core, findTool, refuseDirectCall, type Viewer } from './core.ts'
import { silence } from './emit.ts'
import type { ToolExecutionInput } from './types.ts'

export type ExecutionMode = 'parallel' | 'exclusive'

/** `parallel` only for a visible tool with valid arguments whose classifier says exactly `true`. Total. */
export function executionMode(core: Core, input: ToolExecutionInput): ExecutionMode {
  try {
    const { name, scope, parent, arguments: given } = input
    const viewer: Viewer = { layer: core.layerOf(scope), nested: parent !== undefined }
    const definition = findTool(core, viewer, name)?.definition
    if (definition?.isConcurrencySafe === undefined || refuseDirectCall(core, viewer, name))
      return 'exclusive'
    const args = materialize(given)
    if (!args.ok || (definition.validate?.(args.value) ?? []).length > 0) return 'exclusive'
    const safe: unknown = definition.isConcurrencySafe(args.value)
    silence(safe)
    return safe === true ? 'parallel' : 'exclusive'
  } catch {
    return 'exclusive'
  }
}
