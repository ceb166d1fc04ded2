// Composition of the agent: model, store, registry, and the equipment of each session.
import { createAgent } from '#agent/agent.ts'
import type { Equip, EquipInput } from '#agent/options.ts'
import type { Agent } from '#agent/port.ts'
import type { Configuration, ConfiguredLimits, Flags } from '#config/configuration.ts'
import { readStoredKeys } from '#config/keys.ts'
import { loadConfiguration } from '#config/load.ts'
import type { Settings } from '#config/settings.ts'
import { outgoingFetch } from '#model/outgoing-fetch.ts'
import { createModelSource } from '#model/source.ts'
import { describe } from '#policy/grants.ts'
import { installOutputLimit } from '#policy/output-limit.ts'
import { createPlaces } from '#policy/places.ts'
import { installPolicy, type Mode } from '#policy/policy.ts'
import { createGrantStore, type GrantStore } from '#policy/remembered.ts'
import { type CompiledRules, compileRules } from '#policy/rules.ts'
import { installTimeout } from '#policy/timeout.ts'
import { createRegistry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'
import type { Log } from '#registry/types.ts'
import { createSessionStore } from '#session/store.ts'
import { type CodeMode, createCodeMode } from '#tools/code/code-mode.ts'
import { RUN_LIMITS, type RunLimits } from '#tools/code/limits.ts'
import { announceFinishedTasks } from '#tools/bash/announce.ts'
import { configuredTools } from '#tools/configured.ts'
import { firstPartyTools, type ToolOptions } from '#tools/index.ts'
import { configuredWorkspace } from '#workspace/configured.ts'
import { historyFiles } from '#workspace/history-files.ts'
import { readInstructions } from '#workspace/instructions.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { composeServers, trustRules } from './compose-servers.ts'

/** The environment alone, or all that is configured. */
type Configured = Settings & Partial<Configuration>

/** The agent without a bridge. `flags` count again whenever a session reads its project's configuration. */
export function composeAgent(
  settings: Configured,
  env: NodeJS.ProcessEnv,
  log: Log,
  flags: Flags = {},
): Agent {
  const { limits: { idleTimeoutMs, modelRequests, parallel, retries } = {} } = settings
  const codeMode = createCodeMode({ limits: runLimits(settings.limits) })
  const agent = createAgent({
    createRegistry(approval) {
      const registry = createRegistry({ approval, log, transport: codeMode.transport })
      codeMode.attach(registry)
      installTimeout(registry)
      return registry
    },
    models: createModelSource(settings, {
      storedKeys: () => readStoredKeys(settings.paths.state),
      fetch: outgoingFetch(env),
      ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    }),
    store: createSessionStore(settings.paths.state),
    equip: equipper(settings, env, flags, log, codeMode),
    modeId: settings.mode,
    codeMode: settings.codeMode ?? 'native',
    limits: {
      ...(modelRequests !== undefined && { modelRequests }),
      ...(parallel !== undefined && { parallel }),
      ...(retries !== undefined && { retries }),
    },
    warn: (message) => log('warn', message),
  })
  const dispose = agent.dispose.bind(agent)
  agent.dispose = async () => {
    await dispose()
    await codeMode.dispose()
  }
  return agent
}

function runLimits({
  codeTimeoutMs,
  codeWallMs,
  codeMemoryMiB,
  codeOutputBytes,
  codeCalls,
}: ConfiguredLimits = {}): RunLimits {
  return {
    memoryBytes: codeMemoryMiB === undefined ? RUN_LIMITS.memoryBytes : codeMemoryMiB * 1024 * 1024,
    busyMs: codeTimeoutMs ?? RUN_LIMITS.busyMs,
    wallMs: codeWallMs ?? RUN_LIMITS.wallMs,
    outputBytes: codeOutputBytes ?? RUN_LIMITS.outputBytes,
    calls: codeCalls ?? RUN_LIMITS.calls,
  }
}

function equipper(
  settings: Configured,
  env: NodeJS.ProcessEnv,
  flags: Flags,
  log: Log,
  codeMode: CodeMode,
): Equip {
  return (input) => {
    const { scope, cwd, roots, history } = input
    const rules = rulesOf(settings, env, flags, log, input)
    const workspace = configuredWorkspace({ cwd, roots }, settings, env)
    workspace.observations.restore(history.filter((event) => event.type === 'observed'))
    registerTools(
      scope,
      workspace,
      configuredTools(settings, env, (sentence) => log('warn', sentence)),
    )
    const grants = judgeCalls(input, workspace, settings, rules.current, log)
    const mcp = composeServers({ input, paths: settings.paths, env, flags, log })
    return {
      servers: mcp.servers,
      // Asked for before the first step of each turn: from then on the project's file counts as it is now.
      instructions: async () => {
        await Promise.all([rules.read(), mcp.arrived()])
        const parts = [await readInstructions(cwd), codeMode.guide(scope)]
        return parts.filter((part) => part !== '').join('\n\n')
      },
      news: () => {
        mcp.tell()
        return announceFinishedTasks(workspace)
      },
      files: historyFiles(workspace),
      grants: async () => (await grants.list()).map(({ id, entry }) => ({ id, label: describe([entry]) })),
      revoke: (id) => grants.revoke(id),
      dispose: async () => {
        await Promise.all([workspace.dispose(), mcp.dispose()])
      },
    }
  }
}

/** Installs the policy of a session. Returns what "always" has remembered for its project. */
function judgeCalls(
  { scope, cwd, roots, modeId }: EquipInput,
  workspace: Workspace,
  { paths }: Configured,
  rules: () => CompiledRules,
  log: Log,
): GrantStore {
  const realPath = (path: string): Promise<string> => workspace.files.realPath(path)
  const places = createPlaces({
    roots,
    own: [...new Set([paths.state, paths.config])],
    resolve: (path) => workspace.resolve(path),
    realPath,
  })
  const grants = createGrantStore({ state: paths.state, project: cwd, realPath, log })
  installPolicy(scope, { mode: () => modeId() as Mode, places, rules, grants })
  return grants
}

function registerTools(scope: Scope, workspace: Workspace, options: ToolOptions): void {
  for (const tool of firstPartyTools(workspace, options)) scope.register(tool)
  installOutputLimit(scope, workspace.outputs)
}

/** The rules of a session: those of the person, and those of the project as they were at the last `read`. */
function rulesOf(
  settings: Configured,
  env: NodeJS.ProcessEnv,
  flags: Flags,
  log: Log,
  { cwd, mcpServers }: EquipInput,
) {
  let rules = compileRules(settings.permissions ?? {})
  const said = new Set(settings.warnings)
  return {
    current: () => rules,
    async read(): Promise<void> {
      const configuration = await loadConfiguration({ env, cwd, flags })
      const { permissions, warnings } = configuration
      const allow = [...permissions.allow, ...trustRules(mcpServers, configuration)]
      rules = compileRules({ ...permissions, allow })
      for (const problem of [...warnings, ...rules.problems]) {
        if (!said.has(problem)) log('warn', problem)
        said.add(problem)
      }
    },
  }
}
