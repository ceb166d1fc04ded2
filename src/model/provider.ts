// What a provider file offers to the adapter, and the table of providers.
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'

/** How one request reaches a provider. */
export interface Connection {
  /** Absent where the endpoint needs none. */
  apiKey: string | undefined
  baseURL: string
  headers: Readonly<Record<string, string>>
  /** Must be used for every request: it watches for silence and for answers that are no stream. */
  fetch: typeof globalThis.fetch
}

/** What the adapter has to know about a model of a provider. */
export interface ModelTraits {
  /** Tokens. */
  contextWindow: number
  images: boolean
  /** `rich`: results may hold images and an error mark. `text`: text only; images follow in a user message. */
  toolResults: 'rich' | 'text'
  /** Call ids may hold letters, digits, `_` and `-` only. */
  strictCallIds?: true
  /** Put on the system prompt and on the newest message, so that the provider caches what lies before. */
  cacheBreakpoint?: SharedV4ProviderOptions
}

/** A provider file exports one of these as `provider`. */
export interface Provider {
  traits(modelId: string): ModelTraits
  /** Cheap and without I/O: called for every request. */
  connect(modelId: string, connection: Connection): LanguageModelV4
}

export interface ProviderRow {
  readonly id: string
  /** As people call it. */
  readonly title: string
  /** The vendor's own name of its key; the key is needed unless a base URL is set. */
  readonly keyVariable?: string
  /** Chosen when only the key is known. */
  readonly defaultModel?: string
  /** Absent: the person has to set one. */
  readonly defaultBaseURL?: string
  load(): Promise<Provider>
}

/** In the order in which keys are looked for. */
export const PROVIDERS: readonly ProviderRow[] = [
  {
    id: 'anthropic',
    title: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    defaultModel: 'claude-sonnet-5-5',
    defaultBaseURL: 'https://api.anthropic.com/v1',
    load: async () => (await import('./providers/anthropic.ts')).provider,
  },
  {
    id: 'openai',
    title: 'OpenAI',
    keyVariable: 'OPENAI_API_KEY',
    defaultModel: 'gpt-5.5',
    defaultBaseURL: 'https://api.openai.com/v1',
    load: async () => (await import('./providers/openai.ts')).provider,
  },
  {
    id: 'openai-compatible',
    title: 'The OpenAI-compatible endpoint',
    load: async () => (await import('./providers/openai-compatible.ts')).provider,
  },
]
