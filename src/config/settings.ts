// The environment contract. Checked by hand: nothing heavier may load before the first prompt.
import { homedir } from 'node:os'
import { readPaths, type Paths } from './paths.ts'
import { Secret } from './secret.ts'
import type { ThoughtLevel } from './thought-level.ts'

export const MODE_IDS = ['ask', 'accept-edits', 'plan', 'bypass'] as const
export type ModeId = (typeof MODE_IDS)[number]

/** How tools are offered to the model: as calls, as a program that calls them, or as both. */
export const CODE_MODES = ['native', 'code', 'both'] as const

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** The wire APIs of models; `openai` picks one of its two by the model. */
export const API_IDS = [
  'anthropic',
  'openai',
  'openai-responses',
  'openai-chat',
  'google',
  'deepseek',
  'openai-compatible',
] as const
export type ApiId = (typeof API_IDS)[number]

/** What a million tokens cost. */
export interface Prices {
  input: number
  output: number
  /** Default: `input`. */
  cachedInput?: number
  /** Tokens that the provider stores for later. Default: `input`. */
  cacheWrite?: number
  /** ISO 4217; default USD. */
  currency?: string
}

/** What replaces the assumptions about a model. */
export interface ModelFacts {
  /** Tokens. */
  contextWindow?: number
  /** Whether it reads images. */
  images?: boolean
}

export interface ModelSettings extends ModelFacts {
  /** For people. */
  label?: string
  thoughtLevels?: readonly ThoughtLevel[]
  prices?: Prices
}

/** How one provider is reached. */
export interface ProviderSettings extends ModelFacts {
  /** Needed for a provider that is not built in. */
  api?: ApiId
  /** For people. */
  label?: string
  apiKey?: Secret
  /** The variable that the key is read from, when it is not the vendor's own. */
  keyVariable?: string
  baseURL?: string
  headers?: Readonly<Record<string, string>>
  /** By model id; each is offered. */
  models?: Readonly<Record<string, ModelSettings>>
  /** Why it must not be used: its configuration is wrong. */
  fault?: string
}

export interface Settings {
  /** `provider/model` as the person chose it, its form checked, its provider not. */
  model?: string
  /** `provider/model` for small work such as titles. */
  smallModel?: string
  /** `DECKHAND_BASE_URL` and `DECKHAND_API_KEY`: they belong to whichever provider is chosen. */
  chosen: ProviderSettings
  /** What is known about each provider, by provider id. */
  providers: Readonly<Record<string, ProviderSettings>>
  /** Absolute or relative path of a scripted scenario. */
  scenario?: string
  mode: ModeId
  log: { level: LogLevel; file?: string }
  paths: Paths
  /** One sentence for each value that was not usable and is ignored. Holds no key. */
  warnings: readonly string[]
}

const VENDOR_KEYS = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
  deepseek: 'DEEPSEEK_API_KEY',
  google: 'GEMINI_API_KEY',
} as const

const VENDOR_URLS = { anthropic: 'ANTHROPIC_BASE_URL', openai: 'OPENAI_BASE_URL' } as const

/** `provider/model`. */
export const MODEL_NAME = /^[^/\s]+\/\S+$/

/** Whether the text has the form `provider/model`. */
export function isModelName(text: string): boolean {
  return MODEL_NAME.test(text)
}

/** Whether an HTTP header can carry the text as a key. */
export function isUsableKey(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text)
}

/** Whether the text is an http or https address. */
export function isEndpoint(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}

type Read = (name: string) => string | undefined
type Warn = (sentence: string) => void

/** Reads the environment. Never throws: a bad value is ignored and named in `warnings`. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const warnings: string[] = []
  const warn: Warn = (sentence) => void warnings.push(sentence)
  const read: Read = (name) => env[name]?.trim() || undefined
  const model = readModel(read, warn)
  const scenario = read('DECKHAND_SCENARIO')
  return {
    ...(model !== undefined && { model }),
    ...(scenario !== undefined && { scenario }),
    chosen: connection(readKey('DECKHAND_API_KEY', read, warn), readURL('DECKHAND_BASE_URL', read, warn)),
    providers: readProviders(read, warn),
    mode: readMode(read, warn),
    log: readLog(read, warn),
    paths: readPaths(env),
    warnings,
  }
}

function readModel(read: Read, warn: Warn): string | undefined {
  const value = read('DECKHAND_MODEL')
  if (value === undefined || isModelName(value)) return value
  warn(
    `DECKHAND_MODEL must be provider/model, for example anthropic/claude-sonnet-5-5; "${value}" is ignored.`,
  )
  return undefined
}

function readProviders(read: Read, warn: Warn): Record<string, ProviderSettings> {
  const providers: Record<string, ProviderSettings> = {}
  for (const [id, name] of Object.entries(VENDOR_KEYS)) {
    const urlName = id in VENDOR_URLS ? VENDOR_URLS[id as keyof typeof VENDOR_URLS] : undefined
    const baseURL = urlName === undefined ? undefined : readURL(urlName, read, warn)
    providers[id] = connection(readKey(name, read, warn), baseURL)
  }
  return providers
}

function connection(apiKey: Secret | undefined, baseURL: string | undefined): ProviderSettings {
  return { ...(apiKey !== undefined && { apiKey }), ...(baseURL !== undefined && { baseURL }) }
}

/** The key that a variable holds; undefined where it holds none, or one that no header can carry, which is told. */
export function readKey(name: string, read: Read, warn: Warn): Secret | undefined {
  const value = read(name)
  if (value === undefined) return undefined
  if (isUsableKey(value)) return new Secret(value)
  warn(`${name} holds spaces or characters that no HTTP header can carry; it is ignored.`)
  return undefined
}

function readURL(name: string, read: Read, warn: Warn): string | undefined {
  const value = read(name)
  if (value === undefined) return undefined
  if (isEndpoint(value)) return value.replace(/\/+$/, '')
  warn(`${name} must be an http or https address; it is ignored.`)
  return undefined
}

function readMode(read: Read, warn: Warn): ModeId {
  const value = read('DECKHAND_MODE')
  const mode = MODE_IDS.find((id) => id === value)
  if (value !== undefined && mode === undefined) {
    warn(`DECKHAND_MODE must be one of ${MODE_IDS.join(', ')}; "${value}" is ignored and the mode is ask.`)
  }
  return mode ?? 'ask'
}

/** A level, or a file: then everything from `debug` on goes there. */
function readLog(read: Read, warn: Warn): Settings['log'] {
  const value = read('DECKHAND_LOG')
  if (value === undefined) return { level: 'warn' }
  const level = LOG_LEVELS.find((id) => id === value.toLowerCase())
  if (level !== undefined) return { level }
  if (/[/\\]|\.log$/.test(value)) return { level: 'debug', file: value.replace(/^~(?=[/\\])/, homedir()) }
  warn(`DECKHAND_LOG must be one of ${LOG_LEVELS.join(', ')}, or the path of a file; "${value}" is ignored.`)
  return { level: 'warn' }
}
