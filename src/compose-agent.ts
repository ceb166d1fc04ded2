// Composition of the agent: model, store and registry; what sessions are equipped with is composed beside it.
import { createAgent } from '#agent/agent.ts'
import { installTracing } from '#agent/traced-calls.ts'
import type { Agent } from '#agent/port.ts'
import type { Configuration, ConfiguredLimits, Flags } from '#config/configuration.ts'
import { readStoredKeys } from '#config/keys.ts'
import type { Settings } from '#config/settings.ts'
import { SCRIPTED } from '#model/choice.ts'
import { splitName } from '#model/endpoint.ts'
import { ModelError } from '#model/error.ts'
import { outgoingFetch } from '#model/outgoing-fetch.ts'
import type { Model, ModelSource } from '#model/port.ts'
import { createModelSource } from '#model/source.ts'
import { tracedModels } from '#model/traced.ts'
import { flushSpans, onSpanEnd } from '#telemetry/span.ts'
import { installTimeout } from '#policy/timeout.ts'
import { createRegistry, type Registry } from '#registry/registry.ts'
import type { ApprovalService, Log } from '#registry/types.ts'
import { pruneSessions } from '#session/retention.ts'
import { createSessionStore } from '#session/store.ts'
import { type CodeMode, createCodeMode } from '#tools/code/code-mode.ts'
import { RUN_LIMITS, type RunLimits } from '#tools/code/limits.ts'
import { storedPresenters } from './compose-presenters.ts'
import { type EditorFor, sessionEquipper } from './compose-session.ts'

/** The environment alone, or all that is configured. */
type Configured = Settings & Partial<Configuration>

export interface AgentExtras {
  /** Count again whenever a session reads its project's configuration. */
  flags?: Flags
  /** The editor's text files, where a client has them. */
  editor?: EditorFor
}

/** Milliseconds after the start at which old files are looked for: nobody waits for that. */
const PRUNE_AFTER_MS = 30_000

/** The agent without a bridge. */
export function composeAgent(
  settings: Configured,
  env: NodeJS.ProcessEnv,
  log: Log,
  { flags = {}, editor }: AgentExtras = {},
): Agent {
  const { limits: { idleTimeoutMs, modelRequests, parallel, retries } = {} } = settings
  const codeMode = createCodeMode({ limits: runLimits(settings.limits) })
  const store = createSessionStore(settings.paths.state)
  const source = createModelSource(settings, {
    storedKeys: () => readStoredKeys(settings.paths.state),
    fetch: outgoingFetch(env),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  })
  const models = tracedModels(source)
  const loadModel = () => loadSelected(models)
  const equipper = sessionEquipper({ settings, env, flags, log, codeMode, store, editor, loadModel })
  const warm = warmOnce(models)
  const agent = createAgent({
    createRegistry: (approval) => registryFor(approval, codeMode, log),
    models,
    store,
    prepare: (cwd) => {
      warm()
      return equipper(cwd)
    },
    presenters: (header) => storedPresenters(header, env),
    modeId: settings.mode,
    codeMode: settings.codeMode ?? 'native',
    limits: {
      ...(modelRequests !== undefined && { modelRequests }),
      ...(parallel !== undefined && { parallel }),
      ...(retries !== undefined && { retries }),
    },
    warn: (message) => log('warn', message),
  })
  return withEnd(agent, pruneLater(settings), () => codeMode.dispose(), flushSpans, logSpans(settings, log))
}

function registryFor(approval: ApprovalService, codeMode: CodeMode, log: Log): Registry {
  const registry = createRegistry({ approval, log, transport: () => codeMode.transport })
  codeMode.attach(registry)
  installTracing(registry)
  installTimeout(registry)
  return registry
}

/** Milliseconds behind the opening of a session. */
const WARM_AFTER_MS = 50

/** Loads what the first prompt needs while it is still being written. Nobody waits for it, and it keeps nothing alive. */
function warmOnce(models: ModelSource): () => void {
  let begun = false
  return () => {
    const { selected } = models
    // A scenario is read when it is played.
    if (begun || selected === undefined || splitName(selected).providerId === SCRIPTED) return
    begun = true
    setTimeout(() => {
      models.load(selected).catch(() => undefined)
      // Node loads its HTTP client, and its cryptography, with the first look at them.
      void globalThis.Headers
      process.getBuiltinModule('node:crypto')
    }, WARM_AFTER_MS).unref()
  }
}

async function loadSelected(models: ModelSource): Promise<Model> {
  if (models.selected === undefined) throw new ModelError('config', 'No model is selected.')
  return models.load(models.selected)
}

/** Removes what retention says, some time after the start. Returns what takes that back. */
function pruneLater({ paths, retention }: Configured): () => void {
  const timer = setTimeout(() => void pruneSessions(paths.state, retention), PRUNE_AFTER_MS)
  timer.unref()
  return () => clearTimeout(timer)
}

/** What turns, requests to the model and calls took, for those who want to know everything. */
function logSpans({ log: { level } }: Configured, log: Log): () => void {
  if (level !== 'debug' && level !== 'trace') return () => undefined
  return onSpanEnd(({ name, attributes, milliseconds }) =>
    log('debug', `${name}: ${milliseconds} ms`, attributes),
  )
}

/** The agent, whose end ends these too: the sessions first. */
function withEnd(agent: Agent, ...ends: readonly (() => void | Promise<void>)[]): Agent {
  const dispose = agent.dispose.bind(agent)
  agent.dispose = async () => {
    await dispose()
    for (const end of ends) await end()
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
