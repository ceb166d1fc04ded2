// Anthropic: the Messages API.
import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { type ModelTraits, type ProviderRow, vendorSettings } from '#model/provider.ts'

const LEGACY = /claude-(instant|v?[23])(?=$|[-.:@])/
/** Models that were told a budget of thoughts; everything newer decides by itself and is told an effort. */
const BUDGETED = /(opus|sonnet|haiku)-4(-[015](?=$|[-@])|-20|[@:]|$)/
/** Models that always think. */
const TIRELESS = /fable-5|opus-5-5/

/** Newer models leave the text of their thoughts out unless they are asked for it. */
const VISIBLE: SharedV4ProviderOptions = {
  anthropic: { thinking: { type: 'adaptive', display: 'summarized' } },
}

export const anthropic: ProviderRow = {
  id: 'anthropic',
  title: 'Anthropic',
  authorization: 'x-api-key',
  keyVariable: 'ANTHROPIC_API_KEY',
  defaultModel: 'claude-sonnet-5-5',
  knownModels: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'],
  defaultBaseURL: 'https://api.anthropic.com/v1',
  traits,
  async load() {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return (modelId, connection) => createAnthropic(vendorSettings(connection))(modelId)
  },
}

function traits(modelId: string): ModelTraits {
  const claude = modelId.includes('claude') && !LEGACY.test(modelId)
  const budgeted = BUDGETED.test(modelId)
  return {
    contextWindow: 200_000,
    images: true,
    toolResults: 'rich',
    strictCallIds: true,
    thoughtLevels: claude
      ? TIRELESS.test(modelId)
        ? ['low', 'medium', 'high']
        : ['off', 'low', 'medium', 'high']
      : [],
    ...(claude && budgeted && { thoughtsLead: true }),
    cacheBreakpoint: { anthropic: { cacheControl: { type: 'ephemeral' } } },
    ...(claude &&
      !budgeted && {
        options: (level) => (level === undefined ? VISIBLE : {}),
      }),
  }
}
