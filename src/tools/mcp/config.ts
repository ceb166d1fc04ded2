// The servers of a session as one closed union: what an editor sends, and what the configuration holds.
import { isAbsolute } from 'node:path'
import { z } from 'zod'
import { concealAll } from '#config/concealed.ts'

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

/** Who wrote an entry, and what that entitles it to. */
interface Author {
  trust: boolean
  sampling: boolean
  orSse: boolean
}

/** Entries of `session/new`, `load` and `resume`: each has a name, lists of pairs stand for maps. */
export function readEditorServers(entries: unknown): ReadServers {
  if (entries === undefined || entries === null) return { servers: [], problems: [] }
  if (!Array.isArray(entries)) return { servers: [], problems: ['mcpServers must be a list: it is ignored'] }
  return collect(
    entries.map((entry: unknown, index) => {
      const named = z.object({ name: z.string().trim().min(1) }).safeParse(entry)
      if (named.success) return read(named.data.name, entry, { trust: false, sampling: false, orSse: false })
      return `MCP server ${index + 1} has no name: it is left out`
    }),
  )
}

/** `{ name: { command, args, env } | { type, url, headers } }`, with `trust`, `sampling` and `disabled` beside them. */
export function readConfiguredServers(servers: unknown): ReadServers {
  if (servers === undefined || servers === null) return { servers: [], problems: [] }
  const named = z.record(z.string().min(1), z.unknown()).safeParse(servers)
  if (!named.success)
    return { servers: [], problems: ['mcpServers must map names to servers: it is ignored'] }
  const flags = z.object({ trust: z.unknown(), sampling: z.unknown(), disabled: z.unknown() }).partial()
  return collect(
    Object.entries(named.data).flatMap(([name, entry]) => {
      const { trust, sampling, disabled } = flags.safeParse(entry).data ?? {}
      const author = { trust: trust === true, sampling: sampling === true, orSse: true }
      return disabled === true ? [] : [read(name, entry, author)]
    }),
  )
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
    else {
      concealAll(item.type === 'stdio' ? item.env : item.headers)
      servers.set(item.name, item)
    }
  }
  return { servers: [...servers.values()], problems }
}

/** A server, or the sentence that says why it is none. */
function read(name: string, entry: unknown, { orSse, ...granted }: Author): McpServerConfig | string {
  const kind = Kind.safeParse(entry)
  const type = kind.data?.type ?? (kind.data?.url === undefined ? 'stdio' : 'http')
  switch (type) {
    case 'stdio': {
      const stdio = Stdio.safeParse(entry)
      if (!stdio.success) return refusal(name, stdio.error)
      const { cwd, ...rest } = stdio.data
      return { type, name, ...granted, ...rest, ...(cwd !== undefined && { cwd }) }
    }
    case 'http':
    case 'streamable-http':
    case 'streamableHttp': {
      const http = Remote.safeParse(entry)
      return http.success
        ? { type: 'http', name, ...granted, orSse, ...http.data }
        : refusal(name, http.error)
    }
    case 'sse': {
      const sse = Remote.safeParse(entry)
      return sse.success ? { type, name, ...granted, ...sse.data } : refusal(name, sse.error)
    }
    default:
      return `MCP server ${JSON.stringify(name)} is left out: its type ${JSON.stringify(type)} is not supported (stdio, http and sse are)`
  }
}

function refusal(name: string, error: z.ZodError): string {
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'the entry'}: ${message}`)
  return `MCP server ${JSON.stringify(name)} is left out: ${faults.join('; ')}`
}
