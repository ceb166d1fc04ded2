// OpenAI: the Responses API for models that think, because Chat Completions refuses their tools or hides their
// thoughts; Chat Completions for the others. Nothing is stored at the provider: thoughts go back encrypted.
import { type Api, type ModelTraits, type ProviderRow, vendorSettings } from '#model/provider.ts'
import type { ThoughtLevel } from '#config/thought-level.ts'

const WINDOWS: readonly [RegExp, number][] = [
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-([5-9]|\d\d)/, 272_000],
  [/^o[1-9]/, 200_000],
  [/^gpt-3\.5/, 16_385],
]
const THINKS = /^(o\d|gpt-([5-9]|\d\d))/
const CHATTERS = /^gpt-5-chat/
/** Models that can be told not to think at all. */
const CAN_REST = /^gpt-5\.\d|^gpt-6-luna|^gpt-6-sol|^gpt-6\.1-terra/

export const openaiResponses: Api = {
  authorization: 'bearer',
  traits(modelId) {
    const levels: ThoughtLevel[] = ['low', 'medium', 'high']
    return {
      ...common(modelId),
      toolResults: 'images',
      notFoundHint: 'set "api": "openai-chat" for this provider if it has no Responses API',
      thoughtLevels: thinks(modelId) ? (CAN_REST.test(modelId) ? ['off', ...levels] : levels) : [],
      options: () => ({ openai: { store: false, ...(thinks(modelId) && { reasoningSummary: 'auto' }) } }),
    }
  },
  async load() {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return (modelId, connection) => createOpenAI(vendorSettings(connection)).responses(modelId)
  },
}

export const openaiChat: Api = {
  authorization: 'bearer',
  traits: (modelId) => ({
    ...common(modelId),
    toolResults: 'text',
    // What these models allow beside tools differs from one to the next: they keep their default.
    thoughtLevels: [],
  }),
  async load() {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return (modelId, connection) => createOpenAI(vendorSettings(connection)).chat(modelId)
  },
}

export const openai: ProviderRow = {
  id: 'openai',
  title: 'OpenAI',
  authorization: 'bearer',
  keyVariable: 'OPENAI_API_KEY',
  defaultModel: 'gpt-5.5',
  knownModels: ['gpt-5.5', 'gpt-6.1-sol', 'gpt-6-luna', 'gpt-5.4-mini'],
  defaultBaseURL: 'https://api.openai.com/v1',
  traits: (modelId) => (thinks(modelId) ? openaiResponses : openaiChat).traits(modelId),
  async load() {
    const [responses, chat] = await Promise.all([openaiResponses.load(), openaiChat.load()])
    return (modelId, connection) => (thinks(modelId) ? responses : chat)(modelId, connection)
  },
}

function thinks(modelId: string): boolean {
  return THINKS.test(modelId) && !CHATTERS.test(modelId)
}

function common(modelId: string): Pick<ModelTraits, 'contextWindow' | 'images'> {
  return {
    contextWindow: WINDOWS.find(([pattern]) => pattern.test(modelId))?.[1] ?? 128_000,
    images: !/^(gpt-3\.5|o1-mini|o3-mini)/.test(modelId),
  }
}
