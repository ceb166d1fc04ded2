// The conversation: from the log to the messages that a model is sent. Pure.
import { textOf } from '#model/content.ts'
import type {
  AssistantMessage,
  AssistantPart,
  AssistantToolCall,
  ModelMessage,
  ToolAnswer,
} from '#model/message.ts'
import type { LoggedEvent, ToolResultEvent } from './event.ts'

const LOST = 'Error: the result of this call was lost'
const PRUNED = '(This result was removed to save room. Call the tool again if you need it.)'
/** Characters of a result that pruning leaves alone. */
const SHORT = 400

/**
 * Every call of every assistant message gets exactly one answer, in the order of the calls. Interrupted messages keep
 * their text and no calls, and are left out when the step was tried again. A compaction stands for what it covers.
 */
export function conversationOf(events: readonly LoggedEvent[]): ModelMessage[] {
  const builder = new Builder(events)
  for (const [index, event] of events.entries()) if (event.seq > builder.start) builder.take(event, index)
  return builder.messages
}

class Builder {
  readonly messages: ModelMessage[] = []
  /** Events up to this number are covered by a summary. */
  readonly start: number
  readonly #events: readonly LoggedEvent[]
  readonly #prunedThrough: number
  readonly #open = new Map<string, ToolAnswer>()

  constructor(events: readonly LoggedEvent[]) {
    this.#events = events
    const compaction = events.findLast((event) => event.type === 'compaction')
    this.start = compaction?.through ?? 0
    this.#prunedThrough = events.findLast((event) => event.type === 'pruned')?.through ?? 0
    if (compaction !== undefined) this.#say(compaction.summary)
  }

  take(event: LoggedEvent, index: number): void {
    if (event.type === 'user_message') this.messages.push({ role: 'user', content: event.message.content })
    else if (event.type === 'assistant_message') {
      if (event.interrupted) this.#interrupted(event.message, index)
      else this.#assistant(event.message)
    } else if (event.type === 'tool_result') this.#result(event)
    else if (event.type === 'cwd') this.#say(`The working directory of this session is now ${event.cwd}.`)
    else if (event.type === 'rewound') {
      this.#say(
        `The user has undone your changes of these files; read them again before you rely on them:\n${event.paths.join('\n')}`,
      )
    }
  }

  #say(text: string): void {
    this.messages.push({ role: 'user', content: [{ type: 'text', text }] })
  }

  #assistant(message: AssistantMessage): void {
    if (message.parts.length === 0) return
    this.messages.push({ role: 'assistant', parts: message.parts })
    const calls = message.parts.filter((part): part is AssistantToolCall => part.type === 'tool_call')
    if (calls.length === 0) return
    const results = calls.map(({ callId, name }): ToolAnswer => {
      const answer: ToolAnswer = { callId, name, content: [{ type: 'text', text: LOST }], isError: true }
      this.#open.set(callId, answer)
      return answer
    })
    this.messages.push({ role: 'tool', results })
  }

  #result({ seq, callId, content, isError }: LoggedEvent & ToolResultEvent): void {
    const answer = this.#open.get(callId)
    this.#open.delete(callId)
    if (answer === undefined) return
    const long = content.some((block) => block.type !== 'text') || textOf(content).length > SHORT
    answer.content = seq <= this.#prunedThrough && long ? [{ type: 'text', text: PRUNED }] : content
    answer.isError = isError
  }

  #interrupted(message: AssistantMessage, index: number): void {
    const behind = this.#events.slice(index + 1)
    const next = behind.find((event) => event.type !== 'call_withdrawn' && event.type !== 'step_end')
    if (next?.type === 'retry') return
    const parts = message.parts.filter(
      (part): part is Extract<AssistantPart, { type: 'text' }> => part.type === 'text',
    )
    if (parts.length === 0) return
    this.messages.push({ role: 'assistant', parts: parts.map(({ text }) => ({ type: 'text', text })) })
  }
}
