// Composition of the agent: model, store, registry, and the equipment of each session.
import { createAgent } from '#agent/agent.ts'
import type { Equip } from '#agent/options.ts'
import type { Agent } from '#agent/port.ts'
import type { Configuration, ConfiguredLimits, Flags } from '#config/configuration.ts'
import { readStoredKeys } from '#config/keys.ts'
import { loadConfiguration } from '#config/load.ts'
import type { Settings } from '#config/settings.ts'
import { outgoingFetch } from '#model/outgoing-fetch.ts'
import { createModelSource } from '#model/source.ts'
import { describe } from '#policy/grants.ts'
import { createPlaces } from '#policy/places.ts'
import { installPolicy, type Mode } from '#policy/policy.ts'
import { createGrantStore } from '#policy/remembered.ts'
import { compileRules } from '#policy/rules.ts'
import { installTimeout } from '#policy/timeout.ts'
import { createRegistry } from '#registry/registry.ts'
import type { Log } from '#registry/types.ts'
import { createSessionStore } from '#session/store.ts'
import { type CodeMode, createCodeMode } from '#tools/code/code-mode.ts'
import { RUN_LIMITS, type RunLimits } from '#tools/code/limits.ts'
import { firstPartyTools } from '#tools/index.ts'
import { historyFiles } from '#workspace/history-files.ts'
import { readInstructions } from '#workspace/instructions.ts'
import { createWorkspace } from '#workspace/workspace.ts'

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
  return ({ scope, cwd, roots, history, modeId }) => {
    const rules = rulesOf(settings, env, flags, log, cwd)
    const workspace = createWorkspace({ cwd, roots, environment: env })
    workspace.observations.restore(history.filter((event) => event.type === 'observed'))
    for (const tool of firstPartyTools(workspace)) scope.register(tool)
    const places = createPlaces({
      roots,
      own: [...new Set([settings.paths.state, settings.paths.config])],
      resolve: (path) => workspace.resolve(path),
      realPath: (path) => workspace.files.realPath(path),
    })
    const grants = createGrantStore({
      state: settings.paths.state,
      project: cwd,
      realPath: (path) => workspace.files.realPath(path),
      log,
    })
    installPolicy(scope, { mode: () => modeId() as Mode, places, rules: rules.current, grants })
    return {
      // Asked for before the first step of each turn: from then on the project's file counts as it is now.
      instructions: async () => {
        await rules.read()
        const parts = [await readInstructions(cwd), codeMode.guide(scope)]
        return parts.filter((part) => part !== '').join('\n\n')
      },
      news: () => [],
      files: historyFiles(workspace),
      grants: async () => (await grants.list()).map(({ id, entry }) => ({ id, label: describe([entry]) })),
      revoke: (id) => grants.revoke(id),
      dispose: async () => undefined,
    }
  }
}

/** The rules of a session: those of the person, and those of the project as they were at the last `read`. */
function rulesOf(settings: Configured, env: NodeJS.ProcessEnv, flags: Flags, log: Log, cwd: string) {
  let rules = compileRules(settings.permissions ?? {})
  const said = new Set(settings.warnings)
  return {
    current: () => rules,
    async read(): Promise<void> {
      const { permissions, warnings } = await loadConfiguration({ env, cwd, flags })
      rules = compileRules(permissions)
      for (const problem of [...warnings, ...rules.problems]) {
        if (!said.has(problem)) log('warn', problem)
        said.add(problem)
      }
    },
  }
}
