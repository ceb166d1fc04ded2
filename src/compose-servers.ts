// Composition of a session's MCP servers: those of the client, and those that are configured for its directory.
import type { AskForm } from '#registry/form.ts'
import type { EquipInput } from '#agent/options.ts'
import type { SessionServers } from '#agent/port.ts'
import { untilAborted } from '#model/until-aborted.ts'
import type { Configuration } from '#config/configuration.ts'
import { ModelError } from '#model/error.ts'
import { outgoingFetch } from '#model/outgoing-fetch.ts'
import type { Model } from '#model/port.ts'
import type { Log } from '#registry/types.ts'
import type { Sample } from '#tools/mcp/host.ts'
import { createMcpServers, type McpServers } from '#tools/mcp/mcp-servers.ts'
import { serverSegment } from '#tools/mcp/names.ts'

/** The longest that the first turn, or a command, waits for servers that are still starting, in milliseconds. */
const FIRST_WAIT_MS = 2000

type Configured = Pick<Configuration, 'mcpServers'>

export interface ServersContext {
  input: Pick<EquipInput, 'scope' | 'cwd' | 'roots' | 'mcpServers' | 'notice'>
  /** As it is for the session's directory. */
  configuration: Pick<Configuration, 'mcpServers' | 'paths'>
  env: NodeJS.ProcessEnv
  log: Log
  /** The model that servers may ask where that is configured. */
  loadModel(): Promise<Model>
}

export interface ComposedServers {
  servers: SessionServers
  /** For the beginning of a turn: the first waits for servers that are still starting. Never rejects. */
  arrived(): Promise<void>
  /** Tells the person what has gone wrong since the last time; once each. */
  tell(): void
  dispose(): Promise<void>
}

export function composeServers(context: ServersContext): ComposedServers {
  const { input, configuration, env, log, loadModel } = context
  const { scope, cwd, roots, mcpServers } = input
  const client = new ClientSide()
  const problem = (message: string): void => {
    log('warn', message)
    client.untold.push(message)
  }
  const tell = (): void => client.tell(input)
  const running = createMcpServers({
    servers: serversOf(mcpServers, configuration, problem),
    scope,
    cwd,
    roots,
    environment: env,
    log,
    fetch: outgoingFetch(env),
    form: () => client.form,
    sample: sampler(loadModel),
    stateDirectory: configuration.paths.state,
    onProblem: problem,
    onChange: () => client.changed(),
  })
  let waits = true
  const ready = async (): Promise<void> => {
    if (waits) await running.ready(FIRST_WAIT_MS)
    waits = false
  }
  return {
    servers: client.servers(running, ready),
    arrived: async () => {
      await ready()
      tell()
    },
    tell,
    dispose: () => running.dispose(),
  }
}

/** Characters that stand for a token: the model port takes no limit, so an answer is cut at about that length. */
const TOKEN_CHARACTERS = 4

/** One request to the model that is selected then; what it costs is in no session's account. */
function sampler(loadModel: () => Promise<Model>): Sample {
  return async ({ system = '', messages, maxTokens = Infinity }, outer) => {
    const model = await loadModel()
    const enough = new AbortController()
    const signal = AbortSignal.any([outer, enough.signal])
    const answer = { text: '', model: `${model.provider}/${model.id}`, cut: false }
    const most = maxTokens * TOKEN_CHARACTERS
    try {
      for await (const event of untilAborted(model.stream({ system, messages, tools: [], signal }), signal)) {
        if (event.type === 'text') answer.text += event.text
        if (event.type === 'finish' && event.reason === 'refusal')
          throw new ModelError('protocol', `${answer.model} refused.`)
        if (event.type === 'finish') answer.cut = event.reason === 'length'
        if (answer.text.length > most)
          return { ...answer, text: answer.text.slice(0, most).toWellFormed(), cut: true }
      }
      return answer
    } finally {
      enough.abort()
    }
  }
}

/** What the client has told us, and wants to be told. */
class ClientSide {
  form: AskForm | undefined
  /** What has gone wrong since the person was told. */
  readonly untold: string[] = []
  readonly #listeners = new Set<() => void>()

  tell(input: Pick<EquipInput, 'notice'>): void {
    for (const message of this.untold.splice(0)) input.notice(message)
  }

  changed(): void {
    for (const listener of this.#listeners) listener()
  }

  servers(running: McpServers, ready: () => Promise<void>): SessionServers {
    return {
      ready,
      status: () => running.status(),
      commands: () => running.commands(),
      onChange: (listener) => {
        this.#listeners.add(listener)
        return () => this.#listeners.delete(listener)
      },
      setForm: (form) => (this.form = form),
    }
  }
}

async function serversOf(
  entries: readonly unknown[],
  { mcpServers }: Configured,
  problem: (message: string) => void,
) {
  if (entries.length === 0 && Object.keys(mcpServers).length === 0) return []
  const { configuredServers, mergeServers, readEditorServers } = await import('#tools/mcp/config.ts')
  const editor = readEditorServers(entries)
  for (const message of editor.problems) problem(message)
  return mergeServers(editor.servers, configuredServers(mcpServers))
}

/**
 * Allow rules for the tools and resources of the servers that the configuration trusts; one that the client replaces
 * is not trusted.
 */
export async function trustRules(entries: readonly unknown[], configuration: Configured): Promise<string[]> {
  if (!Object.values(configuration.mcpServers).some(({ trust }) => trust)) return []
  const servers = await serversOf(entries, configuration, () => undefined)
  return servers.filter(({ trust }) => trust).flatMap(({ name }) => rulesFor(name))
}

/** A rule drops the blanks around a name, and would then be about another server. */
function rulesFor(name: string): string[] {
  const tools = `mcp(${serverSegment(name)}/*)`
  return name.trim() === name ? [tools, `mcp_read_resource(${name})`] : [tools]
}
