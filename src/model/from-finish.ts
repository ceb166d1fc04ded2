// How an answer ended: the SDK's finish → ours.
import type { FinishReason as SdkFinishReason, LanguageModelUsage } from 'ai'
import type { FinishReason, Usage } from './port.ts'

/** Endpoints that say `stop` behind calls mean the calls. */
export function toFinishReason(reason: SdkFinishReason, called: boolean): FinishReason {
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

/** Only numbers that the provider gave. */
export function toUsage(usage: LanguageModelUsage): Usage | undefined {
  const numbers: Record<keyof Usage, number | undefined> = {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedInputTokens: usage.inputTokenDetails.cacheReadTokens,
  }
  const given = Object.entries(numbers).filter(([, count]) => count !== undefined && Number.isFinite(count))
  return given.length > 0 ? Object.fromEntries(given) : undefined
}
