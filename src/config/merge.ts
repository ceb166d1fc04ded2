// Checked files → one configuration. Pure, but for what is secret: that is concealed from then on.
import { resolve } from 'node:path'
import { concealAll } from './concealed.ts'
import type { Configuration, Flags, McpServer } from './configuration.ts'
import type { FileSettings, ServerEntry } from './schema.ts'
import { CODE_MODES, type ModelSettings, type ProviderSettings, readKey, type Settings } from './settings.ts'
import { variable } from './variable.ts'

/** What one file contributes. */
export interface Layer {
  settings: FileSettings
  /** What its relative paths start from, absolute. */
  base: string
  faultyProviders: Readonly<Record<string, string>>
}

export interface MergeInput {
  /** From the environment. */
  settings: Settings
  /** Later ones win; lists of rules, hidden tools, hosts, plug-ins and instructions add up. */
  layers: readonly Layer[]
  flags: Flags
  env: NodeJS.ProcessEnv
  warn(sentence: string): void
}

type Parts = Omit<Configuration, keyof Settings | 'sources' | 'project'>

export function merge(input: MergeInput): Omit<Configuration, 'sources' | 'project'> {
  const { settings, layers, flags, env } = input
  const files = layers.map((layer) => layer.settings)
  const last = <Key extends keyof FileSettings>(key: Key) =>
    files.findLast((file) => file[key] !== undefined)?.[key]
  const model = flags.model ?? settings.model ?? last('model')
  const smallModel = last('smallModel')
  const envMode = env['DECKHAND_MODE']?.trim() ? settings.mode : undefined
  return {
    ...settings,
    ...(model !== undefined && { model }),
    ...(smallModel !== undefined && { smallModel }),
    providers: providers(input),
    mode: flags.mode ?? envMode ?? last('mode') ?? 'ask',
    ...parts(input, last),
    ...environmentParts(input, last),
  }
}

type Last = <Key extends keyof FileSettings>(key: Key) => FileSettings[Key]

function parts({ layers, flags, env, warn }: MergeInput, last: Last): Omit<Parts, 'codeMode' | 'limits'> {
  const files = layers.map(({ settings }) => settings)
  const rules = (kind: 'allow' | 'ask' | 'deny') => [
    ...files.flatMap(({ permissions }) => permissions?.[kind] ?? []),
    ...(flags[kind] ?? []),
  ]
  const allow = files.findLast(({ tools }) => tools?.allow !== undefined)?.tools?.allow
  const search = files.findLast(({ web }) => web?.search !== undefined)?.web?.search
  const paths = (key: 'plugins' | 'instructions') =>
    layers.flatMap(({ settings, base }) => (settings[key] ?? []).map((path) => resolve(base, path)))
  return {
    permissions: { allow: rules('allow'), ask: rules('ask'), deny: rules('deny') },
    mcpServers: Object.assign({}, ...layers.map((layer) => servers(layer, env, warn))),
    tools: { ...(allow && { allow }), deny: files.flatMap(({ tools }) => tools?.deny ?? []) },
    files: last('files') ?? 'editor',
    ...sandbox(last('sandbox')),
    env: { pass: files.flatMap((file) => file.env?.pass ?? []) },
    web: { ...(search && { search }), allowHosts: files.flatMap(({ web }) => web?.allowHosts ?? []) },
    retention: Object.assign({}, ...files.map(({ retention }) => retention ?? {})),
    plugins: paths('plugins'),
    instructions: paths('instructions'),
    askReason: last('askReason') ?? true,
  }
}

