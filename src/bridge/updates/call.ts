// One call's card as the client knows it: only what changed is sent, and exactly one terminal status.
import { isDeepStrictEqual } from 'node:util'
import type { SessionUpdate, ToolCallStatus, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { JsonValue } from '#json/value.ts'
import type { ToolCallView } from '#registry/view.ts'
import type { CallCard } from '#bridge/cards/card.ts'
import type { ClientProfile } from '#bridge/profile.ts'
import { createEarly, type Early } from './early.ts'
import { createOutput, type Output } from './output.ts'
import { type Drawn, fallbackView } from './presenting.ts'

type Fields = Omit<CallCard, 'terminal'> & { status: ToolCallStatus; rawOutput?: unknown }
export type Meta = Record<string, unknown>

export interface Call {
  readonly id: string
  readonly name: string
  /** The call of Code Mode that this one runs in. */
  readonly parentId: string | undefined
  args: JsonValue | undefined
  view: ToolCallView
  /** The last title of the call's own, without progress. */
  title: string
  /** What the client was sent; undefined before the announcement. */
  sent: Partial<Fields> | undefined
  /** The first message carried `terminal_info`. */
  terminal: boolean
  done: boolean
  /** Drawn from whole arguments before the call itself was there. */
  ahead: { args: JsonValue; drawn: Drawn } | undefined
  /** What waits: content for a preview that may replace it, the input for the next message of a card that is there. */
  held: Partial<Pick<Fields, 'content' | 'rawInput'>> | undefined
  readonly early: Early
  readonly output: Output
}

export function createCall(id: string, name: string, parentId?: string): Call {
  const view = fallbackView(name, undefined)
  return {
    id,
    name,
    parentId,
    args: undefined,
    view,
    title: view.title,
    sent: undefined,
    terminal: false,
    done: false,
    ahead: undefined,
    held: undefined,
    early: createEarly(),
    output: createOutput(),
  }
}

/** The profile for this call: a terminal that was not announced as one can't become one. */
export function profileFor(call: Call, profile: ClientProfile): ClientProfile {
  return call.sent && !call.terminal && profile.terminalMeta ? { ...profile, terminalMeta: false } : profile
}

/** The first message, or one with the fields that differ from what was sent; nothing when there are none. */
export function update(call: Call, fields: Partial<Fields>, meta: Meta = {}): SessionUpdate[] {
  if (call.done) return []
  const head = { toolCallId: call.id }
  if (!call.sent) {
    const first = dropEmpty({
      title: call.title,
      kind: 'other' as const,
      status: 'pending' as const,
      ...fields,
    })
    call.sent = first
    return [
      {
        sessionUpdate: 'tool_call',
        ...head,
        name: call.name,
        ...first,
        _meta: { ...identity(call), ...meta },
      },
    ]
  }
  const changed = changes(call.sent, fields)
  Object.assign(call.sent, changed)
  if (fields.status === 'completed' || fields.status === 'failed') call.done = true
  const hasMeta = Object.keys(meta).length > 0
  if (Object.keys(changed).length === 0 && !hasMeta) return []
  return [{ sessionUpdate: 'tool_call_update', ...head, ...changed, ...(hasMeta && { _meta: meta }) }]
}

/** The call for a permission prompt: everything that was last sent, with the prompt's own title and content. */
export function snapshot(call: Call, card: Pick<CallCard, 'title' | 'content'>, meta: Meta): ToolCallUpdate {
  const { content: _content, status: _status, rawOutput: _rawOutput, ...sent } = call.sent ?? {}
  return {
    toolCallId: call.id,
    name: call.name,
    ...sent,
    title: card.title,
    status: 'pending',
    ...(card.content.length > 0 && { content: card.content }),
    _meta: { ...identity(call), ...meta },
  }
}

function identity(call: Call): Meta {
  return { tool_name: call.name, ...(call.parentId !== undefined && { 'deckhand/parent': call.parentId }) }
}

function dropEmpty<T extends Partial<Fields>>(fields: T): T {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(entries) as T
}

/** Empty lists clear what was sent, and say nothing where nothing was. */
function changes(sent: Partial<Fields>, fields: Partial<Fields>): Partial<Fields> {
  const entries = Object.entries(fields).filter(([key, value]) => {
    const before = sent[key as keyof Fields]
    if (value === undefined) return false
    if (before === undefined && Array.isArray(value)) return value.length > 0
    return before !== value && !isDeepStrictEqual(before, value)
  })
  return Object.fromEntries(entries)
}
