// The environment contract. Checked by hand: nothing heavier may load before the first prompt.
import { readPaths, type Paths } from './paths.ts'
import { Secret } from './secret.ts'

export const MODE_IDS = ['ask', 'accept-edits', 'plan', 'bypass'] as const
export type ModeId = (typeof MODE_IDS)[number]

export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** How one provider is reached. */
export interface ProviderSettings {
  apiKey?: Secret
  baseURL?: string
  headers?: Readonly<Record<string, string>>
  /** Tokens; replaces what is assumed about the model. */
  contextWindow?: number
  /** Whether its models read images; replaces what is assumed about the model. */
  images?: boolean
}

export interface Settings {
  /** `provider/model` as the person chose it, its form checked, its provider not. */
  model?: string
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
  if (value === undefined || /^[^/\s]+\/\S+$/.test(value)) return value
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

function readKey(name: string, read: Read, warn: Warn): Secret | undefined {
  const value = read(name)
  if (value === undefined) return undefined
  if (/^[\x21-\x7e]+$/.test(value)) return new Secret(value)
  warn(`${name} holds spaces or characters that no HTTP header can carry; it is ignored.`)
  return undefined
}

function readURL(name: string, read: Read, warn: Warn): string | undefined {
  const value = read(name)
  if (value === undefined) return undefined
  if (/^https?:\/\//i.test(value) && URL.canParse(value)) return value.replace(/\/+$/, '')
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
  if (/[/\\]|\.log$/.test(value)) return { level: 'debug', file: value }
  warn(`DECKHAND_LOG must be one of ${LOG_LEVELS.join(', ')}, or the path of a file; "${value}" is ignored.`)
  return { level: 'warn' }
}
