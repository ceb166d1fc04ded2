// Any endpoint that speaks OpenAI's Chat Completions: Ollama, llama.cpp, vLLM, LM Studio, OpenRouter and others.
import type { ProviderRow } from '#model/provider.ts'

/** Families that read images, by the names under which they are served. */
const SEES =
  /vision|\bvl\b|-vl|vl-|llava|pixtral|gemma-?3|llama-?4|gpt-4o|gpt-4\.1|gpt-[5-9]|claude|gemini|multimodal/i
/** Families whose servers are known to take an effort; others may refuse the word, so the configuration says it. */
const EFFORT = /gpt-oss|gpt-[5-9]/i

export const openaiCompatible: ProviderRow = {
  id: 'openai-compatible',
  title: 'The OpenAI-compatible endpoint',
  authorization: 'bearer',
  knownModels: [],
  traits: (modelId, baseURL) => ({
    ...(baseURL !== undefined &&
      !/\/v\d/.test(baseURL) && {
        notFoundHint: 'put /v1 at the end of the address, where most such endpoints have it',
      }),
    contextWindow: 128_000,
    images: SEES.test(modelId),
    toolResults: 'text',
    thoughtLevels: EFFORT.test(modelId) ? ['low', 'medium', 'high'] : [],
  }),
  async load() {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    return (modelId, { apiKey, baseURL, headers, fetch }) =>
      createOpenAICompatible({
        name: 'compatible',
        ...(apiKey !== undefined && { apiKey }),
        baseURL,
        headers: { ...headers },
        fetch,
        includeUsage: true,
      })(modelId)
  },
}
