// The servers of one session, all at once: their tools in its scope, their prompts as commands.
import type { ContentBlock } from '#model/content.ts'
import type { Scope } from '#registry/scope.ts'
import type { McpServerConfig } from './config.ts'
import { importedDefinition } from './definition.ts'
import type { ServerHost } from './host.ts'
import { promptArguments, promptContent, promptHint } from './prompts.ts'
import { Registrations } from './registrations.ts'
import { readResourceTool } from './resources.ts'
import { McpServer } from './server.ts'
import type { McpServerStatus } from './status.ts'
import type { Timing } from './timing.ts'
import type { ImportedTool } from './tool-list.ts'

export interface McpCommand {
  /** What stands behind the slash: `mcp:server:prompt`. */
  name: string
  description: string
  /** What may be written behind the name. */
  hint?: string
  /** What the model is to be sent. Rejects with an error whose message is for the person. */
  run(argument: string, signal: AbortSignal): Promise<ContentBlock[]>
}

/** Where a registered tool comes from. */
export interface McpOrigin {
  server: string
  /** The server's own name for it. */
  tool: string
  /** The configuration says that calls of this server need no question. */
  trusted: boolean
}

export interface SessionServersOptions {
  servers: readonly McpServerConfig[]
  scope: Scope
  host: ServerHost
  timing: Timing
  onProblem(message: string): void
  onChange(): void
}

interface Member {
  server: McpServer
  registrations: Registrations
}

export class SessionServers {
  readonly #members: Member[]
  readonly #scope: Scope
  readonly #onChange: () => void
  #readable = false
  #stopped = false

  constructor(options: SessionServersOptions) {
    this.#scope = options.scope
    this.#onChange = options.onChange
    this.#members = options.servers.map((config) => this.#member(config, options))
  }

  /** Starts all of them. Settles when the first try of each is over; never rejects. */
  async start(): Promise<void> {
    await Promise.all(this.#members.map(({ server }) => server.start()))
  }

  status(): McpServerStatus[] {
    return this.#members.map(({ server }) => server.status())
  }

  commands(): McpCommand[] {
    const commands = this.#members.flatMap(({ server }) =>
      server.prompts.map((prompt): McpCommand => {
        const hint = promptHint(prompt)
        return {
          name: `mcp:${typed(server.name)}:${typed(prompt.name)}`,
          description: prompt.description,
          ...(hint !== undefined && { hint }),
          run: async (argument, signal) =>
            promptContent(await server.getPrompt(prompt.name, promptArguments(prompt, argument), signal)),
        }
      }),
    )
    return [...new Map(commands.toReversed().map((command) => [command.name, command])).values()].toReversed()
  }

  origin(toolName: string): McpOrigin | undefined {
    for (const { server, registrations } of this.#members) {
      const tool = registrations.find(toolName)
      if (tool) return { server: server.name, tool: tool.rawName, trusted: server.config.trust }
    }
    return undefined
  }

  async dispose(): Promise<void> {
    this.#stopped = true
    await Promise.all(this.#members.map(({ server }) => server.dispose()))
  }

  #member(config: McpServerConfig, { scope, host, timing, onProblem }: SessionServersOptions): Member {
    const registrations = new Registrations(scope, (tool: ImportedTool) =>
      importedDefinition(config.name, tool, {
        send: (rawName, args, options) => server.call(rawName, args, options),
        warn: (text) => {
          if (server.warn(text)) host.log('warn', `MCP server ${config.name}: ${text}`)
        },
      }),
    )
    const server: McpServer = new McpServer(
      config,
      host,
      {
        tools: (tools) => (this.#stopped ? [] : registrations.swap(tools)),
        problem: onProblem,
        moved: () => this.#moved(),
      },
      timing,
    )
    return { server, registrations }
  }

  #moved(): void {
    if (this.#stopped) return
    const servers = this.#members.map(({ server }) => server)
    if (!this.#readable && servers.some(({ hasResources }) => hasResources)) {
      this.#readable = true
      this.#scope.register(readResourceTool(() => servers))
    }
    this.#onChange()
  }
}

/** As a command can be typed. */
function typed(name: string): string {
  return name.replaceAll(/[^\w-]+/g, '-')
}
