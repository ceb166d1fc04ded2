// The Model port: one streamed request. Implemented by the AI SDK adapter and by the scripted model.
import type { ThoughtLevel } from '#config/thought-level.ts'
import type { JsonObject, JsonValue } from '#json/value.ts'
import type { ModelMessage } from './message.ts'

/** What a model is told about one tool. */
export interface ToolSchema {
  name: string
  description: string
  /** JSON Schema with an object root. */
  parameters: JsonObject
}

export interface ModelRequest {
  system: string
  messages: readonly ModelMessage[]
  tools: readonly ToolSchema[]
  /** Aborting it ends the stream; the iterator then throws `ModelError('aborted')`. */
  signal: AbortSignal
}

/** What a request cost, from configured prices or as the provider reported it. */
export interface Cost {
  amount: number
  /** ISO 4217. */
  currency: string
}

/** Tokens as the provider counted them; absent where it did not say. */
export interface Usage {
  inputTokens?: number
  outputTokens?: number
  cachedInputTokens?: number
  cost?: Cost
}

export const FINISH_REASONS = ['stop', 'tool_calls', 'length', 'refusal', 'other'] as const
export type FinishReason = (typeof FINISH_REASONS)[number]

/**
 * Events in the order of the stream. Text and thoughts come in deltas, each part closed by `part_end`;
 * a call is announced by `call_start`, its argument text grows by `call_delta`, and `call` gives it whole.
 * Exactly one `finish` ends a good stream.
 */
export type ModelEvent =
  | { type: 'text'; text: string }
  | { type: 'thought'; text: string }
  | { type: 'part_end'; part: 'text' | 'thought'; provider?: JsonValue }
  | { type: 'call_start'; callId: string; name: string }
  | { type: 'call_delta'; callId: string; delta: string }
  | {
      type: 'call'
      callId: string
      name: string
      arguments: JsonValue
      malformed?: true
      provider?: JsonValue
    }
  | { type: 'finish'; reason: FinishReason; usage?: Usage }

export interface Model {
  /** Provider id, the part before the slash of `provider/model`. */
  readonly provider: string
  readonly id: string
  /** Context window in tokens. */
  readonly contextWindow: number
  /** Whether image blocks may be sent; otherwise the adapter sends a sentence in their place. */
  readonly images: boolean
  /** One request. Throws only `ModelError`, before or during the stream. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>
}

/** A model that can be chosen, as far as is known without asking anybody. */
export interface ModelListing {
  /** `provider/model`. */
  name: string
  /** For people. */
  label: string
  contextWindow: number
  images: boolean
  /** Empty when the model can't be told how long to think. */
  thoughtLevels: readonly ThoughtLevel[]
}

export interface LoadOptions {
  /** Absent: the provider's own default. A level that the model does not have is left out. */
  thoughtLevel?: ThoughtLevel
}

/** Resolves a `provider/model` name; loads the provider's code on first use. Throws `ModelError`. */
export interface ModelSource {
  /** The model to use now, or undefined when nothing usable is configured. Cheap: loads no provider. */
  readonly selected: string | undefined
  /** The configured model for small work such as titles; undefined when none is configured or usable. */
  readonly small: string | undefined
  /** What can be chosen now: configured models, then well-known ones of the providers that are set up. No I/O. */
  models(): readonly ModelListing[]
  load(name: string, options?: LoadOptions): Promise<Model>
}
