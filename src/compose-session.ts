// Composition of a session's equipment: workspace, tools, policy, plug-ins and MCP servers, as configured for its place.
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { Equip, EquipInput } from '#agent/options.ts'
import type { ProjectTrust } from '#agent/port.ts'
import type { Configuration, Flags } from '#config/configuration.ts'
import { loadConfiguration } from '#config/load.ts'
import { runFiles } from '#config/run-files.ts'
import type { Settings } from '#config/settings.ts'
import { revokeTrust, trust } from '#config/trust.ts'
import type { AssistantToolCall } from '#model/message.ts'
import type { Model } from '#model/port.ts'
import { effectOf, filePaths } from '#policy/effects.ts'
import { describe } from '#policy/grants.ts'
import { installOutputLimit } from '#policy/output-limit.ts'
import type { OutsidePaths } from '#policy/judged-paths.ts'
import { createPlaces, type Places } from '#policy/places.ts'
import { installPolicy, type Mode, type PolicyOptions } from '#policy/policy.ts'
import { createGrantStore, type GrantStore } from '#policy/remembered.ts'
import { type CompiledRules, compileRules } from '#policy/rules.ts'
import { loadPlugin } from '#registry/plugin-file.ts'
import type { Scope } from '#registry/scope.ts'
import type { Log } from '#registry/types.ts'
import type { SessionStore } from '#session/store.ts'
import { announceFinishedTasks } from '#tools/bash/announce.ts'
import type { CodeMode } from '#tools/code/code-mode.ts'
import { installAskTools } from '#tools/ask/ask-tools.ts'
import { configuredTools, isWanted } from '#tools/configured.ts'
import { firstPartyTools } from '#tools/index.ts'
import { configuredWorkspace } from '#workspace/configured.ts'
import { confineChanges } from '#workspace/confined-files.ts'
import { realPathNow } from '#workspace/disk-looks.ts'
import { createFileSystem, type FileSystem } from '#workspace/file-system.ts'
import { historyFiles } from '#workspace/history-files.ts'
import { contains } from '#workspace/path-inside.ts'
import { readInstructions } from '#workspace/instructions.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { composeServers, trustRules } from './compose-servers.ts'

/** The files of a session through its editor; `roots` as the client names them, beside what they really are. */
export type EditorFor = (
  sessionId: string,
  disk: FileSystem,
  roots: readonly (readonly [raw: string, real: string])[],
) => FileSystem

export interface EquipperContext {
  /** Of the person: what counts before the project's own file has been read. */
  settings: Settings & Partial<Configuration>
  env: NodeJS.ProcessEnv
  flags: Flags
  log: Log
  codeMode: CodeMode
  store: SessionStore
  editor: EditorFor | undefined
  /** The model that is selected now. Rejects with `ModelError`. */
  loadModel(): Promise<Model>
}

/** What is configured for a directory is read once when a session begins there; its rules again before each turn. */
export function sessionEquipper(context: EquipperContext): (cwd: string) => Promise<Equip> {
  const { env, flags, log } = context
  return async (cwd) => {
    const configuration = await loadConfiguration({ env, cwd, flags })
    for (const warning of configuration.warnings) log('warn', warning)
    const real = await realpath(cwd).catch(() => cwd)
    return (input) => equip(context, configuration, input, real)
  }
}

function equip(context: EquipperContext, configuration: Configuration, input: EquipInput, realCwd: string) {
  const { env, log, codeMode, loadModel } = context
  const { scope, cwd } = input
  const rules = rulesOf(context, configuration, input)
  const outside: OutsidePaths = new Map()
  const workspace = workspaceOf(context, configuration, input, realCwd, outside)
  registerTools(context, configuration, scope, workspace)
  const places = placesOf(context, configuration, input, workspace)
  const grants = judgeCalls(context, input, workspace, { places, rules: rules.current, outside })
  const mcp = composeServers({ input, configuration, env, log, loadModel })
  const plugins = loadPlugins(configuration, input)
  const instructions = [join(configuration.paths.config, 'AGENTS.md'), ...configuration.instructions]
  return {
    servers: mcp.servers,
    presenters: installAskTools(scope, input, isWanted(configuration)),
    // Asked for before the first step of each turn: from then on the project's file counts as it is now.
    instructions: async () => {
      await Promise.all([rules.read(), mcp.arrived(), plugins])
      const parts = [await readInstructions(cwd, instructions), codeMode.guide(scope)]
      return parts.filter((part) => part !== '').join('\n\n')
    },
    news: () => {
      mcp.tell()
      return announceFinishedTasks(workspace)
    },
    foresee: (calls: readonly AssistantToolCall[]) => lookUpPaths(calls, workspace),
    files: historyFiles(workspace),
    grants: async () => (await grants.list()).map(({ id, entry }) => ({ id, label: describe([entry]) })),
    revoke: (id: string) => grants.revoke(id),
    projectTrust: projectTrust(context, cwd),
    dispose: async () => {
      await Promise.all([workspace.dispose(), mcp.dispose(), plugins.then((undo) => undo())])
    },
  }
}

