// DeepSeek: its own dialect of Chat Completions, in which thoughts go back with the calls that followed them.
import { type ModelTraits, type ProviderRow, vendorSettings } from '#model/provider.ts'

const FOURTH = /deepseek-(v4|flash|pro)/

export const deepseek: ProviderRow = {
  id: 'deepseek',
  title: 'DeepSeek',
  authorization: 'bearer',
  keyVariable: 'DEEPSEEK_API_KEY',
  defaultModel: 'deepseek-flash',
  knownModels: ['deepseek-flash', 'deepseek-v4-pro'],
  defaultBaseURL: 'https://api.deepseek.com',
  traits,
  async load() {
    const { createDeepSeek } = await import('@ai-sdk/deepseek')
    return (modelId, connection) => createDeepSeek(vendorSettings(connection))(modelId)
  },
}

function traits(modelId: string): ModelTraits {
  const fourth = FOURTH.test(modelId)
  return {
    contextWindow: fourth ? 1_000_000 : 128_000,
    images: modelId.includes('vision'),
    toolResults: 'text',
    // It has two efforts beside none; "medium" would be sent as "high".
    thoughtLevels: fourth ? ['off', 'low', 'high'] : [],
  }
}
