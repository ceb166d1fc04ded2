// The servers of a session as one closed union: what an editor sends, which is checked here, and what is configured.
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { concealAll } from '#config/concealed.ts'
import type { McpServer } from '#config/configuration.ts'

interface Named {
  readonly name: string
  /** Only the configuration may say so: calls of this server are not asked about. */
  readonly trust: boolean
  /** Only the configuration may say so: this server may ask the model. */
  readonly sampling: boolean
}
export interface StdioServer extends Named {
  readonly type: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where it runs, absolute; default: the session's directory. */
  readonly cwd?: string
}
export interface HttpServer extends Named {
  readonly type: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** SSE is tried when streamable HTTP is refused: a configuration may leave the transport open. */
  readonly orSse: boolean
}
export interface SseServer extends Named {
  readonly type: 'sse'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}
export type RemoteServer = HttpServer | SseServer
export type McpServerConfig = StdioServer | RemoteServer

export interface ReadServers {
  servers: McpServerConfig[]
  /** One sentence for each entry that was left out, with its name. */
  problems: string[]
}

const Scalar = z.union([z.string(), z.number(), z.boolean()]).transform(String)
const Pairs = z
  .union([
    z.record(z.string(), Scalar),
    z
      .array(z.object({ name: z.string().min(1), value: Scalar }))
      .transform((pairs) => Object.fromEntries(pairs.map(({ name, value }) => [name, value]))),
  ])
  .nullish()
  .transform((pairs) => pairs ?? {})
const Stdio = z.object({
  command: z.string().trim().min(1),
  args: z
    .array(Scalar)
    .nullish()
    .transform((args) => args ?? []),
  env: Pairs,
  cwd: z
    .string()
    .refine((cwd) => isAbsolute(cwd), 'must be an absolute path')
    .optional(),
})
const Remote = z.object({
  url: z.string().refine((url) => /^https?:/i.test(url) && URL.canParse(url), 'must be an http or https URL'),
  headers: Pairs,
})
const Kind = z.object({ type: z.string().nullish(), url: z.unknown().optional() })

/** Entries of `session/new`, `load` and `resume`: each has a name, lists of pairs stand for maps. */
export function readEditorServers(entries: unknown): ReadServers {
  if (entries === undefined || entries === null) return { servers: [], problems: [] }
  if (!Array.isArray(entries)) return { servers: [], problems: ['mcpServers must be a list: it is ignored'] }
  return collect(
    entries.map((entry: unknown, index) => {
      const named = z.object({ name: z.string().trim().min(1) }).safeParse(entry)
      if (named.success) return read(named.data.name, entry)
      return `MCP server ${index + 1} has no name: it is left out`
    }),
  )
}

/** The configuration has been checked where it was read. It may leave the transport of an address open. */
export function configuredServers(servers: Readonly<Record<string, McpServer>>): McpServerConfig[] {
  return Object.entries(servers).map(([name, server]) => concealed(configured(name, server)))
}

function configured(name: string, server: McpServer): McpServerConfig {
  if (server.type === 'stdio') return { name, ...server }
  const { type, ...remote } = server
  return type === 'sse' ? { type, name, ...remote } : { type, name, orSse: true, ...remote }
}

/** All of both; of two with the same name the editor's. */
export function mergeServers(
  editor: readonly McpServerConfig[],
  configured: readonly McpServerConfig[],
): McpServerConfig[] {
  const taken = new Set(editor.map(({ name }) => name))
  return [...editor, ...configured.filter(({ name }) => !taken.has(name))]
}

function collect(read: readonly (McpServerConfig | string)[]): ReadServers {
  const servers = new Map<string, McpServerConfig>()
  const problems: string[] = []
  for (const item of read) {
    if (typeof item === 'string') problems.push(item)
    else if (servers.has(item.name))
      problems.push(`two MCP servers are called ${JSON.stringify(item.name)}: the second is left out`)
    else servers.set(item.name, concealed(item))
  }
  return { servers: [...servers.values()], problems }
}

/** Its secrets are shown nowhere from now on. */
function concealed(server: McpServerConfig): McpServerConfig {
  concealAll(server.type === 'stdio' ? server.env : server.headers)
  return server
}

/** An editor may neither trust a server nor let it ask the model, and it names the transport. */
const EDITOR = { trust: false, sampling: false }

/** A server, or the sentence that says why it is none. */
function read(name: string, entry: unknown): McpServerConfig | string {
  const kind = Kind.safeParse(entry)
  const type = kind.data?.type ?? (kind.data?.url === undefined ? 'stdio' : 'http')
  switch (type) {
    case 'stdio': {
      const stdio = Stdio.safeParse(entry)
      if (!stdio.success) return refusal(name, stdio.error)
      const { cwd, ...rest } = stdio.data
      return { type, name, ...EDITOR, ...rest, ...(cwd !== undefined && { cwd }) }
    }
    case 'http':
    case 'streamable-http':
    case 'streamableHttp': {
      const http = Remote.safeParse(entry)
      return http.success
        ? { type: 'http', name, ...EDITOR, orSse: false, ...http.data }
        : refusal(name, http.error)
    }
    case 'sse': {
      const sse = Remote.safeParse(entry)
      return sse.success ? { type, name, ...EDITOR, ...sse.data } : refusal(name, sse.error)
    }
    default:
      return `MCP server ${JSON.stringify(name)} is left out: its type ${JSON.stringify(type)} is not supported (stdio, http and sse are)`
  }
}

function refusal(name: string, error: z.ZodError): string {
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'the entry'}: ${message}`)
  return `MCP server ${JSON.stringify(name)} is left out: ${faults.join('; ')}`
}
