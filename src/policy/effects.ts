// Effects: what a call of a known tool does to the world, as policy sees it.
import { isJsonObject, type JsonValue } from '#json/value.ts'

export type Effect =
  /** Only looks, at these paths. */
  | { kind: 'read'; paths: string[] }
  /** Changes these paths. */
  | { kind: 'write'; paths: string[] }
  /** Runs a program. */
  | { kind: 'execute' }
  /** Touches nothing but the session itself. */
  | { kind: 'session' }
  /** Unknown to us: MCP, plug-ins. */
  | { kind: 'foreign' }

const PATH_ARGUMENT: Readonly<Record<string, { kind: 'read' | 'write'; argument: string }>> = {
  read: { kind: 'read', argument: 'file_path' },
  glob: { kind: 'read', argument: 'path' },
  grep: { kind: 'read', argument: 'path' },
  write: { kind: 'write', argument: 'file_path' },
  edit: { kind: 'write', argument: 'file_path' },
}

/** Total; paths as the model wrote them, none when it named none. */
export function effectOf(toolName: string, args: JsonValue | undefined): Effect {
  if (toolName === 'bash') return { kind: 'execute' }
  if (toolName === 'todo_write') return { kind: 'session' }
  if (!Object.hasOwn(PATH_ARGUMENT, toolName)) return { kind: 'foreign' }
  const { kind, argument } = PATH_ARGUMENT[toolName] as { kind: 'read' | 'write'; argument: string }
  const path = isJsonObject(args) && Object.hasOwn(args, argument) ? args[argument] : undefined
  return { kind, paths: typeof path === 'string' ? [path] : [] }
}
