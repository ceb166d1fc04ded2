// Compaction: when a conversation nears the end of the window, old results go first, then a summary stands for the past.
import { randomUUID } from 'node:crypto'
import { textOf } from '#model/content.ts'
import type { ModelMessage } from '#model/message.ts'
import type { Model, ModelRequest, ToolSchema } from '#model/port.ts'
import { untilAborted } from '#model/until-aborted.ts'
import { conversationOf } from '#session/conversation.ts'
import type { LoggedEvent } from '#session/event.ts'
import { ModelError } from '#model/error.ts'
import { countedTokens, estimateAdded, estimateText, estimateTokens } from './context-size.ts'
import type { LiveSession } from './live-session.ts'
import type { CompactionOutcome } from './port.ts'

/** Share of the window at which a conversation is shortened before the next request. */
const FULL = 0.8
/** Share of the window that pruning must leave free to be enough by itself. */
const PRUNED_ENOUGH = 0.6
/** Share of the window that the last turns may keep. */
const KEPT = 0.25

const INSTRUCTION = `Your context is nearly full. Write a summary of the conversation so far that lets you go on without it. State, in this order and in full sentences:
1. what the user asked for, with their own words where they matter, and every constraint they gave;
2. what has been done: files read and changed (with paths), commands run and what they showed;
3. decisions that were made and why;
4. what is still to do, and the very next step.
Do not call tools. Do not address the user. Write only the summary.`

export interface CompactionInput {
  session: LiveSession
  model: Model
  system: string
  tools: readonly ToolSchema[]
  signal: AbortSignal
  /** Tokens that a request has at the time of the call; counted anew by default. */
  size?: () => number
}

/** Tokens that the next request will have; `conversation` is that of the events. */
export function contextTokens(
  events: readonly LoggedEvent[],
  system: string,
  tools: readonly ToolSchema[],
  conversation: () => readonly ModelMessage[] = () => conversationOf(events),
): number {
  const counted = countedTokens(events)
  if (counted !== undefined) return counted.tokens + estimateAdded(events.slice(counted.index + 1))
  return estimateTokens(conversation()) + estimateText(system) + estimateText(JSON.stringify(tools))
}

/** Shortens the conversation if it is nearly full. A failed attempt leaves the history as it was. Rejects when aborted. */
export async function makeRoom(input: CompactionInput): Promise<CompactionOutcome> {
  const { session, model, system, tools } = input
  const size = input.size ?? (() => contextTokens(session.history(), system, tools))
  if (size() < model.contextWindow * FULL) return { kind: 'nothing' }
  prune(session, model)
  if (size() < model.contextWindow * PRUNED_ENOUGH) return { kind: 'nothing' }
  return summarize(input)
}

/** Puts notes in place of long results, but for those of the newest quarter of the window. */
function prune(session: LiveSession, model: Model): void {
  const events = session.history()
  const through = keepFrom(events, model.contextWindow * KEPT) - 1
  const pruned = events.findLast((event) => event.type === 'pruned')?.through ?? 0
  if (through > pruned) session.record({ type: 'pruned', through })
}

/** Lets the model write the summary. Rejects with `ModelError('aborted')` only. */
export async function summarize(input: CompactionInput): Promise<CompactionOutcome> {
  const { session, model, system, tools, signal } = input
  const events = session.history()
  const through = keepFrom(events, model.contextWindow * KEPT) - 1
  const covered = conversationOf(events.filter((event) => event.seq <= through))
  if (covered.length < 2) return { kind: 'nothing' }
  const compactionId = randomUUID()
  const before = contextTokens(events, system, tools)
  session.show({ type: 'compaction_state', compactionId, status: 'in_progress' })
  try {
    const text = await askForSummary(model, {
      system,
      tools,
      signal,
      messages: fit(covered, model.contextWindow),
    })
    const summary = `${preface(events, through)}\n\n${text}`
    const kept = conversationOf(events.filter((event) => event.seq > through))
    const after =
      estimateText(summary) +
      estimateTokens(kept) +
      estimateText(system) +
      estimateText(JSON.stringify(tools))
    session.record({ type: 'compaction', compactionId, through, summary, before, after })
    return { kind: 'compacted', before, after }
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown
    const status = signal.aborted ? 'cancelled' : 'failed'
    session.show({ type: 'compaction_state', compactionId, status, error: thrown.message })
    if (signal.aborted) throw thrown
    return { kind: 'failed', message: thrown.message }
  }
}

async function askForSummary(model: Model, request: ModelRequest): Promise<string> {
  const question: ModelMessage = { role: 'user', content: [{ type: 'text', text: INSTRUCTION }] }
  let text = ''
  const stream = model.stream({ ...request, messages: [...request.messages, question] })
  for await (const event of untilAborted(stream, request.signal))
    if (event.type === 'text') text += event.text
  if (text.trim() === '') throw new ModelError('protocol', `${model.provider} wrote no summary.`)
  return text.trim()
}

/** What must survive word for word: the plan, and the request that is being worked on when it is covered. */
function preface(events: readonly LoggedEvent[], through: number): string {
  const lines = ['This is a summary of the conversation so far; its beginning was removed to save room.']
  const todos = events.findLast((event) => event.type === 'todos')?.todos ?? []
  if (todos.length > 0)
    lines.push(`The plan:\n${todos.map(({ content, status }) => `- [${status}] ${content}`).join('\n')}`)
  const request = events.findLast(
    (event) => event.type === 'user_message' && event.message.source.kind === 'user',
  )
  if (request?.type === 'user_message' && request.seq <= through) {
    lines.push(
      `The user's request that you are working on:\n${textOf(request.message.content).slice(0, 20_000)}`,
    )
  }
  return lines.join('\n\n')
}

/**
 * The number of the first event to keep: the oldest border (of a turn, else of a step) behind which what is kept stays
 * below the limit. Nothing of an unfinished batch is ever cut off: its step is the last border at the latest.
 */
function keepFrom(events: readonly LoggedEvent[], maxTokens: number): number {
  const borders = (type: 'turn_start' | 'step_start'): number[] =>
    events.flatMap((event, index) => (event.type === type ? [index] : []))
  const end = (events.at(-1)?.seq ?? 0) + 1
  for (const type of ['turn_start', 'step_start'] as const) {
    const fits = firstThat(
      borders(type),
      (index) => estimateTokens(conversationOf(events.slice(index))) <= maxTokens,
    )
    if (fits !== undefined) return events[fits]?.seq ?? end
  }
  return events.findLast((event) => event.type === 'step_start')?.seq ?? end
}

/** The first item that the test likes, where it likes all behind the first; by halving, as the test is slow. */
function firstThat(items: readonly number[], test: (item: number) => boolean): number | undefined {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (test(items[middle] ?? 0)) high = middle
    else low = middle + 1
  }
  return items[low]
}

/** Drops the oldest messages, a call never without its results, until the rest can be sent. */
function fit(messages: readonly ModelMessage[], contextWindow: number): ModelMessage[] {
  let rest = [...messages]
  while (rest.length > 2 && estimateTokens(rest) > contextWindow * FULL) {
    const next = rest.findIndex((message, index) => index > 0 && message.role !== 'tool')
    rest = rest.slice(next === -1 ? 1 : next)
  }
  return rest
}
