// What concerns the session as a whole: turns, plan, title, usage, mode, notices.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { assertNever } from '#registry/view.ts'
import type { AnyEvent, StopReason } from '#session/event.ts'
import { closeCalls, type CallEvent } from './calls.ts'
import { chunks, type ChatEvent } from './chat.ts'
import type { State } from './state.ts'

type Of<T extends AnyEvent['type']> = Extract<AnyEvent, { type: T }>
export type RestEvent = Exclude<AnyEvent, ChatEvent | CallEvent>

export function pushSession(state: State, event: RestEvent): SessionUpdate[] {
  switch (event.type) {
    case 'turn_start':
      return begin(state)
    case 'turn_end':
      return end(state, ENDED[event.stopReason])
    case 'turn_failed':
      return end(state, `The turn failed: ${event.error.message}`)
    case 'step_end':
      return usage(event)
    case 'todos':
      return [
        {
          sessionUpdate: 'plan',
          entries: event.todos.map(({ content, priority, status }) => ({ content, priority, status })),
        },
      ]
    case 'title':
      return [{ sessionUpdate: 'session_info_update', title: event.title }]
    case 'mode':
      return [{ sessionUpdate: 'current_mode_update', currentModeId: event.modeId }]
    case 'cwd':
      state.cwd = event.cwd
      state.roots = event.roots.map((root) => [root, root] as const)
      return []
    case 'retry':
      return notice(state, { severity: 'warning', title: 'Trying again', description: retryText(event) })
    case 'notice':
      return notice(state, event)
    case 'step_start':
    case 'approval_asked':
    case 'approval_decided':
    case 'observed':
    case 'snapshot':
    case 'model':
      return []
    default:
      return assertNever(event)
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

/** Tokens in the window after a step; nothing where the provider did not count. */
function usage(event: Of<'step_end'>): SessionUpdate[] {
  const used = (event.usage?.inputTokens ?? 0) + (event.usage?.outputTokens ?? 0)
  if (used === 0 || event.contextWindow === undefined) return []
  return [{ sessionUpdate: 'usage_update', used, size: event.contextWindow }]
}

function retryText(event: Of<'retry'>): string {
  return `${event.reason} (attempt ${event.attempt}, in ${(event.delayMs / 1000).toFixed(1)} s)`
}

/** A notice where the client shows them; otherwise chat text, held until a turn runs. */
function notice(
  state: State,
  event: Pick<Of<'notice'>, 'severity' | 'title' | 'description'>,
): SessionUpdate[] {
  const { severity, title, description } = event
  if (state.profile.notices) {
    return [{ sessionUpdate: 'notice', severity, title, ...(description !== undefined && { description }) }]
  }
  const text = `\n\n${title}${description ? `: ${description}` : ''}\n\n`
  const spoken = chunks(severity === 'error' ? 'agent_message_chunk' : 'agent_thought_chunk', text)
  if (state.inTurn) return spoken
  state.held.push(...spoken)
  return []
}
