// The tools of a session in a directory, without the session: built in, of plug-ins, of MCP servers, and Code Mode's.
import type { Configuration } from '#config/configuration.ts'
import type { JsonObject } from '#json/value.ts'
import { loadPlugin } from '#registry/plugin-file.ts'
import { createRegistry, type Registry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import { configuredTools, isWanted } from '#tools/configured.ts'
import { firstPartyTools } from '#tools/index.ts'
import { TIMING } from '#tools/mcp/timing.ts'
import { createWorkspace } from '#workspace/workspace.ts'
import { startConfiguredServers } from './configured-servers.ts'
import type { Host } from './host.ts'

export interface Listed {
  name: string
  description: string
  parameters: JsonObject
  /** `built in`, `MCP server <name>` or `plug-in <path>`. */
  origin: string
}

export interface Toolbox {
  /** What the model is offered under the configured Code Mode. */
  listed: Listed[]
  registry: Registry
  scope: Scope
  /** Ends the servers. */
  dispose(): Promise<void>
}

type Complain = (problem: string) => void

/** Starts the configured servers and waits for them. What does not work is told and is not there. */
export async function openToolbox(
  host: Host,
  configuration: Configuration,
  complain: Complain,
): Promise<Toolbox> {
  const { cwd } = host
  const codeMode = createCodeMode()
  const registry = createRegistry({ transport: codeMode.transport })
  codeMode.attach(registry)
  const scope = registry.scope(undefined, { sessionId: 'tools', cwd, roots: [cwd] })
  const workspace = registerBuiltIn(host, configuration, scope, complain)
  const origins = new Map<string, string>()
  const undo = await registerPlugins(registry, scope, configuration, origins, complain)
  const servers = startConfiguredServers(host, configuration, scope, complain)
  await servers.ready(TIMING.handshake)
  scope.presentAs(configuration.codeMode ?? 'native')
  const listed = registry.presentedSchemas(scope).map(({ name, description, parameters }) => {
    const server = servers.origin(name)?.server
    const origin = server === undefined ? (origins.get(name) ?? 'built in') : `MCP server ${server}`
    return { name, description, parameters, origin }
  })
  const dispose = async (): Promise<void> => {
    for (const end of undo) end()
    await Promise.all([servers.dispose(), codeMode.dispose(), workspace.dispose()])
  }
  return { listed, registry, scope, dispose }
}

function registerBuiltIn(
  { cwd, env }: Host,
  configuration: Configuration,
  scope: Scope,
  complain: Complain,
): ReturnType<typeof createWorkspace> {
  const wanted = isWanted(configuration)
  const workspace = createWorkspace({ cwd, roots: [cwd], environment: env })
  for (const tool of firstPartyTools(workspace, configuredTools(configuration, env, complain)))
    if (wanted(tool.name)) scope.register(tool)
  return workspace
}

/** Notes in `origins` which plug-in each new tool comes from. */
async function registerPlugins(
  registry: Registry,
  scope: Scope,
  { plugins }: Configuration,
  origins: Map<string, string>,
  complain: Complain,
): Promise<(() => void)[]> {
  const undo: (() => void)[] = []
  for (const path of plugins) {
    const before = new Set(registry.schemas(scope).map(({ name }) => name))
    const outcome = await loadPlugin(path, scope)
    if (outcome.ok) undo.push(() => outcome.dispose())
    else complain(outcome.message)
    for (const { name } of registry.schemas(scope))
      if (!before.has(name)) origins.set(name, `plug-in ${path}`)
  }
  return undo
}
