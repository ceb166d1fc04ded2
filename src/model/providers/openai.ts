// OpenAI: the Chat Completions API, because gateways and proxies behind a base URL speak it and nothing is stored
// at the provider. The Responses API (reasoning together with tools on models that refuse it here) is not used.
import { createOpenAI } from '@ai-sdk/openai'
import type { Provider } from '#model/provider.ts'

/** A proxy that needs no key is still sent the header. */
const NO_KEY = 'none'

const WINDOWS: readonly [RegExp, number][] = [
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-([5-9]|\d\d)/, 272_000],
  [/^o[1-9]/, 200_000],
  [/^gpt-3\.5/, 16_385],
]

export const provider: Provider = {
  traits: (modelId) => ({
    contextWindow: WINDOWS.find(([pattern]) => pattern.test(modelId))?.[1] ?? 128_000,
    images: !/^(gpt-3\.5|o1-mini|o3-mini)/.test(modelId),
    toolResults: 'text',
  }),
  connect(modelId, { apiKey, baseURL, headers, fetch }) {
    return createOpenAI({ apiKey: apiKey ?? NO_KEY, baseURL, headers: { ...headers }, fetch }).chat(modelId)
  },
}