function environmentParts({ layers, env, warn }: MergeInput, last: Last): Pick<Parts, 'codeMode' | 'limits'> {
  const limits: Parts['limits'] = Object.assign({}, ...layers.map(({ settings }) => settings.limits ?? {}))
  const timeout = env['DECKHAND_CODE_TIMEOUT_MS']?.trim()
  if (timeout && /^[1-9]\d{0,9}$/.test(timeout)) limits.codeTimeoutMs = Number(timeout)
  else if (timeout)
    warn(`DECKHAND_CODE_TIMEOUT_MS must be a number of milliseconds; "${timeout}" is ignored.`)
  const wanted = env['DECKHAND_CODE_MODE']?.trim()
  const known = CODE_MODES.find((mode) => mode === wanted)
  if (wanted && known === undefined) {
    warn(`DECKHAND_CODE_MODE must be one of ${CODE_MODES.join(', ')}; "${wanted}" is ignored.`)
  }
  const codeMode = known ?? last('codeMode')
  return { limits, ...(codeMode !== undefined && { codeMode }) }
}

function sandbox(value: FileSettings['sandbox']): Pick<Parts, 'sandbox'> {
  if (value === undefined || value === 'off') return {}
  return { sandbox: { allowHosts: typeof value === 'object' ? (value.allowHosts ?? []) : [] } }
}

function servers(layer: Layer, env: NodeJS.ProcessEnv, warn: MergeInput['warn']): Record<string, McpServer> {
  const entries = Object.entries(layer.settings.mcpServers ?? {}).filter(([, { disabled }]) => !disabled)
  return Object.fromEntries(entries.map(([name, entry]) => [name, serverOf(entry, layer, env, warn)]))
}

function serverOf(
  entry: ServerEntry,
  { base }: Layer,
  env: NodeJS.ProcessEnv,
  warn: MergeInput['warn'],
): McpServer {
  const granted = { trust: entry.trust ?? false, sampling: entry.sampling ?? false }
  const { type, command, args = [], cwd, url = '', headers = {} } = entry
  if (command !== undefined) {
    const place = cwd !== undefined && { cwd: resolve(base, cwd) }
    return { type: 'stdio', ...granted, command, args, env: expandAll(entry.env ?? {}, env, warn), ...place }
  }
  return { type: type === 'sse' ? 'sse' : 'http', ...granted, url, headers: expandAll(headers, env, warn) }
}

function providers({ settings, layers, env, warn }: MergeInput): Record<string, ProviderSettings> {
  const out: Record<string, ProviderSettings> = { ...settings.providers }
  for (const layer of layers) {
    for (const [id, { apiKeyEnv, models, headers, baseURL, ...entry }] of Object.entries(
      layer.settings.providers ?? {},
    )) {
      const apiKey =
        apiKeyEnv === undefined
          ? undefined
          : readKey(apiKeyEnv, (name) => variable(env, name)?.trim() || undefined, warn)
      out[id] = {
        ...out[id],
        ...entry,
        ...(baseURL !== undefined && { baseURL: baseURL.replace(/\/+$/, '') }),
        ...(headers !== undefined && { headers: expandAll(headers, env, warn) }),
        ...(models !== undefined && { models: modelsOf(models) }),
        ...(apiKeyEnv !== undefined && { keyVariable: apiKeyEnv }),
        ...(apiKey !== undefined && { apiKey }),
      }
    }
    for (const [id, fault] of Object.entries(layer.faultyProviders)) out[id] = { ...out[id], fault }
  }
  return out
}

function modelsOf(models: readonly string[] | Record<string, ModelSettings>): Record<string, ModelSettings> {
  return Array.isArray(models)
    ? Object.fromEntries(models.map((id) => [id, {}]))
    : (models as Record<string, ModelSettings>)
}

/** `${NAME}` is read from the environment. What stands in headers and environments is hidden in the log. */
function expandAll(
  texts: Readonly<Record<string, string>>,
  env: NodeJS.ProcessEnv,
  warn: MergeInput['warn'],
): Record<string, string> {
  const expand = (text: string): string =>
    text.replace(/\$\{(\w+)\}/g, (_whole, name: string) => {
      const value = variable(env, name)
      if (value === undefined) warn(`The configuration uses ${name}, which the environment does not have.`)
      concealAll({ [name]: value })
      return value ?? ''
    })
  const expanded = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text)]))
  concealAll(expanded)
  return expanded
}
