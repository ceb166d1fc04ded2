// The size of a conversation in tokens: the provider's count where there is one, an estimate for what came after it.
import type { ModelMessage } from '#model/message.ts'
import type { ContentBlock } from '#model/content.ts'
import { assertNever } from '#registry/view.ts'
import type { SessionEvent } from '#session/event.ts'

/** Characters of English and code that make a token, roughly. */
const CHARS_PER_TOKEN = 4
/** What providers charge for an image, roughly. */
const TOKENS_PER_IMAGE = 1500

/** Messages are never changed, and most are looked at before every request. */
const estimates = new WeakMap<ModelMessage, number>()

export function estimateTokens(messages: readonly ModelMessage[]): number {
  let sum = 0
  for (const message of messages) {
    let tokens = estimates.get(message)
    if (tokens === undefined) estimates.set(message, (tokens = estimateMessage(message)))
    sum += tokens
  }
  return sum
}

/** What events add to a request behind the step that was counted: results of its calls, and what was said since. */
export function estimateAdded(events: readonly SessionEvent[]): number {
  return events.reduce((sum, event) => {
    if (event.type === 'tool_result') return sum + estimateContent(event.content) + 8
    return event.type === 'user_message' ? sum + estimateContent(event.message.content) : sum
  }, 0)
}

export function estimateText(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN)
}

/** The provider's count of the last request, if nothing has shortened the conversation since. */
export function countedTokens(
  events: readonly SessionEvent[],
): { tokens: number; index: number } | undefined {
  const index = events.findLastIndex((event) => ['step_end', 'compaction', 'pruned'].includes(event.type))
  const event = events[index]
  if (event?.type !== 'step_end' || event.usage?.inputTokens === undefined) return undefined
  return { tokens: event.usage.inputTokens + (event.usage.outputTokens ?? 0), index }
}

function estimateMessage(message: ModelMessage): number {
  switch (message.role) {
    case 'user':
      return estimateContent(message.content)
    case 'assistant':
      return message.parts.reduce(
        (sum, part) =>
          sum + estimateText(part.type === 'tool_call' ? JSON.stringify(part.arguments) : part.text) + 8,
        0,
      )
    case 'tool':
      return message.results.reduce((sum, result) => sum + estimateContent(result.content) + 8, 0)
    default:
      return assertNever(message)
  }
}

function estimateContent(content: readonly ContentBlock[]): number {
  return content.reduce((sum, block) => {
    if (block.type === 'text') return sum + estimateText(block.text)
    return sum + (block.type === 'image' ? TOKENS_PER_IMAGE : 100)
  }, 4)
}
