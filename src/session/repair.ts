// Repair: what a log needs behind it so that every call has a result and every turn an end. Pure.
import type { SessionEvent } from './event.ts'

const NOT_STARTED = 'the session ended before this call was started; nothing was done'
const UNKNOWN_OUTCOME =
  'the session ended while this call ran: its effects may have happened, and a command may still be running; check before you repeat it'

/** The events to append, in order; none for a log that ended well. */
export function repairEvents(events: readonly SessionEvent[]): SessionEvent[] {
  const open = new Map<string, 'called' | 'started'>()
  const asked = new Set<string>()
  let turnId: string | undefined
  for (const event of events) {
    switch (event.type) {
      case 'turn_start':
        turnId = event.turnId
        break
      case 'turn_end':
      case 'turn_failed':
        turnId = undefined
        break
      case 'tool_call':
      case 'code_call':
        open.set(event.callId, 'called')
        break
      case 'tool_started':
        open.set(event.callId, 'started')
        break
      case 'tool_result':
        open.delete(event.callId)
        break
      case 'approval_asked':
        asked.add(event.callId)
        break
      case 'approval_decided':
        asked.delete(event.callId)
    }
  }
  const closing: SessionEvent[] = [...asked].map((callId) => ({ type: 'approval_decided', callId, decision: { outcome: 'cancelled' } }))
  for (const [callId, state] of open) closing.push(lostResult(callId, state))
  if (turnId !== undefined) {
    const error = { code: 'interrupted', message: 'Deckhand stopped before this turn was finished.' }
    closing.push({ type: 'turn_failed', turnId, error })
  }
  return closing
}

function lostResult(callId: string, state: 'called' | 'started'): SessionEvent {
  const [code, message] =
    state === 'called' ? ['TOOL_NOT_STARTED', NOT_STARTED] : ['TOOL_OUTCOME_UNKNOWN', UNKNOWN_OUTCOME]
  return {
    type: 'tool_result',
    callId,
    isError: true,
    content: [{ type: 'text', text: `Error: ${message}` }],
    error: { message, info: { name: 'ToolError', code } },
  }
}
