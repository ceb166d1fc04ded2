// Histories of every shape, as property tests need them.
import fc from 'fast-check'
import type { AssistantPart, ModelMessage, ToolAnswer } from '#model/message.ts'
import type { LoggedEvent, SessionEvent } from '#session/event.ts'

const text = fc.constantFrom('', ' \n', 'Hello.', 'half \ud83d', 'Grüße 🚢', 'x '.repeat(40))
const callId = fc.constantFrom(
  'a',
  'b',
  'call_0',
  'functions.read:0',
  'functions_read_0',
  'ü',
  '',
  'l'.repeat(90),
)
const toolName = fc.constantFrom('read', 'no such/tool', '', '9lives', 'n'.repeat(80), 'mcp__ü__x')
const args = fc.constantFrom<AssistantPart & { type: 'tool_call' }>(
  { type: 'tool_call', callId: '', name: '', arguments: { path: 'x\ud800' } },
  { type: 'tool_call', callId: '', name: '', arguments: {} },
  { type: 'tool_call', callId: '', name: '', arguments: '{"path', malformed: true },
  { type: 'tool_call', callId: '', name: '', arguments: ['no object'] },
)
/** What providers attach, whole and cut off in the middle of a stream. */
const provider = fc.constantFrom(
  undefined,
  { by: 'anthropic', data: { anthropic: { signature: 'SIG' } } },
  { by: 'anthropic', model: 'claude-sonnet-4-5', data: { anthropic: { redactedData: 'RED' } } },
  { by: 'anthropic', model: 'claude-sonnet-4-5', data: {} },
  { by: 'openai', model: 'gpt-5.5', data: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'ENC' } } },
  { by: 'openai', model: 'gpt-5.5', data: { openai: { itemId: 'rs_2', reasoningEncryptedContent: null } } },
  { by: 'openai', model: 'gpt-5.5', data: { openai: { itemId: 'msg_1' } } },
  { by: 'google', model: 'gemini-3.8-flash', data: { google: { thoughtSignature: 'SIG' } } },
  { by: 'openai-compatible', data: {} },
  { by: 'deepseek', data: {} },
)
const part: fc.Arbitrary<AssistantPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text, provider }),
  fc.record({ type: fc.constant('thought' as const), text, provider }),
  fc.tuple(args, callId, toolName, provider).map(([call, id, name, own]) => ({
    ...call,
    callId: id,
    name,
    provider: own,
  })),
) as fc.Arbitrary<AssistantPart>
const block = fc.oneof(
  text.map((value) => ({ type: 'text' as const, text: value })),
  fc.constantFrom(
    { type: 'image' as const, data: 'QUJD', mimeType: 'image/png' },
    { type: 'image' as const, data: 'QUJD', mimeType: 'image/tiff' },
    { type: 'audio' as const, data: 'QUJD', mimeType: 'audio/wav' },
    { type: 'resource_link' as const, uri: 'file:///a', name: 'a' },
  ),
)
const content = fc.array(block, { maxLength: 3 })
const answer: fc.Arbitrary<ToolAnswer> = fc.record({ callId, name: toolName, content, isError: fc.boolean() })
export const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content }),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 5 }) }),
  fc.record({ role: fc.constant('tool' as const), results: fc.array(answer, { maxLength: 4 }) }),
)

/** A turn as the loop logs it: steps with calls, each maybe interrupted, tried again, cancelled. */
export interface Turn {
  steps: {
    parts: AssistantPart[]
    interrupted: boolean
    retried: boolean
    answered: number
    steering: boolean
  }[]
}
export const turn: fc.Arbitrary<Turn> = fc.record({
  steps: fc.array(
    fc.record({
      parts: fc.array(part, { maxLength: 4 }),
      interrupted: fc.boolean(),
      retried: fc.boolean(),
      answered: fc.nat(4),
      steering: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
})

let counter = 0
export function eventsOf({ steps }: Turn): SessionEvent[] {
  const turnId = `t${counter++}`
  const said = (words: string): SessionEvent => ({
    type: 'user_message',
    message: { id: `u${counter++}`, content: [{ type: 'text', text: words }], source: { kind: 'user' } },
  })
  const events: SessionEvent[] = [{ type: 'turn_start', turnId }, said('Do it.')]
  for (const [step, { parts, interrupted, retried, answered, steering }] of steps.entries()) {
    const messageId = `m${counter++}`
    const own = parts.map((each) => (each.type === 'tool_call' ? { ...each, callId: `c${counter++}` } : each))
    const calls = own.filter((each) => each.type === 'tool_call')
    events.push({ type: 'step_start', step, model: 'm' })
    const body = { id: messageId, parts: own }
    events.push({
      type: 'assistant_message',
      message: body,
      ...(interrupted && { interrupted: true as const }),
    })
    if (interrupted) {
      if (retried) events.push({ type: 'retry', attempt: 1, delayMs: 1, reason: 'reset' })
      continue
    }
    for (const { callId: id, name } of calls) events.push({ type: 'tool_call', callId: id, name, messageId })
    for (const { callId: id } of calls.slice(0, answered)) {
      events.push({ type: 'tool_started', callId: id })
      events.push({
        type: 'tool_result',
        callId: id,
        isError: false,
        content: [{ type: 'text', text: id.endsWith('3') ? 'a long result '.repeat(60) : 'ok' }],
      })
    }
    if (steering) events.push(said('Rather this.'))
  }
  return [...events, { type: 'turn_end', turnId, stopReason: 'end_turn' }]
}

export function numbered(events: readonly SessionEvent[]): LoggedEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, at: '2026-01-01T00:00:00.000Z' }))
}

/** Where and how a log was shortened: at any place, covering any part of what lies before. */
export interface Shortening {
  kind: 'compaction' | 'pruned'
  at: number
  covers: number
}
export const shortening: fc.Arbitrary<Shortening> = fc.record({
  kind: fc.constantFrom('compaction' as const, 'pruned' as const),
  at: fc.nat(),
  covers: fc.nat(),
})

/** The log with these in it. */
export function shortened(
  events: readonly SessionEvent[],
  shortenings: readonly Shortening[],
): LoggedEvent[] {
  const out: (SessionEvent | Shortening)[] = [...events]
  for (const each of shortenings) out.splice(each.at % (out.length + 1), 0, each)
  return numbered(
    out.map((item, index): SessionEvent => {
      if (!('kind' in item)) return item
      const through = item.covers % (index + 1)
      if (item.kind === 'pruned') return { type: 'pruned', through }
      const compactionId = `k${counter++}`
      return { type: 'compaction', compactionId, through, summary: 'What was done.', before: 2, after: 1 }
    }),
  )
}
