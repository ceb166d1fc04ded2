// MCP servers of a session: started beside it, loaded only when there are any.
import type { Log } from '#registry/types.ts'
import type { Scope } from '#registry/scope.ts'
import type { McpServerConfig } from './config.ts'
import type { AskForm } from './host.ts'
import type { McpCommand, McpOrigin, SessionServers } from './session-servers.ts'
import type { McpServerStatus } from './status.ts'
import { targetOf } from './target.ts'
import { TIMING, type Timing } from './timing.ts'

export interface McpServersOptions {
  servers: readonly McpServerConfig[]
  /** Tools are registered here as servers come up. */
  scope: Scope
  /** Absolute. */
  cwd: string
  /** What servers are told when they ask for roots. */
  roots: readonly string[]
  environment: NodeJS.ProcessEnv
  log: Log
  /** Asks the person for servers; absent when nobody can be asked. */
  form?: AskForm
  /** Absolute; credentials are kept below it. */
  stateDirectory: string
  /** Something for the person, once each: a server that failed, tools that were left out, a URL to open. */
  onProblem(message: string): void
  /** Status, tools or commands are others now. */
  onChange?(): void
  version?: string
  timing?: Partial<Timing>
}

export interface McpServers {
  /** Settles when the first try of every server is over, or after so many milliseconds. Never rejects. */
  ready(maxMs: number): Promise<void>
  status(): McpServerStatus[]
  /** The prompts of all servers. */
  commands(): McpCommand[]
  /** Where a tool of this name comes from; undefined for one that is not ours. */
  origin(toolName: string): McpOrigin | undefined
  /** Ends all servers. Settles when no process of theirs is left. */
  dispose(): Promise<void>
}

/** Returns at once: everything slow happens behind it. */
export function createMcpServers(options: McpServersOptions): McpServers {
  let loaded: SessionServers | undefined
  let stopped = false
  const started = options.servers.length === 0 ? Promise.resolve() : start()

  async function start(): Promise<void> {
    try {
      const { SessionServers: Servers } = await import('./session-servers.ts')
      if (stopped) return
      loaded = new Servers(sessionOptions(options))
      await loaded.start()
    } catch (error) {
      options.onProblem(`MCP servers could not be started: ${String(error)}`)
    }
  }

  return {
    ready: async (maxMs) => {
      const late = Promise.withResolvers<void>()
      const timer = setTimeout(late.resolve, maxMs)
      await Promise.race([started, late.promise])
      clearTimeout(timer)
    },
    status: () => loaded?.status() ?? options.servers.map(pending),
    commands: () => loaded?.commands() ?? [],
    origin: (toolName) => loaded?.origin(toolName),
    dispose: async () => {
      stopped = true
      await loaded?.dispose()
      await started
    },
  }
}

function sessionOptions(options: McpServersOptions) {
  const { servers, scope, cwd, roots, environment, log, form, stateDirectory, version = '0' } = options
  return {
    servers,
    scope,
    host: { cwd, roots, environment, log, form, stateDirectory, version },
    timing: { ...TIMING, ...options.timing },
    onProblem: (message: string) => options.onProblem(message),
    onChange: () => options.onChange?.(),
  }
}

function pending(server: McpServerConfig): McpServerStatus {
  return {
    name: server.name,
    type: server.type,
    target: targetOf(server),
    state: 'starting',
    warnings: [],
    tools: [],
    prompts: [],
    resources: false,
    stderr: '',
  }
}
