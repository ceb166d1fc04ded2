// The one adapter between our Model port and the AI SDK: one streamed step, tools without execution, no retries.
import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  JSONSchema7,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import type { ThoughtLevel } from '#config/thought-level.ts'
import { arrange } from './arrange.ts'
import { classifyError } from './classify-error.ts'
import { type Endpoint, modelSettings, traitsOf } from './endpoint.ts'
import type { ErrorContext } from './error-sentence.ts'
import type { ModelMessage } from './message.ts'
import type { Model, ModelEvent, ModelRequest, ToolSchema } from './port.ts'
import { dataFor } from './provider-data.ts'
import type { Connect, ModelTraits } from './provider.ts'
import { StreamReader } from './stream-reader.ts'
import { type PromptTarget, toPrompt } from './to-prompt.ts'
import { Watch } from './watch.ts'
import { watchedFetch } from './watched-fetch.ts'

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

interface Reached extends AdapterOptions {
  /** The same object for every request: what was made for it is found again by that. */
  target: PromptTarget
  /** The same for every request: making one costs as much as a short request. */
  language(): LanguageModelV4
}

/** A model of a provider. Performs no I/O before `stream` is iterated. */
export function createModel(options: AdapterOptions): Model {
  const traits = traitsOf(options.endpoint, options.modelId)
  let connected: LanguageModelV4 | undefined
  const target = { provider: options.endpoint.id, modelId: options.modelId, traits }
  const reached: Reached = { ...options, target, language: () => (connected ??= connect(options)) }
  return {
    provider: options.endpoint.id,
    id: options.modelId,
    contextWindow: traits.contextWindow,
    images: traits.images,
    stream: (request) => run(reached, request),
  }
}

/** Who waits for the request that is being made. */
const waiting = new AsyncLocalStorage<Watch>()

function connect({ endpoint, connect, modelId, baseURL, fetch }: AdapterOptions): LanguageModelV4 {
  const { apiKey, headers = {} } = endpoint.settings
  const watched: typeof fetch = (input, init) => {
    const touch = waiting.getStore()?.touch ?? (() => {})
    return watchedFetch(touch, endpoint.title, fetch)(input, init)
  }
  return connect(modelId, { apiKey: apiKey?.reveal(), baseURL, headers, fetch: watched })
}

async function* run(reached: Reached, request: ModelRequest): AsyncGenerator<ModelEvent> {
  const { endpoint, modelId } = reached
  const { title } = endpoint
  const watch = new Watch(request.signal, reached.idleTimeoutMs, title)
  const { prices } = modelSettings(endpoint.settings, modelId)
  const usedCallIds = (): Set<string> => callIds(request.messages)
  const origin = { provider: endpoint.id, modelId, title, usedCallIds }
  const reader = new StreamReader({ ...origin, ...(prices !== undefined && { prices }) })
  try {
    watch.signal.throwIfAborted()
    const parts = opened(() => ask(reached, request, watch))
    for await (const part of watch.guard(parts)) for (const event of reader.read(part)) yield event
    yield* reader.end()
  } catch (error) {
    // When the watch ended the request, what the SDK makes of that is of no interest.
    throw classifyError(watch.signal.aborted ? watch.signal.reason : error, errorContext(reached))
  } finally {
    watch.stop()
  }
}

async function ask(
  { thoughtLevel, target, language }: Reached,
  request: ModelRequest,
  watch: Watch,
): Promise<ReadableStream<LanguageModelV4StreamPart>> {
  const { traits } = target
  const level = usableLevel(thoughtLevel, target, request.messages)
  const options: LanguageModelV4CallOptions = {
    prompt: [...instructions(request.system.toWellFormed(), traits), ...toPrompt(request.messages, target)],
    ...(request.tools.length > 0 && { tools: request.tools.map(toTool), toolChoice: { type: 'auto' } }),
    ...(level !== undefined && { reasoning: level === 'off' ? 'none' : level }),
    ...(traits.options && { providerOptions: traits.options(level) }),
    abortSignal: watch.signal,
  }
  const { stream } = await waiting.run(watch, () => language().doStream(options))
  return stream
}

/** The items of a stream that is opened with the first of them; a generator would take twice as long for each. */
function opened<T>(open: () => Promise<ReadableStream<T>>): AsyncIterable<T> {
  let reader: ReadableStreamDefaultReader<T> | undefined
  let left = false
  return {
    [Symbol.asyncIterator]: () => ({
      next: async () => {
        reader ??= (await open()).getReader()
        // Nobody waits any more for a stream that took too long to open.
        if (left) await reader.cancel()
        return (await reader.read()) as IteratorResult<T>
      },
      return: async () => {
        left = true
        await reader?.cancel()
        return { done: true, value: undefined }
      },
    }),
  }
}

function instructions(system: string, { cacheBreakpoint }: ModelTraits): LanguageModelV4Prompt {
  if (system.trim() === '') return []
  const options = cacheBreakpoint && { providerOptions: cacheBreakpoint }
  return [{ role: 'system', content: system, ...options }]
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

function toTool({ name, description, parameters }: ToolSchema): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: parameters as JSONSchema7 }
}

function callIds(messages: readonly ModelMessage[]): Set<string> {
  const ids = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const part of message.parts) if (part.type === 'tool_call') ids.add(part.callId)
  }
  return ids
}

function errorContext({ endpoint, modelId }: AdapterOptions): ErrorContext {
  const { apiKey, headers = {} } = endpoint.settings
  const secrets = [apiKey?.reveal(), ...Object.values(headers)]
  return {
    title: endpoint.title,
    modelId,
    keyVariable: endpoint.keyVariable,
    ...(endpoint.settings.baseURL !== undefined && {
      notFoundHint: endpoint.api.traits(modelId, endpoint.settings.baseURL).notFoundHint,
    }),
    secrets: secrets.filter((secret) => secret !== undefined),
  }
}
