// What concerns the session as a whole: turns, plan, usage, compaction, notices.
import type { Cost, SessionUpdate } from '@agentclientprotocol/sdk'
import type { AnyEvent, EventOf, StopReason } from '#session/event.ts'
import { clipText } from '#bridge/cards/clip.ts'
import { closeCalls, type CallEvent } from './calls.ts'
import { chunks, type ChatEvent } from './chat.ts'
import { pushSetting } from './settings.ts'
import type { State } from './state.ts'

export type RestEvent = Exclude<AnyEvent, ChatEvent | CallEvent>

export function pushSession(state: State, event: RestEvent): SessionUpdate[] {
  switch (event.type) {
    case 'turn_start':
      return begin(state)
    case 'turn_end':
      return end(state, ENDED[event.stopReason])
    case 'turn_failed':
      return failed(state, event.error.message)
    case 'step_end':
      return usage(state, event)
    case 'todos':
      return [
        {
          sessionUpdate: 'plan',
          entries: event.todos.map(({ content, priority, status }) => ({ content, priority, status })),
        },
      ]
    case 'compaction':
      return compacted(state, event)
    case 'compaction_state':
      return compacting(state, event)
    case 'retry':
      return retry(state, event)
    case 'notice':
      return notice(state, event)
    default:
      return pushSetting(state, event)
  }
}

const ENDED: Record<StopReason, string> = {
  cancelled: 'Cancelled.',
  end_turn: 'The turn ended before this call did.',
  max_tokens: 'The turn ended before this call did: the output limit was reached.',
  max_turn_requests: 'The turn ended before this call did: the limit of model requests was reached.',
  refusal: 'The turn ended before this call did: the model refused to go on.',
}

function begin(state: State): SessionUpdate[] {
  state.inTurn = true
  state.ended = false
  const { held } = state
  state.held = []
  return held
}

function end(state: State, reason: string): SessionUpdate[] {
  const closed = closeCalls(state, reason)
  state.streamed.clear()
  state.inTurn = false
  state.ended = true
  return closed
}

/** Live the error is the answer to the prompt; on replay nothing else tells of it. */
function failed(state: State, message: string): SessionUpdate[] {
  const told = state.replay
    ? notice(state, { severity: 'error', title: 'The turn failed', description: message })
    : []
  return [...told, ...end(state, `The turn failed: ${message}`)]
}

/** Tokens in the window after a step, and what all steps cost; nothing where the provider did not count. */
function usage(state: State, event: EventOf<'step_end'>): SessionUpdate[] {
  const { cost: spent } = event.usage ?? {}
  if (spent) state.cost = sum(state.cost, spent)
  const used = (event.usage?.inputTokens ?? 0) + (event.usage?.outputTokens ?? 0)
  if (used === 0 || event.contextWindow === undefined) return []
  const { cost } = state
  return [{ sessionUpdate: 'usage_update', used, size: event.contextWindow, ...(cost && { cost }) }]
}

/** Amounts of two currencies don't add up: the newer one counts from there. */
function sum(before: Cost | undefined, { amount, currency }: Cost): Cost {
  const known = before?.currency === currency ? before.amount : 0
  return { amount: Number((known + amount).toFixed(10)), currency }
}

/** Where the client has no place for it, a thought of the turn says what became of the conversation. */
function compacted(state: State, event: EventOf<'compaction'>): SessionUpdate[] {
  const { compactionId, before, after } = event
  if (state.profile.compaction) {
    const summary = [{ type: 'text' as const, text: clipText(event.summary) }]
    return [{ sessionUpdate: 'compaction_update', compactionId, status: 'completed', summary }]
  }
  if (!state.inTurn) return []
  return paragraph(
    state,
    'agent_thought_chunk',
    `The conversation was compacted: ${before} → ${after} tokens.`,
  )
}

function compacting(state: State, event: EventOf<'compaction_state'>): SessionUpdate[] {
  if (!state.profile.compaction) return []
  const { compactionId, status, error } = event
  return [{ sessionUpdate: 'compaction_update', compactionId, status, ...(error !== undefined && { error }) }]
}

/** A reason that was told for the attempt before is not told a second time. */
function retry(state: State, { reason, attempt, delayMs }: EventOf<'retry'>): SessionUpdate[] {
  const when = `attempt ${attempt}, in ${(delayMs / 1000).toFixed(1)} s`
  const description = attempt > 1 && state.retried === reason ? when : `${reason} (${when})`
  state.retried = reason
  return notice(state, { severity: 'warning', title: 'Trying again', description })
}

/** A notice where the client shows them; otherwise chat text, held until a turn runs. */
function notice(
  state: State,
  event: Pick<EventOf<'notice'>, 'severity' | 'title' | 'description'>,
): SessionUpdate[] {
  const { severity, title, description } = event
  if (state.profile.notices) {
    return [{ sessionUpdate: 'notice', severity, title, ...(description !== undefined && { description }) }]
  }
  const text = `${title}${description ? `: ${description}` : ''}`
  const kind = severity === 'error' ? 'agent_message_chunk' : 'agent_thought_chunk'
  return spoken(state, paragraph(state, kind, text))
}

/** Behind another paragraph of ours the empty line is there already. */
function paragraph(state: State, kind: NonNullable<State['apart']>, text: string): SessionUpdate[] {
  const before = state.apart === kind ? '' : '\n\n'
  state.apart = kind
  return chunks(kind, `${before}${text}\n\n`)
}

/** Chat text goes out in a turn; between turns it waits for the next. */
function spoken(state: State, updates: SessionUpdate[]): SessionUpdate[] {
  if (state.inTurn) return updates
  state.held.push(...updates)
  return []
}
