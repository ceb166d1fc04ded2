// Google: the Gemini API.
import { type ModelTraits, type ProviderRow, vendorSettings } from '#model/provider.ts'

const OLD = /gemini-(1|2\.0|pro(-vision)?$)|gemma/
const SECOND = /gemini-2/

export const google: ProviderRow = {
  id: 'google',
  title: 'Google Gemini',
  authorization: 'x-goog-api-key',
  keyVariable: 'GEMINI_API_KEY',
  defaultModel: 'gemini-3.8-flash',
  knownModels: ['gemini-3.8-flash', 'gemini-4-argon', 'gemini-3.1-pro-preview'],
  defaultBaseURL: 'https://generativelanguage.googleapis.com/v1beta',
  traits,
  async load() {
    const { createGoogle } = await import('@ai-sdk/google')
    return (modelId, connection) => createGoogle(vendorSettings(connection))(modelId)
  },
}

function traits(modelId: string): ModelTraits {
  const thinks = modelId.includes('gemini') && !OLD.test(modelId)
  // Only the older flash models can be told not to think at all.
  const rests = /gemini-2\.5-flash/.test(modelId)
  return {
    contextWindow: /gemma/.test(modelId) ? 128_000 : 1_048_576,
    images: !/gemma-3-1b|gemma-3n/.test(modelId),
    // Before Gemini 3 a result holds text only.
    toolResults: thinks && !SECOND.test(modelId) ? 'rich' : 'text',
    thoughtLevels: thinks ? [...(rests ? (['off'] as const) : []), 'low', 'medium', 'high'] : [],
    ...(thinks && { options: () => ({ google: { thinkingConfig: { includeThoughts: true } } }) }),
  }
}
