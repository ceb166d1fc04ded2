// Any endpoint that speaks OpenAI's Chat Completions: Ollama, llama.cpp, vLLM, LM Studio, OpenRouter and others.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { Provider } from '#model/provider.ts'

/** Families that read images, by the names under which they are served. */
const SEES =
  /vision|\bvl\b|-vl|vl-|llava|pixtral|gemma-?3|llama-?4|gpt-4o|gpt-4\.1|gpt-[5-9]|claude|gemini|multimodal/i

export const provider: Provider = {
  traits: (modelId) => ({ contextWindow: 128_000, images: SEES.test(modelId), toolResults: 'text' }),
  connect(modelId, { apiKey, baseURL, headers, fetch }) {
    return createOpenAICompatible({
      name: 'compatible',
      ...(apiKey !== undefined && { apiKey }),
      baseURL,
      headers: { ...headers },
      fetch,
      includeUsage: true,
    })(modelId)
  },
}
