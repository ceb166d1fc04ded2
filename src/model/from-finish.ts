// How an answer ended: the SDK's finish → ours.
import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Prices } from '#config/settings.ts'
import type { Cost, FinishReason, Usage } from './port.ts'

/** Endpoints that say `stop` behind calls mean the calls. */
export function toFinishReason(
  reason: LanguageModelV4FinishReason['unified'],
  called: boolean,
): FinishReason {
  switch (reason) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'refusal'
    case 'tool-calls':
      return 'tool_calls'
    case 'stop':
      return called ? 'tool_calls' : 'stop'
    case 'error':
    case 'interrupted':
    case 'other':
      return called ? 'tool_calls' : 'other'
  }
}

/** Only numbers that the provider gave, and what follows from them and the prices. */
export function toUsage(usage: LanguageModelV4Usage, prices?: Prices): Usage | undefined {
  const numbers: Record<keyof Omit<Usage, 'cost'>, number | undefined> = {
    inputTokens: usage.inputTokens.total,
    outputTokens: usage.outputTokens.total,
    cachedInputTokens: usage.inputTokens.cacheRead,
  }
  const given = Object.entries(numbers).filter(([, count]) => count !== undefined && Number.isFinite(count))
  if (given.length === 0) return undefined
  const cost = reportedCost(usage) ?? computedCost(usage, prices)
  return { ...Object.fromEntries(given), ...(cost !== undefined && { cost }) }
}

/** OpenRouter and gateways like it say what a request cost, in US dollars. */
function reportedCost({ raw }: LanguageModelV4Usage): Cost | undefined {
  const cost = raw?.['cost']
  return typeof cost === 'number' && Number.isFinite(cost) && cost >= 0
    ? { amount: cost, currency: 'USD' }
    : undefined
}

function computedCost(usage: LanguageModelV4Usage, prices: Prices | undefined): Cost | undefined {
  const { total: input, cacheRead: read = 0, cacheWrite: written = 0 } = usage.inputTokens
  const { total: output } = usage.outputTokens
  if (prices === undefined || input === undefined || output === undefined) return undefined
  const fresh = Math.max(0, input - read - written)
  const millionths =
    fresh * prices.input +
    read * (prices.cachedInput ?? prices.input) +
    written * (prices.cacheWrite ?? prices.input) +
    output * prices.output
  return { amount: millionths / 1e6, currency: prices.currency ?? 'USD' }
}
