// A model whose requests are spans, by OpenTelemetry's conventions for generative AI.
import { type Span, tracedStream } from '#telemetry/span.ts'
import type { Model, ModelEvent, ModelSource } from './port.ts'

/** Names that the conventions have for providers that we name otherwise. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'gcp.gemini' }

/** The source, whose models are traced. */
export function tracedModels<S extends ModelSource>(models: S): S {
  const load = models.load.bind(models)
  models.load = async (name, options) => tracedModel(await load(name, options))
  return models
}

function tracedModel(model: Model): Model {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerName(model.provider),
    'gen_ai.request.model': model.id,
  }
  const { provider, id, contextWindow, images } = model
  return {
    provider,
    id,
    contextWindow,
    images,
    stream: (request) =>
      tracedStream({ name: `chat ${id}`, kind: 'client', attributes }, () => model.stream(request), see),
  }
}

/** As the conventions name it. */
export function providerName(provider: string): string {
  return PROVIDER_NAMES[provider] ?? provider
}

function see(span: Span, event: ModelEvent): void {
  if (event.type !== 'finish') return
  const { inputTokens, outputTokens, cachedInputTokens } = event.usage ?? {}
  span.set({
    'gen_ai.response.finish_reasons': [event.reason],
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedInputTokens,
  })
}
