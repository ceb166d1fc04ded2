// MCP servers of a session: started beside it, loaded only when there are any.
import type { AskForm } from '#registry/form.ts'
import type { Log } from '#registry/types.ts'
import type { Scope } from '#registry/scope.ts'
import type { McpServerConfig } from './config.ts'
import type { Sample } from './host.ts'
import type { McpCommand, McpOrigin, SessionServers } from './session-servers.ts'
import type { McpServerStatus } from './status.ts'
import { targetOf } from './target.ts'
import { TIMING, type Timing } from './timing.ts'

export interface McpServersOptions {
  /** A promise where they have to be read first; its rejection is told as a problem. */
  servers: readonly McpServerConfig[] | Promise<readonly McpServerConfig[]>
  /** Tools are registered here as servers come up. */
  scope: Scope
  /** Absolute. */
  cwd: string
  /** What servers are told when they ask for roots. */
  roots: readonly string[]
  environment: NodeJS.ProcessEnv
  log: Log
  /** Who asks the person for servers, at the time that one is connected; undefined when nobody can be asked. */
  form?(): AskForm | undefined
  /** Asks the model for the servers that are configured for it; absent: all of them are declined. */
  sample?: Sample
  /** How requests to remote servers leave; default: the global one. */
  fetch?: typeof globalThis.fetch
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
  let known: readonly McpServerConfig[] = 'then' in options.servers ? [] : options.servers
  const started = start()

  async function start(): Promise<void> {
    try {
      known = await options.servers
      if (known.length === 0 || stopped) return
      const { SessionServers: Servers } = await import('./session-servers.ts')
      if (stopped) return
      loaded = new Servers(sessionOptions(options, known))
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
    status: () => loaded?.status() ?? known.map(pending),
    commands: () => loaded?.commands() ?? [],
    origin: (toolName) => loaded?.origin(toolName),
    dispose: async () => {
      stopped = true
      await loaded?.dispose()
      await started
    },
  }
}

function sessionOptions(options: McpServersOptions, servers: readonly McpServerConfig[]) {
  const { scope, cwd, roots, environment, log, stateDirectory, version = '0' } = options
  const { fetch = globalThis.fetch, sample } = options
  const form = (): AskForm | undefined => options.form?.()
  return {
    servers,
    scope,
    host: { cwd, roots, environment, log, form, fetch, stateDirectory, version, ...(sample && { sample }) },
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
