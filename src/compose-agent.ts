// Composition of the agent: model, store, registry, and the equipment of each session.
import { createAgent } from '#agent/agent.ts'
import type { Equip } from '#agent/options.ts'
import type { Agent } from '#agent/port.ts'
import type { Settings } from '#config/settings.ts'
import { createModelSource } from '#model/source.ts'
import { createPlaces } from '#policy/places.ts'
import { installPolicy, type Mode } from '#policy/policy.ts'
import { installTimeout } from '#policy/timeout.ts'
import { createRegistry } from '#registry/registry.ts'
import type { Log } from '#registry/types.ts'
import { createSessionStore } from '#session/store.ts'
import { firstPartyTools } from '#tools/index.ts'
import { historyFiles } from '#workspace/history-files.ts'
import { readInstructions } from '#workspace/instructions.ts'
import { createWorkspace } from '#workspace/workspace.ts'

/** The agent without a bridge. */
export function composeAgent(settings: Settings, env: NodeJS.ProcessEnv, log: Log): Agent {
  return createAgent({
    createRegistry(approval) {
      const registry = createRegistry({ approval, log })
      installTimeout(registry)
      return registry
    },
    models: createModelSource(settings),
    store: createSessionStore(settings.paths.state),
    equip: equipper(settings, env),
    modeId: settings.mode,
    warn: (message) => log('warn', message),
  })
}

function equipper(settings: Settings, env: NodeJS.ProcessEnv): Equip {
  return ({ scope, cwd, roots, history, modeId }) => {
    const workspace = createWorkspace({ cwd, roots, environment: env })
    workspace.observations.restore(history.filter((event) => event.type === 'observed'))
    for (const tool of firstPartyTools(workspace)) scope.register(tool)
    const places = createPlaces({
      roots,
      own: [...new Set([settings.paths.state, settings.paths.config])],
      resolve: (path) => workspace.resolve(path),
      realPath: (path) => workspace.files.realPath(path),
    })
    installPolicy(scope, { mode: () => modeId() as Mode, places })
    return {
      instructions: () => readInstructions(cwd),
      news: () => [],
      files: historyFiles(workspace),
      grants: async () => [],
      revoke: async () => false,
      dispose: async () => undefined,
    }
  }
}
