// What every stage does with a result: give it the messages that go with it, and freeze it.
import type { UserMessage } from '#model/message.ts'
import type { ToolExecutionResult } from './types.ts'

/** The result with these messages, and no others, behind it. */
export function attach(result: ToolExecutionResult, contexts: readonly UserMessage[]): ToolExecutionResult {
  const { additionalContexts: _replaced, ...rest } = result
  return contexts.length === 0 ? rest : { ...rest, additionalContexts: [...contexts] }
}

/** Values, content and meta are frozen where they were made; this freezes what holds them together. */
export function freezeResult(result: ToolExecutionResult): ToolExecutionResult {
  if (result.isError) {
    if (result.error.info) Object.freeze(result.error.info)
    Object.freeze(result.error)
  }
  for (const block of result.content) Object.freeze(block)
  Object.freeze(result.content)
  if (result.additionalContexts) Object.freeze(result.additionalContexts)
  return Object.freeze(result)
}
