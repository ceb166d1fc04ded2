// Effects: what a call of a known tool does to the world, as policy sees it.
import { isJsonObject, type JsonValue } from '#json/value.ts'

export type Effect =
  /** Only looks, at these paths; `deep`: at the contents of everything below. */
  | { kind: 'read'; paths: string[]; deep: boolean }
  /** Changes these paths; `deep`: with everything below; `recursive`: it ends what is below. */
  | { kind: 'write'; paths: string[]; deep: boolean; recursive: boolean }
  /** Runs a command line, in this directory. */
  | { kind: 'command'; command: string; directory: string }
  /** Touches nothing but the session itself, or asks the person by itself. */
  | { kind: 'session' }
  /** Loads from the host, which is undefined when the address is none. */
  | { kind: 'fetch'; host: string | undefined }
  /** Calls a tool of an MCP server. */
  | { kind: 'mcp' }
  /** Reads a resource of an MCP server. */
  | { kind: 'resource'; server: string | undefined }
  /** Unknown to us: plug-ins, web search. */
  | { kind: 'foreign' }

const SESSION: ReadonlySet<string> = new Set(
  'todo_write task_output task_list task_stop ask_user exit_plan run_code'.split(' '),
)
export const READING_TOOLS: ReadonlySet<string> = new Set(['read', 'glob', 'grep'])
export const WRITING_TOOLS: ReadonlySet<string> = new Set(['write', 'edit', 'delete', 'move'])
const MCP = /^mcp__/

/** Total; paths as the model wrote them, none when it named none. */
export function effectOf(toolName: string, args: JsonValue | undefined): Effect {
  const text = (name: string): string | undefined => textArgument(args, name)
  const paths = (...names: string[]): string[] => names.flatMap((name) => text(name) ?? [])
  switch (toolName) {
    case 'bash':
      return { kind: 'command', command: text('command') ?? '', directory: text('workdir') ?? '.' }
    case 'read':
      return { kind: 'read', paths: paths('file_path'), deep: false }
    case 'glob':
    case 'grep':
      return { kind: 'read', paths: [text('path') ?? '.'], deep: toolName === 'grep' }
    case 'write':
    case 'edit':
      return { kind: 'write', paths: paths('file_path'), deep: false, recursive: false }
    case 'delete': {
      const recursive = isJsonObject(args) && args['recursive'] === true
      return { kind: 'write', paths: paths('path'), deep: recursive, recursive }
    }
    case 'move':
      return { kind: 'write', paths: paths('from', 'to'), deep: true, recursive: false }
    case 'web_fetch':
      return { kind: 'fetch', host: hostOf(text('url')) }
    case 'mcp_read_resource':
      return { kind: 'resource', server: text('server') }
    default:
      if (SESSION.has(toolName)) return { kind: 'session' }
      return { kind: MCP.test(toolName) ? 'mcp' : 'foreign' }
  }
}

/** The paths of files that a call looks at or changes; what a command touches is not among them. */
export function filePaths(effect: Effect): readonly string[] {
  return effect.kind === 'read' || effect.kind === 'write' ? effect.paths : []
}

function textArgument(args: JsonValue | undefined, name: string): string | undefined {
  const value = isJsonObject(args) && Object.hasOwn(args, name) ? args[name] : undefined
  return typeof value === 'string' ? value : undefined
}

/** Lower case, with the port where it isn't the usual one. */
function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  const { protocol, host } = new URL(url)
  return /^https?:$/.test(protocol) && host !== '' ? host.replace(/\.(?=$|:)/, '') : undefined
}
