// The conversation: from the log to the messages that a model is sent. Pure.
import type {
  AssistantMessage,
  AssistantPart,
  AssistantToolCall,
  ModelMessage,
  ToolAnswer,
} from '#model/message.ts'
import type { SessionEvent } from './event.ts'

const LOST = 'Error: the result of this call was lost'

/**
 * Every call of every assistant message gets exactly one answer, in the order of the calls. Interrupted messages keep
 * their text and no calls, and are left out when the step was tried again.
 */
export function conversationOf(events: readonly SessionEvent[]): ModelMessage[] {
  const messages: ModelMessage[] = []
  const open = new Map<string, ToolAnswer>()
  events.forEach((event, index) => {
    if (event.type === 'user_message') messages.push({ role: 'user', content: event.message.content })
    else if (event.type === 'assistant_message') {
      if (event.interrupted) pushInterrupted(event.message, events, index, messages)
      else pushAssistant(event.message, messages, open)
    } else if (event.type === 'tool_result') {
      const answer = open.get(event.callId)
      if (answer !== undefined) Object.assign(answer, { content: event.content, isError: event.isError })
      open.delete(event.callId)
    } else if (event.type === 'cwd') messages.push(movedMessage(event.cwd))
  })
  return messages
}

function movedMessage(cwd: string): ModelMessage {
  return {
    role: 'user',
    content: [{ type: 'text', text: `The working directory of this session is now ${cwd}.` }],
  }
}

function pushAssistant(
  message: AssistantMessage,
  messages: ModelMessage[],
  open: Map<string, ToolAnswer>,
): void {
  if (message.parts.length === 0) return
  messages.push({ role: 'assistant', parts: message.parts })
  const calls = message.parts.filter((part): part is AssistantToolCall => part.type === 'tool_call')
  if (calls.length === 0) return
  const results = calls.map(({ callId, name }): ToolAnswer => {
    const answer: ToolAnswer = { callId, name, content: [{ type: 'text', text: LOST }], isError: true }
    open.set(callId, answer)
    return answer
  })
  messages.push({ role: 'tool', results })
}

function pushInterrupted(
  message: AssistantMessage,
  events: readonly SessionEvent[],
  index: number,
  messages: ModelMessage[],
): void {
  const next = events
    .slice(index + 1)
    .find((event) => event.type !== 'call_withdrawn' && event.type !== 'step_end')
  if (next?.type === 'retry') return
  const parts = message.parts.filter(
    (part): part is Extract<AssistantPart, { type: 'text' }> => part.type === 'text',
  )
  if (parts.length > 0)
    messages.push({ role: 'assistant', parts: parts.map(({ text }) => ({ type: 'text', text })) })
}
