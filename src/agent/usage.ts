// Usage: what a session has cost so far, from its log.
import type { SessionEvent } from '#session/event.ts'
import type { SessionUsage } from './port.ts'

/** Pure. Costs in several currencies are not added up: the newest one counts. */
export function usageOf(events: readonly SessionEvent[]): SessionUsage {
  const sum: SessionUsage = {
    requests: 0,
    uncounted: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
  }
  for (const event of events) {
    if (event.type !== 'step_end') continue
    if (event.usage === undefined) {
      if (event.finish === 'error' || event.finish === 'cancelled') continue
      sum.requests += 1
      sum.uncounted += 1
      continue
    }
    const { inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, cost } = event.usage
    sum.requests += 1
    sum.inputTokens += inputTokens
    sum.outputTokens += outputTokens
    sum.cachedInputTokens += cachedInputTokens
    if (event.contextWindow !== undefined) {
      sum.context = { used: inputTokens + outputTokens, size: event.contextWindow }
    }
    if (cost !== undefined) {
      const before = sum.cost?.currency === cost.currency ? sum.cost.amount : 0
      sum.cost = { amount: before + cost.amount, currency: cost.currency }
    }
  }
  return sum
}
