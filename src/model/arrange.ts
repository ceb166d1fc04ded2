// Puts a history into the order that providers demand: roles alternate, results directly follow their calls.
import type { AssistantPart, ModelMessage, ToolAnswer } from './message.ts'
import type { ContentBlock } from './content.ts'
import { dataFor, type Origin } from './provider-data.ts'

/** Calls whose results are still being gathered, and what was said in between. */
interface OpenCalls {
  calls: readonly { callId: string; name: string }[]
  results: Map<string, ToolAnswer>
  later: ContentBlock[]
}

/**
 * Consecutive messages of a role are merged; results stand in the order of their calls and bear their names; a call
 * without result gets an error result, a result without call is dropped; thoughts of other models, thoughts that
 * nothing follows, blank texts and what is empty then are left out. Pure: the input is not changed.
 */
export function arrange(messages: readonly ModelMessage[], target: Origin): ModelMessage[] {
  const out: ModelMessage[] = []
  let open: OpenCalls | undefined
  for (const message of messages) {
    if (message.role === 'user') {
      if (open) open.later.push(...message.content)
      else addUser(out, message.content)
    } else if (message.role === 'tool') {
      if (open) gather(open, message.results)
    } else {
      const sent = message.parts.filter((part) => isSent(part, target))
      const parts = sent.slice(0, sent.findLastIndex((part) => part.type !== 'thought') + 1)
      if (parts.length === 0) continue
      if (open) close(out, open)
      addAssistant(out, parts)
      open = opened(parts)
    }
  }
  if (open) close(out, open)
  return out
}

function isSent(part: AssistantPart, target: Origin): boolean {
  switch (part.type) {
    case 'text':
      return part.text.trim() !== ''
    case 'thought':
      return dataFor(target, part.provider) !== undefined
    case 'tool_call':
      return true
  }
}

function opened(parts: readonly AssistantPart[]): OpenCalls | undefined {
  const calls = parts.filter((part) => part.type === 'tool_call')
  return calls.length > 0 ? { calls, results: new Map(), later: [] } : undefined
}

function gather(open: OpenCalls, results: readonly ToolAnswer[]): void {
  for (const result of results) {
    if (!open.results.has(result.callId)) open.results.set(result.callId, result)
  }
}

function close(out: ModelMessage[], open: OpenCalls): void {
  const results = open.calls.map(({ callId, name }) => {
    const result = open.results.get(callId)
    return result === undefined ? unanswered(callId, name) : { ...result, name }
  })
  out.push({ role: 'tool', results })
  addUser(out, open.later)
}

function unanswered(callId: string, name: string): ToolAnswer {
  const text = 'Error: no result of this call was recorded.'
  return { callId, name, isError: true, content: [{ type: 'text', text }] }
}

function addUser(out: ModelMessage[], content: readonly ContentBlock[]): void {
  const blocks = content.filter((block) => block.type !== 'text' || block.text.trim() !== '')
  if (blocks.length === 0) return
  const last = out.at(-1)
  if (last?.role === 'user') out[out.length - 1] = { role: 'user', content: [...last.content, ...blocks] }
  else out.push({ role: 'user', content: blocks })
}

function addAssistant(out: ModelMessage[], parts: AssistantPart[]): void {
  const last = out.at(-1)
  if (last?.role === 'assistant')
    out[out.length - 1] = { role: 'assistant', parts: [...last.parts, ...parts] }
  else out.push({ role: 'assistant', parts })
}
