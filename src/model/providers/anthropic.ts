// Anthropic: the Messages API.
import { createAnthropic } from '@ai-sdk/anthropic'
import type { Provider } from '#model/provider.ts'

/** A proxy that needs no key is still sent the header. */
const NO_KEY = 'none'

export const provider: Provider = {
  traits: () => ({
    contextWindow: 200_000,
    images: true,
    toolResults: 'rich',
    strictCallIds: true,
    cacheBreakpoint: { anthropic: { cacheControl: { type: 'ephemeral' } } },
  }),
  connect(modelId, { apiKey, baseURL, headers, fetch }) {
    return createAnthropic({ apiKey: apiKey ?? NO_KEY, baseURL, headers: { ...headers }, fetch })(modelId)
  },
}
