// The conversation: from the log to the messages that a model is sent. Pure.
import { type ContentBlock, textOf } from '#model/content.ts'
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
  return new Conversation().of(events)
}

/** The conversation of a log that grows: what was made of its beginning is kept, and never changed. */
export class Conversation {
  #builder: Builder | undefined
  #taken = 0

  /** `events`: those of the call before, and more behind them. */
  of(events: readonly LoggedEvent[]): ModelMessage[] {
    let added: readonly LoggedEvent[] = events.slice(this.#taken)
    if (this.#builder === undefined || added.some(isShortening)) {
      this.#builder = new Builder(events)
      added = events
    }
    const builder = this.#builder
    for (const event of added) if (event.seq > builder.start) builder.take(event)
    this.#taken = events.length
    return [...builder.messages]
  }
}

function isShortening({ type }: LoggedEvent): boolean {
  return type === 'compaction' || type === 'pruned'
}

/** Where the answer to an open call stands. */
interface Place {
  message: number
  result: number
}

class Builder {
  readonly messages: ModelMessage[] = []
  /** Events up to this number are covered by a summary. */
  readonly start: number
  readonly #prunedThrough: number
  readonly #open = new Map<string, Place>()
  /** Whether the last message is that of a step which may be tried again. */
  #interrupted = false

  constructor(events: readonly LoggedEvent[]) {
    const compaction = events.findLast((event) => event.type === 'compaction')
    this.start = compaction?.through ?? 0
    this.#prunedThrough = events.findLast((event) => event.type === 'pruned')?.through ?? 0
    if (compaction !== undefined) this.#say(compaction.summary)
  }

  take(event: LoggedEvent): void {
    if (event.type === 'call_withdrawn' || event.type === 'step_end') return
    if (this.#interrupted && event.type === 'retry') this.messages.pop()
    this.#interrupted = false
    if (event.type === 'user_message') this.messages.push({ role: 'user', content: event.message.content })
    else if (event.type === 'assistant_message') {
      if (event.interrupted) this.#cut(event.message)
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
    const results = calls.map(({ callId, name }, result): ToolAnswer => {
      this.#open.set(callId, { message: this.messages.length, result })
      return { callId, name, content: [{ type: 'text', text: LOST }], isError: true }
    })
    this.messages.push({ role: 'tool', results })
  }

  #result({ seq, callId, content, isError }: LoggedEvent & ToolResultEvent): void {
    const place = this.#open.get(callId)
    const message = this.messages[place?.message ?? -1]
    this.#open.delete(callId)
    if (place === undefined || message?.role !== 'tool') return
    const long = content.some((block) => block.type !== 'text') || textOf(content).length > SHORT
    const pruned = seq <= this.#prunedThrough && long
    const given: ContentBlock[] = pruned ? [{ type: 'text', text: PRUNED }] : content
    const results = message.results.map((answer, index) =>
      index === place.result ? { ...answer, content: given, isError } : answer,
    )
    this.messages[place.message] = { role: 'tool', results }
  }

  #cut(message: AssistantMessage): void {
    const parts = message.parts.filter(
      (part): part is Extract<AssistantPart, { type: 'text' }> => part.type === 'text',
    )
    if (parts.length === 0) return
    this.messages.push({ role: 'assistant', parts: parts.map(({ text }) => ({ type: 'text', text })) })
    this.#interrupted = true
  }
}
