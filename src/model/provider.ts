// What a provider file offers: facts about its models, and the way to reach them.
import type { LanguageModelV4, SharedV4ProviderOptions } from '@ai-sdk/provider'
import type { ThoughtLevel } from '#config/thought-level.ts'

/** How one request reaches a provider. */
export interface Connection {
  /** Absent where the endpoint needs none. */
  apiKey: string | undefined
  baseURL: string
  headers: Readonly<Record<string, string>>
  /** Must be used for every request: it watches for silence and for answers that are no stream. */
  fetch: typeof globalThis.fetch
}

/** A proxy that needs no key is still sent the header, and the SDK wants one for it. */
const NO_KEY = 'none'

/** What the SDK of a vendor takes to reach it. */
export function vendorSettings({ apiKey = NO_KEY, baseURL, headers, fetch }: Connection) {
  return { apiKey, baseURL, headers: { ...headers }, fetch }
}

/** What is known about a model of a provider without asking it. */
export interface ModelTraits {
  /** Tokens. */
  contextWindow: number
  images: boolean
  /**
   * `rich`: results may hold images and an error mark. `images`: images, no mark.
   * `text`: text only; images follow in a user message.
   */
  toolResults: 'rich' | 'images' | 'text'
  thoughtLevels: readonly ThoughtLevel[]
  /** Call ids may hold letters, digits, `_` and `-` only. */
  strictCallIds?: true
  /** While it thinks, the newest calls must follow a thought: without one the level is left out. */
  thoughtsLead?: true
  /** What a person may do when an address of their own answers 404. */
  notFoundHint?: string
  /** Put on the system prompt and on the newest messages, so that the provider caches what lies before. */
  cacheBreakpoint?: SharedV4ProviderOptions
  /** Sent with every request; the SDK knows what the level means. */
  options?(level: ThoughtLevel | undefined): SharedV4ProviderOptions
}

/** Cheap and without I/O: called for every request. */
export type Connect = (modelId: string, connection: Connection) => LanguageModelV4

/** One way to speak with models. */
export interface Api {
  /** How the key is sent; the SDK knows it too, but only for its own requests. */
  readonly authorization: 'bearer' | 'x-api-key' | 'x-goog-api-key'
  /** `baseURL`: an address of the person's own. */
  traits(modelId: string, baseURL?: string): ModelTraits
  /** Loads the provider's code. */
  load(): Promise<Connect>
}

/** A provider file exports one of these. Nothing of the AI SDK is loaded with it. */
export interface ProviderRow extends Api {
  readonly id: string
  /** As people call it. */
  readonly title: string
  /** The vendor's own name of its key; the key is needed unless a base URL is set. */
  readonly keyVariable?: string
  /** Chosen when only the key is known. */
  readonly defaultModel?: string
  /** Offered when the provider is set up. */
  readonly knownModels: readonly string[]
  /** Absent: the person has to set one. */
  readonly defaultBaseURL?: string
}
