// The one adapter between our Model port and the AI SDK: one streamed step, tools without execution, no retries.
import { jsonSchema, streamText, type ToolSet } from 'ai'
import type { ThoughtLevel } from '#config/settings.ts'
import { arrange } from './arrange.ts'
import { classifyError } from './classify-error.ts'
import { type Endpoint, modelSettings, traitsOf } from './endpoint.ts'
import type { ErrorContext } from './error-sentence.ts'
import { fromStream } from './from-stream.ts'
import type { ModelMessage } from './message.ts'
import type { Model, ModelEvent, ModelRequest, ToolSchema } from './port.ts'
import { dataFor } from './provider-data.ts'
import type { Connect, ModelTraits } from './provider.ts'
import { type PromptTarget, toPrompt } from './to-prompt.ts'
import { Watch } from './watch.ts'
import { watchedFetch } from './watched-fetch.ts'

// stdout belongs to the protocol, and warnings of the SDK speak to developers.
globalThis.AI_SDK_LOG_WARNINGS = false

export interface AdapterOptions {
  endpoint: Endpoint
  connect: Connect
  modelId: string
  /** Where the provider is reached; already checked. */
  baseURL: string
  /** Longest silence of the provider, in milliseconds. */
  idleTimeoutMs: number
  /** How requests leave. */
  fetch: typeof globalThis.fetch
  thoughtLevel: ThoughtLevel | undefined
}

/** A model of a provider. Performs no I/O before `stream` is iterated. */
export function createModel(options: AdapterOptions): Model {
  const traits = traitsOf(options.endpoint, options.modelId)
  return {
    provider: options.endpoint.id,
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
  const { endpoint, modelId } = options
  const { title } = endpoint
  const watch = new Watch(request.signal, options.idleTimeoutMs, title)
  const usedCallIds = new Set(callIds(request.messages))
  const { prices } = modelSettings(endpoint.settings, modelId)
  try {
    watch.signal.throwIfAborted()
    const parts = watch.guard(start(options, traits, request, watch))
    const origin = { provider: endpoint.id, modelId, title, usedCallIds }
    yield* fromStream(parts, { ...origin, ...(prices !== undefined && { prices }) })
  } catch (error) {
    // When the watch ended the request, what the SDK makes of that is of no interest.
    throw classifyError(watch.signal.aborted ? watch.signal.reason : error, errorContext(options))
  } finally {
    watch.stop()
  }
}

function start(options: AdapterOptions, traits: ModelTraits, request: ModelRequest, watch: Watch) {
  const { endpoint, modelId } = options
  const model = options.connect(modelId, {
    apiKey: endpoint.settings.apiKey?.reveal(),
    baseURL: options.baseURL,
    headers: endpoint.settings.headers ?? {},
    fetch: watchedFetch(watch.touch, endpoint.title, options.fetch),
  })
  const target = { provider: endpoint.id, modelId, traits }
  const level = usableLevel(options.thoughtLevel, target, request.messages)
  return streamText({
    model,
    ...instructions(request.system.toWellFormed(), traits),
    messages: toPrompt(request.messages, target),
    ...(request.tools.length > 0 && { tools: toTools(request.tools) }),
    ...(level !== undefined && { reasoning: level === 'off' ? 'none' : level }),
    ...(traits.options && { providerOptions: traits.options(level) }),
    maxRetries: 0,
    abortSignal: watch.signal,
    onError: () => {},
  }).stream
}

function instructions(system: string, { cacheBreakpoint }: ModelTraits) {
  if (system.trim() === '') return {}
  const options = cacheBreakpoint && { providerOptions: cacheBreakpoint }
  return { instructions: { role: 'system' as const, content: system, ...options } }
}

/** Some models refuse to think when their newest calls stand there without the thought before them. */
function usableLevel(
  level: ThoughtLevel | undefined,
  target: PromptTarget,
  messages: readonly ModelMessage[],
): ThoughtLevel | undefined {
  if (level === undefined || !target.traits.thoughtLevels.includes(level)) return undefined
  if (!target.traits.thoughtsLead || level === 'off') return level
  const newest = arrange(messages, target).findLast((message) => message.role === 'assistant')?.parts ?? []
  const calls = newest.some((part) => part.type === 'tool_call')
  const [first] = newest
  const data = first?.type === 'thought' ? dataFor(target, first.provider) : undefined
  const led = data !== undefined && Object.keys(data).length > 0
  return calls && !led ? undefined : level
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

function errorContext({ endpoint, modelId }: AdapterOptions): ErrorContext {
  const { apiKey, headers = {} } = endpoint.settings
  const secrets = [apiKey?.reveal(), ...Object.values(headers)]
  return {
    title: endpoint.title,
    modelId,
    keyVariable: endpoint.keyVariable,
    ...(endpoint.settings.baseURL !== undefined && {
      notFoundHint: endpoint.api.traits(modelId).notFoundHint,
    }),
    secrets: secrets.filter((secret) => secret !== undefined),
  }
}
