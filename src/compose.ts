// Composition: configuration → agent → bridge, over one client's streams.
import type { Readable, Writable } from 'node:stream'
import { lazyAgent } from '#agent/lazy-agent.ts'
import type { Agent } from '#agent/port.ts'
import type { Auth, Login } from '#bridge/auth.ts'
import { createBridge } from '#bridge/bridge.ts'
import { createEditorFiles, type EditorFiles } from '#bridge/editor-files.ts'
import type { Configuration, Flags } from '#config/configuration.ts'
import { forgetKeys, readStoredKeys } from '#config/keys.ts'
import { loadConfiguration } from '#config/load.ts'
import { type ConfiguredModelSource, createModelSource } from '#model/source.ts'
import type { Log } from '#registry/types.ts'

export interface StartOptions {
  input: Readable
  output: Writable
  env: NodeJS.ProcessEnv
  version: string
  log: Log
  /** What a command line says; it wins over files and environment. */
  flags?: Flags
  /** How a person logs in from a terminal; absent: nobody is offered that. */
  login?: Login
}

export interface RunningAgent {
  /** Settles when the client has gone. */
  closed: Promise<void>
  /** Ends turns, commits their results, kills what runs, flushes. */
  dispose(): Promise<void>
}

/** Serves one client on a pair of streams. */
export async function startAgent(options: StartOptions): Promise<RunningAgent> {
  const { input, output, env, version, log, flags = {} } = options
  const configuration = await loadConfiguration({ env, flags })
  for (const warning of configuration.warnings) log('warn', warning)
  const editor = createEditorFiles()
  const models = createModelSource(configuration, {
    storedKeys: () => readStoredKeys(configuration.paths.state),
  })
  const agent = lazyAgent(
    () => loadAgent(configuration, editor, options),
    () => models.selected,
  )
  const bridge = createBridge({
    agent,
    input,
    output,
    log,
    version,
    editor,
    askReason: configuration.askReason,
    auth: authOf(configuration, models, options.login),
    onInitialized: () => agent.warm(),
    problems: () => configuration.warnings,
  })
  return {
    closed: bridge.closed,
    dispose: async () => {
      await agent.dispose()
      await bridge.close()
    },
  }
}

async function loadAgent(
  configuration: Configuration,
  editor: EditorFiles,
  { env, log, flags = {} }: StartOptions,
): Promise<Agent> {
  const [{ composeAgent }, { createEditorFileSystem }] = await Promise.all([
    import('./compose-agent.ts'),
    import('#bridge/editor-file-system.ts'),
  ])
  return composeAgent(configuration, env, log, {
    flags,
    editor: (id, disk, roots) => createEditorFileSystem({ disk, roots, editor: () => editor.editor(id) }),
  })
}

/** Keys are looked up again each time: a login may happen in another process while this one runs. */
function authOf({ paths }: Configuration, models: ConfiguredModelSource, login: Login | undefined): Auth {
  return {
    problem: () => (models.selected === undefined ? (models.problem ?? 'no model is set up') : undefined),
    ...(login !== undefined && { login }),
    logout: async () => void (await forgetKeys(paths.state)),
  }
}
