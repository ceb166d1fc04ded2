import { describe, expect, it } from 'vitest'
import type { ModelMessage } from '#model/message.ts'
import type { ModelEvent } from '#model/port.ts'
import { ANTHROPIC_START, anthropicEnd, anthropicEvents, startSseServer } from '../support/sse-server.ts'
import { callsIn, KEY, loadModel, partsOf, play, prompt, request, textIn } from './harness.ts'

const NAME = 'anthropic/claude-sonnet-4-5'

function block(index: number, content: object, ...deltas: object[]) {
  return [
    { type: 'content_block_start', index, content_block: content },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]
}

const THINKING = block(
  0,
  { type: 'thinking', thinking: '' },
  { type: 'thinking_delta', thinking: 'Let me ' },
  { type: 'thinking_delta', thinking: 'look.' },
  { type: 'signature_delta', signature: 'SIG==' },
)
const REDACTED = block(1, { type: 'redacted_thinking', data: 'SECRET' })
const TEXT = block(
  2,
  { type: 'text', text: '' },
  { type: 'text_delta', text: 'I ' },
  { type: 'text_delta', text: 'read.' },
)
const TOOL = block(
  3,
  { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
  { type: 'input_json_delta', partial_json: '{"pa' },
  { type: 'input_json_delta', partial_json: 'th":"x"}' },
)
const WHOLE = anthropicEvents(
  ANTHROPIC_START,
  ...THINKING,
  ...REDACTED,
  ...TEXT,
  { type: 'ping' },
  ...TOOL,
  ...anthropicEnd('tool_use'),
)
const HELLO = anthropicEvents(
  ANTHROPIC_START,
  ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'Hi' }),
  ...anthropicEnd('end_turn'),
)