function workspaceOf(
  { env, store, editor }: EquipperContext,
  configuration: Configuration,
  { sessionId, cwd, roots, history }: EquipInput,
  realCwd: string,
  outside: OutsidePaths,
): Workspace {
  const pairs = roots.map((root) => [root, root === cwd ? realCwd : root] as const)
  const disk = confineChanges(
    createFileSystem(),
    async (path) => outside.has(path) || (await isInside(path, roots)),
  )
  const files = (configuration.files === 'disk' ? undefined : editor?.(sessionId, disk, pairs)) ?? disk
  const place = { cwd, roots, outputDirectory: store.filesOf(sessionId), files }
  const workspace = configuredWorkspace(place, configuration, env)
  workspace.observations.restore(history.filter((event) => event.type === 'observed'))
  return workspace
}

/** By real path: the roots themselves may be reached through links. */
async function isInside(path: string, roots: readonly string[]): Promise<boolean> {
  for (const root of roots) if (contains(await realpath(root).catch(() => root), path)) return true
  return false
}

function registerTools(
  { env, log }: EquipperContext,
  configuration: Configuration,
  scope: Scope,
  workspace: Workspace,
): void {
  const wanted = isWanted(configuration)
  const options = configuredTools(configuration, env, (sentence) => log('warn', sentence))
  for (const tool of firstPartyTools(workspace, options)) if (wanted(tool.name)) scope.register(tool)
  installOutputLimit(scope, workspace.outputs)
}

function placesOf(
  { settings: { paths } }: EquipperContext,
  { plugins, mcpServers }: Configuration,
  { cwd, roots, mcpServers: ofEditor }: EquipInput,
  workspace: Workspace,
): Places {
  return createPlaces({
    roots,
    own: [...new Set([paths.state, paths.config, ...(paths.code ? [paths.code] : [])])],
    runs: runFiles({ plugins, mcpServers: { ...mcpServers, ...ofEditor } }, cwd),
    outputs: () => workspace.outputs.directory,
    resolve: (path) => workspace.resolve(path),
    realPath: (path) => workspace.files.realPath(path),
    ownRealPath: realPathNow,
  })
}

/** Installs the policy of a session. Returns what "always" has remembered for its project. */
function judgeCalls(
  { settings: { paths }, log }: EquipperContext,
  { scope, cwd, modeId }: EquipInput,
  { files }: Workspace,
  policy: Pick<PolicyOptions, 'places' | 'rules' | 'outside'>,
): GrantStore {
  const realPath = (path: string): Promise<string> => files.realPath(path)
  const grants = createGrantStore({ state: paths.state, project: cwd, realPath, log })
  installPolicy(scope, { mode: () => modeId() as Mode, ...policy, grants })
  return grants
}

/** Calls are judged one after another; the first looks at their paths go side by side. */
function lookUpPaths(calls: readonly AssistantToolCall[], { files, resolve }: Workspace): void {
  const paths = calls.flatMap(({ name, arguments: args }) => filePaths(effectOf(name, args)))
  for (const path of paths) files.realPath(resolve(path)).catch(() => undefined)
}

/** Showing and trusting the project's own configuration, as it is at that moment. */
function projectTrust({ env, flags }: EquipperContext, cwd: string): ProjectTrust {
  return {
    file: async () => (await loadConfiguration({ env, cwd, flags })).project,
    decide: async (hash, trusted) => {
      const { project, paths } = await loadConfiguration({ env, cwd, flags })
      if (project?.hash !== hash) return false
      if (trusted) await trust(paths.state, project.path, hash)
      else await revokeTrust(paths.state, project.path)
      return true
    },
  }
}

/** Runs the configured plug-ins; one that fails is named to the person and costs only itself. Resolves with their end. */
async function loadPlugins({ plugins }: Configuration, { scope, notice }: EquipInput): Promise<() => void> {
  const outcomes = await Promise.all(plugins.map((path) => loadPlugin(path, scope)))
  for (const outcome of outcomes) if (!outcome.ok) notice('A plug-in could not be loaded', outcome.message)
  return () => {
    for (const outcome of outcomes) if (outcome.ok) outcome.dispose()
  }
}

/** The rules of a session: those of the person, and those of the project as they were at the last `read`. */
function rulesOf(
  { env, flags, log }: EquipperContext,
  first: Configuration,
  { cwd, mcpServers, notice }: EquipInput,
): { current(): CompiledRules; read(): Promise<void> } {
  const said = new Set(first.warnings)
  const untold: string[] = []
  const compile = (configuration: Configuration, trusted: readonly string[]): CompiledRules => {
    const { permissions, warnings } = configuration
    const allow = [...permissions.allow, ...trusted]
    const compiled = compileRules({ ...permissions, allow })
    for (const problem of [...warnings, ...compiled.problems]) {
      if (said.has(problem)) continue
      said.add(problem)
      log('warn', problem)
      untold.push(problem)
    }
    return compiled
  }
  // Whom to trust is looked up when the rules are read, before anything runs.
  let rules = compile(first, [])
  return {
    current: () => rules,
    read: async () => {
      const configuration = await loadConfiguration({ env, cwd, flags })
      rules = compile(configuration, await trustRules(mcpServers, configuration))
      for (const problem of untold.splice(0)) notice('A part of the configuration does not count', problem)
    },
  }
}
