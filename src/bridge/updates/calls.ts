// The life of a call on the wire: announced, refined, running, ended.
import { isDeepStrictEqual } from 'node:util'
import type { SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import { assertNever, type ToolCallView } from '#registry/view.ts'
import type { EventOf, ToolResultEvent } from '#session/event.ts'
import { textContent } from '#bridge/cards/card.ts'
import { clipJson } from '#bridge/cards/clip.ts'
import { renderPrompt } from '#bridge/cards/render-call.ts'
import { liveConsole } from '#bridge/cards/terminal.ts'
import { createCall, snapshot, update, type Call, type Meta } from './call.ts'
import { agree, grow, whole } from './early.ts'
import { reported, takeOutput } from './output.ts'
import {
  type Drawn,
  drawCall,
  drawResult,
  fallbackView,
  hasPreview,
  viewCall,
  viewResult,
} from './presenting.ts'
import { contextOf, type State } from './state.ts'

export type CallEvent = EventOf<
  | 'call_start'
  | 'call_delta'
  | 'tool_call'
  | 'code_call'
  | 'call_withdrawn'
  | 'tool_preview'
  | 'approval_asked'
  | 'tool_started'
  | 'tool_output'
  | 'tool_progress'
  | 'tool_result'
>

export function pushCall(state: State, event: CallEvent): SessionUpdate[] {
  switch (event.type) {
    case 'call_start':
      return begin(state, event)
    case 'call_delta':
      return stream(state, event)
    case 'tool_call':
      return announce(state, open(state, event.callId, event.name), state.arguments.get(event.callId))
    case 'code_call':
      return announce(state, open(state, event.callId, event.name, event.parentId), event.arguments)
    case 'call_withdrawn':
      return withdraw(state.calls.get(event.callId) ?? open(state, event.callId, event.name), event.reason)
    case 'tool_preview':
      return preview(state, event.callId, event.view)
    case 'approval_asked':
      return running(state, event.callId, (call) => release(state, call))
    case 'tool_started':
      return running(state, event.callId, (call) => release(state, call, { status: 'in_progress' }))
    case 'tool_output':
      return running(state, event.callId, (call) => output(call, event.data))
    case 'tool_progress':
      return running(state, event.callId, (call) => progress(call, event))
    case 'tool_result':
      return finish(state, event)
    default:
      return assertNever(event)
  }
}

/** Ends every open card as failed, for a turn that is over. */
export function closeCalls(state: State, reason: string): SessionUpdate[] {
  const updates = [...state.calls.values()].flatMap((call) => {
    if (!call.sent || call.done) return []
    return result(state, call, {
      type: 'tool_result',
      callId: call.id,
      isError: true,
      content: [{ type: 'text', text: reason }],
      view: null,
    })
  })
  state.calls.clear()
  state.arguments.clear()
  return updates
}

/** The card of a call for a permission prompt; undefined for a call that was never announced. */
export function promptCard(state: State, callId: string): ToolCallUpdate | undefined {
  const call = state.calls.get(callId)
  if (!call?.sent) return undefined
  const card = renderPrompt(call.view, contextOf(state, call))
  return snapshot(call, card, cardMeta(state, call.view))
}

/** The card of a call that begins; a provider that counts its ids anew in every step gets a new card. */
function open(state: State, callId: string, name: string, parentId?: string): Call {
  const known = state.calls.get(callId)
  if (known && !known.done) return known
  const call = createCall(callId, name, parentId)
  state.calls.set(callId, call)
  return call
}

function running(state: State, callId: string, work: (call: Call) => SessionUpdate[]): SessionUpdate[] {
  const call = state.calls.get(callId)
  return call?.sent && !call.done ? work(call) : []
}

/** Another call begins: the arguments of those before it are whole, and cards come in the model's order. */
function begin(state: State, event: EventOf<'call_start'>): SessionUpdate[] {
  if (state.ended) return []
  const updates: SessionUpdate[] = []
  for (const call of state.calls.values()) {
    if (call.sent) continue
    const args = whole(call.early)
    if (args !== undefined) updates.push(...early(state, call, args, true))
    if (!call.sent) break
  }
  open(state, event.callId, event.name)
  return updates
}

function stream(state: State, event: EventOf<'call_delta'>): SessionUpdate[] {
  const call = state.calls.get(event.callId)
  const args = call && grow(call.early, event.delta)
  return !call || call.sent || args === undefined || !isNext(state, call)
    ? []
    : early(state, call, args, false)
}

/** Title and places ahead of the rest; commands wait until they are whole and certain to run. */
function early(state: State, call: Call, args: JsonValue, complete: boolean): SessionUpdate[] {
  const view = viewCall(state.presenting, call.name, args)
  if (view?.card === 'terminal') call.early.stopped = true
  if (!view || view.card === 'terminal') return []
  const drawn = drawing(state, call, view, args)
  if (complete) call.ahead = { args, drawn }
  const sure = complete ? drawn.card : agree(call.early, drawn.card)
  if (!sure) return []
  call.early.stopped = true
  call.title = sure.title
  return update(call, { title: sure.title, kind: sure.kind, locations: sure.locations })
}

/** Whether all calls before this one are announced. */
function isNext(state: State, call: Call): boolean {
  for (const other of state.calls.values()) {
    if (other === call) return true
    if (!other.sent) return false
  }
  return false
}

function announce(state: State, call: Call, args: JsonValue | undefined): SessionUpdate[] {
  call.args = args
  const drawn =
    call.ahead && isDeepStrictEqual(call.ahead.args, args)
      ? call.ahead.drawn
      : drawing(state, call, viewCall(state.presenting, call.name, args) ?? fallbackView(call.name, args))
  call.ahead = undefined
  const hold = drawn.view.card !== 'terminal' && hasPreview(state.presenting, call.name)
  // A card of a kind tells enough until the call begins; one more message for each call would not pay.
  const told = call.sent !== undefined && drawn.card.kind !== 'other' && !state.profile.cardMeta
  const later = told ? 'rawInput' : undefined
  return draw(state, call, drawn, hold ? 'content' : later)
}

/** What was held back: for a preview that did not come, or for the next message. */
function release(state: State, call: Call, fields: { status?: 'in_progress' } = {}): SessionUpdate[] {
  const { held } = call
  call.held = undefined
  return update(call, { ...held, ...fields }, held ? cardMeta(state, call.view) : {})
}

function preview(state: State, callId: string, view: ToolCallView): SessionUpdate[] {
  const call = state.calls.get(callId)
  return call ? draw(state, call, drawing(state, call, view)) : []
}

function drawing(state: State, call: Call, given: ToolCallView, args = call.args): Drawn {
  const view = given.card === 'generic' && given.rawInput === undefined ? { ...given, rawInput: args } : given
  return drawCall(state.presenting, { name: call.name, args }, view, contextOf(state, call))
}

/** `hold`: what waits for a later message. */
function draw(state: State, call: Call, drawn: Drawn, hold?: 'content' | 'rawInput'): SessionUpdate[] {
  const {
    view,
    card: { terminal, ...card },
  } = drawn
  call.view = view
  call.title = card.title
  call.terminal ||= terminal !== undefined
  const fields = { ...card, rawInput: clipJson(card.rawInput) }
  call.held = undefined
  if (hold !== undefined) {
    const { [hold]: held, ...rest } = fields
    call.held = { [hold]: held }
    return update(call, rest)
  }
  const info = terminal && !call.sent ? { terminal_info: { terminal_id: call.id, cwd: terminal.cwd } } : {}
  return update(call, fields, { ...info, ...cardMeta(state, view) })
}

function output(call: Call, data: string): SessionUpdate[] {
  const now = takeOutput(call.output, data)
  if (call.terminal) {
    return now === '' ? [] : update(call, {}, { terminal_output: { terminal_id: call.id, data: now } })
  }
  if (call.view.card === 'diff') return []
  return update(call, { content: liveConsole(call.output.tail) })
}

function progress(call: Call, event: EventOf<'tool_progress'>): SessionUpdate[] {
  if (call.view.card === 'terminal') return []
  const count =
    event.done === undefined
      ? ''
      : event.total === undefined
        ? `${event.done}`
        : `${event.done}/${event.total}`
  const tail = [event.message?.replaceAll(/\s+/g, ' ').slice(0, 100) ?? '', count]
    .filter((part) => part !== '')
    .join(' ')
  return update(call, { title: tail === '' ? call.title : `${call.title} — ${tail}` })
}

/** What half an argument text promised is taken back: the log does not hold it either. */
function withdraw(call: Call, reason: string): SessionUpdate[] {
  const view = fallbackView(call.name, undefined)
  call.view = view
  call.title = view.title
  const announced = call.sent ? [] : update(call, {})
  const rest = { title: view.title, kind: 'other' as const, locations: [], content: [textContent(reason)] }
  return [...announced, ...update(call, { ...rest, status: 'failed' })]
}

function finish(state: State, event: ToolResultEvent): SessionUpdate[] {
  const known = state.calls.get(event.callId)
  if (known?.done || (!known && state.ended)) return []
  const call = known ?? open(state, event.callId, 'tool')
  const announced = call.sent ? [] : announce(state, call, state.arguments.get(call.id))
  return [...announced, ...result(state, call, event)]
}

function result(state: State, call: Call, event: ToolResultEvent): SessionUpdate[] {
  const view = viewResult(state.presenting, call.name, call.args, event)
  const input = {
    content: event.content,
    isError: event.isError,
    call: call.view,
    output: reported(call.output),
  }
  const ctx = contextOf(state, call)
  const { terminal, ...card } = drawResult(state.presenting, call.name, view, input, ctx)
  const raw = isJsonObject(event.meta) ? event.meta['rawOutput'] : undefined
  const { held } = call
  call.held = undefined
  return update(
    call,
    {
      title: call.title,
      ...held,
      ...card,
      status: event.isError ? 'failed' : 'completed',
      ...(raw !== undefined && { rawOutput: clipJson(raw) }),
    },
    {
      ...(terminal && call.terminal && terminalEnd(call.id, terminal)),
      ...(view ? cardMeta(state, view) : held ? cardMeta(state, call.view) : {}),
    },
  )
}

function terminalEnd(
  id: string,
  end: { data: string; exitCode: number | null; signal: string | null },
): Meta {
  return {
    ...(end.data !== '' && { terminal_output: { terminal_id: id, data: end.data } }),
    terminal_exit: { terminal_id: id, exit_code: end.exitCode, signal: end.signal },
  }
}

function cardMeta(state: State, view: object): Meta {
  return state.profile.cardMeta ? { 'deckhand/card': view } : {}
}