describe('anthropic', () => {
  it('streams thoughts, text and a split call', async () => {
    await using server = await startSseServer({ chunks: WHOLE })
    const { events, error } = await play(await loadModel(NAME, `${server.url}/v1`))
    expect(error).toBeUndefined()
    expect(textIn(events, 'thought')).toBe('Let me look.')
    expect(textIn(events)).toBe('I read.')
    expect(callsIn(events)).toEqual([
      { type: 'call', callId: 'toolu_1', name: 'read', arguments: { path: 'x' }, ...anyProvider(events) },
    ])
    expect(events.at(-1)).toEqual({
      type: 'finish',
      reason: 'tool_calls',
      usage: { inputTokens: 16, outputTokens: 7, cachedInputTokens: 5 },
    })
    const [sent] = server.requests
    expect(sent?.path).toBe('/v1/messages')
    expect(sent?.headers['x-api-key']).toBe(KEY)
    expect(sent?.body.stream).toBe(true)
  })

  it('carries thoughts with their signature back, and marks what may be cached', async () => {
    await using server = await startSseServer({ chunks: WHOLE }, { chunks: HELLO })
    const model = await loadModel(NAME, `${server.url}/v1`)
    const { events } = await play(model)
    const history: ModelMessage[] = [
      prompt('Hello'),
      { role: 'assistant', parts: partsOf(events) },
      {
        role: 'tool',
        results: [
          { callId: 'toolu_1', name: 'read', content: [{ type: 'text', text: 'body' }], isError: false },
        ],
      },
    ]
    const second = await play(model, request(JSON.parse(JSON.stringify(history))))
    expect(second.error).toBeUndefined()
    const { messages, system } = server.requests[1]?.body ?? {}
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(messages[1].content.slice(0, 2)).toEqual([
      { type: 'thinking', thinking: 'Let me look.', signature: 'SIG==' },
      { type: 'redacted_thinking', data: 'SECRET' },
    ])
    expect(messages[1].content[2]).toEqual({ type: 'text', text: 'I read.' })
    expect(messages[1].content[3]).toMatchObject({
      type: 'tool_use',
      id: 'toolu_1',
      name: 'read',
      input: { path: 'x' },
    })
    expect(messages[2].content[0]).toMatchObject({
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: 'body',
      cache_control: { type: 'ephemeral' },
    })
    expect(system).toEqual([{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }])
  })

  it('is not sent what another provider thought, nor ids that it refuses', async () => {
    await using server = await startSseServer({ chunks: HELLO })
    const history: ModelMessage[] = [
      prompt('Hello'),
      {
        role: 'assistant',
        parts: [{ type: 'thought', text: 'only thought', provider: { by: 'openai-compatible', data: {} } }],
      },
      prompt('  '),
      prompt('More'),
      {
        role: 'assistant',
        parts: [
          { type: 'thought', text: 'foreign', provider: { by: 'openai-compatible', data: {} } },
          { type: 'thought', text: 'nobody' },
          { type: 'text', text: ' \n' },
          { type: 'tool_call', callId: 'functions.read:0', name: 'read', arguments: 'oops', malformed: true },
        ],
      },
    ]
    await play(await loadModel(NAME, `${server.url}/v1`), request(history))
    const { messages } = server.requests[0]?.body ?? {}
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(messages[0].content.map(({ text }: { text: string }) => text)).toEqual(['Hello', 'More'])
    expect(messages[1].content).toEqual([
      { type: 'tool_use', id: 'functions_read_0', name: 'read', input: {} },
    ])
    expect(messages[2].content[0]).toMatchObject({
      type: 'tool_result',
      tool_use_id: 'functions_read_0',
      is_error: true,
    })
  })

  it('shows images in prompts and results, and marks failed results', async () => {
    await using server = await startSseServer({ chunks: HELLO })
    const image = { type: 'image' as const, data: 'QUJD', mimeType: 'image/png' }
    const call = { type: 'tool_call' as const, name: 'read', arguments: {} }
    const history: ModelMessage[] = [
      { role: 'user', content: [image, { type: 'image', data: 'QUJD', mimeType: 'image/tiff' }] },
      {
        role: 'assistant',
        parts: [
          { ...call, callId: 'a' },
          { ...call, callId: 'b' },
        ],
      },
      {
        role: 'tool',
        results: [
          { callId: 'a', name: 'read', content: [{ type: 'text', text: 'seen' }, image], isError: false },
          { callId: 'b', name: 'read', content: [{ type: 'text', text: 'Error: gone' }], isError: true },
        ],
      },
    ]
    await play(await loadModel(NAME, `${server.url}/v1`), request(history))
    const { messages } = server.requests[0]?.body ?? {}
    const source = { type: 'base64', media_type: 'image/png', data: 'QUJD' }
    expect(messages[0].content[0]).toMatchObject({ type: 'image', source })
    expect(messages[0].content[1].text).toContain('image/tiff')
    expect(messages[2].content[0].content).toMatchObject([
      { type: 'text', text: 'seen' },
      { type: 'image', source },
    ])
    expect(messages[2].content[1]).toMatchObject({ tool_use_id: 'b', is_error: true, content: 'Error: gone' })
  })

  it('keeps the text of a call that the token limit cut', async () => {
    const cut = block(
      0,
      { type: 'tool_use', id: 't', name: 'write', input: {} },
      { type: 'input_json_delta', partial_json: '{"path":"f","con' },
    )
    await using server = await startSseServer({
      chunks: anthropicEvents(ANTHROPIC_START, ...cut, ...anthropicEnd('max_tokens')),
    })
    const { events, error } = await play(await loadModel(NAME, server.url))
    expect(error).toBeUndefined()
    expect(callsIn(events)).toMatchObject([{ arguments: '{"path":"f","con', malformed: true }])
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'length' })
  })

  it('reports a refusal', async () => {
    await using server = await startSseServer({
      chunks: anthropicEvents(ANTHROPIC_START, ...anthropicEnd('refusal')),
    })
    const { events, error } = await play(await loadModel(NAME, server.url))
    expect(error).toBeUndefined()
    expect(events).toMatchObject([{ type: 'finish', reason: 'refusal' }])
  })

  it('reports an overload in the middle of a stream after what was said', async () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
    await using server = await startSseServer({
      chunks: anthropicEvents(ANTHROPIC_START, ...THINKING, error),
    })
    const played = await play(await loadModel(NAME, server.url))
    expect(textIn(played.events, 'thought')).toBe('Let me look.')
    expect(played.error).toMatchObject({ code: 'overloaded', status: 529, retryable: true })
  })

  it('does not take a stream that ends without its end for an answer', async () => {
    await using server = await startSseServer({ chunks: anthropicEvents(ANTHROPIC_START, ...TEXT) })
    const { events, error } = await play(await loadModel(NAME, server.url))
    expect(textIn(events)).toBe('I read.')
    expect(error).toMatchObject({ code: 'transport', retryable: true })
  })
})

function anyProvider(events: readonly ModelEvent[]): object {
  const provider = callsIn(events)[0]?.provider
  return provider === undefined ? {} : { provider }
}
