// Repair: what a log needs behind it so that every call has a result and every turn an end. Pure.
import type { SessionEvent } from './event.ts'

const NOT_STARTED = 'the session ended before this call was started; nothing was done'
const UNKNOWN_OUTCOME =
  'the session ended while this call ran: its effects may have happened, and a command may still be running; check before you repeat it'

/** What is still open when a log ends. */
interface Open {
  calls: Map<string, 'called' | 'started'>
  questions: Set<string>
  turnId: string | undefined
}

/** The events to append, in order; none for a log that ended well. */
export function repairEvents(events: readonly SessionEvent[]): SessionEvent[] {
  const open: Open = { calls: new Map(), questions: new Set(), turnId: undefined }
  for (const event of events) follow(event, open)
  const closing: SessionEvent[] = []
  for (const callId of open.questions) {
    closing.push({ type: 'approval_decided', callId, decision: { outcome: 'cancelled' } })
  }
  for (const [callId, state] of open.calls) closing.push(lostResult(callId, state))
  if (open.turnId !== undefined) {
    const error = { code: 'interrupted', message: 'Deckhand stopped before this turn was finished.' }
    closing.push({ type: 'turn_failed', turnId: open.turnId, error })
  }
  return closing
}

function follow(event: SessionEvent, open: Open): void {
  if (event.type === 'turn_start') open.turnId = event.turnId
  else if (event.type === 'turn_end' || event.type === 'turn_failed') open.turnId = undefined
  else if (event.type === 'tool_call' || event.type === 'code_call') open.calls.set(event.callId, 'called')
  else if (event.type === 'tool_started') open.calls.set(event.callId, 'started')
  else if (event.type === 'tool_result') open.calls.delete(event.callId)
  else if (event.type === 'approval_asked') open.questions.add(event.callId)
  else if (event.type === 'approval_decided') open.questions.delete(event.callId)
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
