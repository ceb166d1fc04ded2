// What every stage of the pipeline may use of the registry.
import { ToolNotFoundError } from './errors.ts'
import type { Layer, ToolEntry } from './layer.ts'
import type { ApprovalService, CodeMode, Log, ScopeKey } from './types.ts'

/** The name of the Code Mode transport; reserved whatever the mode. */
export const TRANSPORT_NAME = 'run_code'

export interface Core {
  readonly global: Layer
  readonly approval: ApprovalService | undefined
  readonly log: Log
  readonly mode: CodeMode
  readonly transport: ToolEntry | undefined
  /** Throws a `TypeError` for a scope of another registry. */
  layerOf(scope: ScopeKey | undefined): Layer
}

/** Who is looking for a tool: nested calls (with a parent) never see the transport. */
export interface Viewer {
  readonly layer: Layer
  readonly nested: boolean
}

/** The tool that a caller reaches under this name, the transport included. */
export function findTool(core: Core, viewer: Viewer, name: string): ToolEntry | undefined {
  if (name !== TRANSPORT_NAME) return viewer.layer.find(name)
  return !viewer.nested && viewer.layer.presentation(core.mode) !== 'native' ? core.transport : undefined
}

/** The refusal of a direct native call in Code Mode; undefined when the call may go on. */
export function refuseDirectCall(core: Core, viewer: Viewer, name: string): ToolNotFoundError | undefined {
  const direct = !viewer.nested && name !== TRANSPORT_NAME && viewer.layer.presentation(core.mode) === 'code'
  if (!direct) return undefined
  const visible = viewer.layer.find(name) !== undefined
  return new ToolNotFoundError(
    name,
    visible ? `call it inside ${TRANSPORT_NAME}, as tools.${name}(…)` : undefined,
  )
}
