// The one adapter between our Model port and the AI SDK: one streamed step, tools without execution, no retries.
import { jsonSchema, streamText, type ToolSet } from 'ai'
import type { ProviderSettings } from '#config/settings.ts'
import { classifyError } from './classify-error.ts'
import type { ErrorContext } from './error-sentence.ts'
import { fromStream } from './from-stream.ts'
import type { ModelMessage } from './message.ts'
import type { Model, ModelEvent, ModelRequest, ToolSchema } from './port.ts'
import type { ModelTraits, Provider, ProviderRow } from './provider.ts'
import { toPrompt } from './to-prompt.ts'
import { Watch } from './watch.ts'
import { watchedFetch } from './watched-fetch.ts'

// stdout belongs to the protocol, and warnings of the SDK speak to developers.
globalThis.AI_SDK_LOG_WARNINGS = false

export interface AdapterOptions {
  row: ProviderRow
  provider: Provider
  modelId: string
  settings: ProviderSettings
  /** Where the provider is reached; already checked. */
  baseURL: string
  /** Longest silence of the provider, in milliseconds. */
  idleTimeoutMs: number
}

/** A model of a provider. Performs no I/O before `stream` is iterated. */
export function createModel(options: AdapterOptions): Model {
  const assumed = options.provider.traits(options.modelId)
  const traits: ModelTraits = {
    ...assumed,
    contextWindow: options.settings.contextWindow ?? assumed.contextWindow,
    images: options.settings.images ?? assumed.images,
  }
  return {
    provider: options.row.id,
    id: options.modelId,
    contextWindow: traits.contextWindow,
    images: traits.images,
    stream: (request) => run(options, traits, request),
  }
}

async function* run(
  options: AdapterOptions,
  traits: ModelTraits,
  request: ModelRequest,
): AsyncGenerator<ModelEvent> {
  const { row } = options
  const watch = new Watch(request.signal, options.idleTimeoutMs, row.title)
  const usedCallIds = new Set(callIds(request.messages))
  try {
    watch.signal.throwIfAborted()
    const parts = watch.guard(start(options, traits, request, watch))
    yield* fromStream(parts, { provider: row.id, title: row.title, usedCallIds })
  } catch (error) {
    // When the watch ended the request, what the SDK makes of that is of no interest.
    throw classifyError(watch.signal.aborted ? watch.signal.reason : error, errorContext(options))
  } finally {
    watch.stop()
  }
}

function start(options: AdapterOptions, traits: ModelTraits, request: ModelRequest, watch: Watch) {
  const { row, modelId, settings } = options
  const model = options.provider.connect(modelId, {
    apiKey: settings.apiKey?.reveal(),
    baseURL: options.baseURL,
    headers: settings.headers ?? {},
    fetch: watchedFetch(watch.touch, row.title),
  })
  const system = request.system.toWellFormed()
  return streamText({
    model,
    ...(system.trim() !== '' && {
      instructions: {
        role: 'system',
        content: system,
        ...(traits.cacheBreakpoint && { providerOptions: traits.cacheBreakpoint }),
      },
    }),
    messages: toPrompt(request.messages, { provider: row.id, traits }),
    ...(request.tools.length > 0 && { tools: toTools(request.tools) }),
    maxRetries: 0,
    abortSignal: watch.signal,
    onError: () => {},
  }).stream
}

function toTools(tools: readonly ToolSchema[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, parameters }) => [
      name,
      { description, inputSchema: jsonSchema(parameters) },
    ]),
  )
}

function callIds(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : []))
      : [],
  )
}

function errorContext({ row, modelId, settings }: AdapterOptions): ErrorContext {
  const secrets = [settings.apiKey?.reveal(), ...Object.values(settings.headers ?? {})]
  return {
    title: row.title,
    modelId,
    keyVariable: row.keyVariable,
    secrets: secrets.filter((secret) => secret !== undefined),
  }
}
