// Whatever happened to a conversation, what goes to each provider is a request that it accepts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSettings } from '#config/settings.ts'
import type { AssistantPart, ModelMessage, ToolAnswer } from '#model/message.ts'
import type { ThoughtLevel } from '#config/settings.ts'
import type { ModelRequest } from '#model/port.ts'
import { createModelSource } from '#model/source.ts'
import { conversationOf } from '#session/conversation.ts'
import type { LoggedEvent, SessionEvent } from '#session/event.ts'
import { repairEvents } from '#session/repair.ts'
import { APIS, type WireApi } from './apis.ts'
import { play, prompt, request } from './harness.ts'
import { faultsOf } from './valid-request.ts'

/** The body that the provider's code makes of a request, through the real adapter. */
async function bodyOf(api: WireApi, wanted: ModelRequest, thoughtLevel?: ThoughtLevel): Promise<unknown> {
  let sent = ''
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sent = String(init?.body)
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(api.chunks([{ text: ['ok'] }], 'stop').join(''), { headers })
  }
  const settings = readSettings({
    DECKHAND_MODEL: api.name,
    DECKHAND_API_KEY: 'k',
    DECKHAND_BASE_URL: 'http://x',
  })
  const source = createModelSource(settings, { fetch })
  const { error } = await play(
    await source.load(api.name, thoughtLevel === undefined ? {} : { thoughtLevel }),
    wanted,
  )
  expect(error).toBeUndefined()
  return JSON.parse(sent)
}

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
const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  fc.record({ role: fc.constant('user' as const), content }),
  fc.record({ role: fc.constant('assistant' as const), parts: fc.array(part, { maxLength: 5 }) }),
  fc.record({ role: fc.constant('tool' as const), results: fc.array(answer, { maxLength: 4 }) }),
)

describe.each(APIS)('$name', (api) => {
  it('accepts what is made of any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        expect(faultsOf(api.name, await bodyOf(api, request(messages), 'high'))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('accepts what is made of a log that was cut anywhere and repaired', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 3 }), fc.nat(), async (turns, at) => {
        const events = turns.flatMap(eventsOf)
        const kept = numbered(events.slice(0, at % (events.length + 1)))
        const repaired = numbered([...kept, ...repairEvents(kept)])
        const messages = [...conversationOf(repaired), prompt('Go on.')]
        expect(faultsOf(api.name, await bodyOf(api, request(messages)))).toEqual([])
      }),
      { numRuns: 120 },
    )
  })
})

/** A turn as the loop logs it: steps with calls, each maybe interrupted, tried again, cancelled. */
interface Turn {
  steps: {
    parts: AssistantPart[]
    interrupted: boolean
    retried: boolean
    answered: number
    steering: boolean
  }[]
}
const turn: fc.Arbitrary<Turn> = fc.record({
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
function eventsOf({ steps }: Turn): SessionEvent[] {
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
        content: [{ type: 'text', text: 'ok' }],
      })
    }
    if (steering) events.push(said('Rather this.'))
  }
  return [...events, { type: 'turn_end', turnId, stopReason: 'end_turn' }]
}

function numbered(events: readonly SessionEvent[]): LoggedEvent[] {
  return events.map((event, index) => ({ ...event, seq: index + 1, at: '2026-01-01T00:00:00.000Z' }))
}
