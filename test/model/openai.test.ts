import { describe, expect, it } from 'vitest'
import type { ModelMessage } from '#model/message.ts'
import { OPENAI_DONE, openaiChunks, startSseServer } from '../support/sse-server.ts'
import { callsIn, KEY, loadModel, play, prompt, request, textIn } from './harness.ts'

const STOP = [...openaiChunks({ finish: 'stop' }), OPENAI_DONE]
const PROVIDERS = ['openai/gpt-4o', 'openai-compatible/qwen-vl'] as const

function toolDelta(index: number, id: string | undefined, name: string | undefined, args: string): object {
  return {
    tool_calls: [
      {
        index,
        ...(id && { id, type: 'function' }),
        function: { ...(name !== undefined && { name }), arguments: args },
      },
    ],
  }
}

describe.each(PROVIDERS)('chat completions: %s', (name) => {
  it('streams text, also when a packet ends inside a character', async () => {
    const whole = Buffer.from(openaiChunks({ content: 'Grüße 🚢' })[0] ?? '')
    const bytes = [...whole].map((_byte, index) => whole.subarray(index, index + 1))
    const usage = {
      prompt_tokens: 12,
      completion_tokens: 3,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
    }
    await using server = await startSseServer({
      chunks: [...bytes, ...openaiChunks({ content: ' ahoy' }, { finish: 'stop' }, { usage }), OPENAI_DONE],
    })
    const { events, error } = await play(await loadModel(name, `${server.url}/v1`))
    expect(error).toBeUndefined()
    expect(textIn(events)).toBe('Grüße 🚢 ahoy')
    expect(events.at(-1)).toEqual({
      type: 'finish',
      reason: 'stop',
      usage: { inputTokens: 12, outputTokens: 3, cachedInputTokens: 4 },
    })
    expect(events.filter(({ type }) => type === 'part_end')).toEqual([{ type: 'part_end', part: 'text' }])
    const [sent] = server.requests
    expect(sent?.path).toBe('/v1/chat/completions')
    expect(sent?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(sent?.body.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hello' },
    ])
    expect(sent?.body.tools[0].function).toMatchObject({ name: 'read', description: 'Reads a file.' })
  })

  it('puts split calls together, in the order of the calls', async () => {
    await using server = await startSseServer({
      chunks: openaiChunks(
        { content: 'Reading.' },
        toolDelta(0, 'a', 'read', ''),
        toolDelta(0, undefined, undefined, '{"pa'),
        toolDelta(0, undefined, undefined, 'th":"x"}'),
        toolDelta(1, 'b', 'read', '{"path":"y"}'),
        { finish: 'tool_calls' },
        OPENAI_DONE,
      ),
    })
    const { events } = await play(await loadModel(name, server.url))
    expect(callsIn(events)).toEqual([
      { type: 'call', callId: 'a', name: 'read', arguments: { path: 'x' } },
      { type: 'call', callId: 'b', name: 'read', arguments: { path: 'y' } },
    ])
    const ofA = events.filter((event) => 'callId' in event && event.callId === 'a').map(({ type }) => type)
    expect(ofA[0]).toBe('call_start')
    expect(ofA.at(-1)).toBe('call')
    const deltas = events.flatMap((event) =>
      event.type === 'call_delta' && event.callId === 'a' ? [event.delta] : [],
    )
    expect(deltas.join('')).toBe('{"path":"x"}')
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' })
  })

  it('gives bad calls as data: malformed text, no object, an unknown tool, no arguments, a blank name', async () => {
    await using server = await startSseServer({
      chunks: openaiChunks(
        toolDelta(0, 'a', 'read', '{"path": x'),
        toolDelta(1, 'b', 'read', '["x"]'),
        toolDelta(2, 'c', 'foo', '{"deep":{"__proto__":1}}'),
        toolDelta(3, 'd', 'read', ''),
        { finish: 'tool_calls' },
        OPENAI_DONE,
      ),
    })
    const { events, error } = await play(await loadModel(name, server.url))
    expect(error).toBeUndefined()
    expect(callsIn(events)).toEqual([
      { type: 'call', callId: 'a', name: 'read', arguments: '{"path": x', malformed: true },
      { type: 'call', callId: 'b', name: 'read', arguments: '["x"]', malformed: true },
      { type: 'call', callId: 'c', name: 'foo', arguments: { deep: JSON.parse('{"__proto__":1}') } },
      { type: 'call', callId: 'd', name: 'read', arguments: {} },
    ])
  })

  it('turns a call with a blank name into a call that the registry can refuse', async () => {
    await using server = await startSseServer({
      chunks: openaiChunks(toolDelta(0, 'a', '', '{}'), { finish: 'tool_calls' }, OPENAI_DONE),
    })
    const { events } = await play(await loadModel(name, server.url))
    expect(callsIn(events)).toMatchObject([{ name: '', arguments: {} }])
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' })
  })

  it('keeps the text of a call that the token limit cut', async () => {
    await using server = await startSseServer({
      chunks: openaiChunks(
        toolDelta(0, 'a', 'read', '{"path":"f","content":"line1\\nli'),
        { finish: 'length' },
        OPENAI_DONE,
      ),
    })
    const { events } = await play(await loadModel(name, server.url))
    expect(callsIn(events)).toMatchObject([
      { arguments: '{"path":"f","content":"line1\\nli', malformed: true },
    ])
    expect(events.at(-1)).toMatchObject({ reason: 'length' })
  })

  it('makes call ids unique that an endpoint uses again', async () => {
    const call = [
      ...openaiChunks(toolDelta(0, 'call_0', 'read', '{"path":"x"}'), { finish: 'tool_calls' }),
      OPENAI_DONE,
    ]
    await using server = await startSseServer({ chunks: call })
    const history: ModelMessage[] = [
      prompt('Go'),
      { role: 'assistant', parts: [{ type: 'tool_call', callId: 'call_0', name: 'read', arguments: {} }] },
      { role: 'tool', results: [{ callId: 'call_0', name: 'read', content: [], isError: false }] },
    ]
    const { events } = await play(await loadModel(name, server.url), request(history))
    const [again] = callsIn(events)
    expect(again?.callId).toMatch(/^call_0_\w{8}$/)
  })

  it.each([
    ['length', { content: 'Cut' }, 'length'],
    ['content_filter', { content: 'No' }, 'refusal'],
    ['content_filter', {}, 'refusal'],
    ['stop', { refusal: 'I will not.' }, 'refusal'],
    ['something_new', { content: 'Hm' }, 'other'],
  ])('maps the finish reason %s', async (finish, delta, reason) => {
    await using server = await startSseServer({ chunks: [...openaiChunks(delta, { finish }), OPENAI_DONE] })
    const { events, error } = await play(await loadModel(name, server.url))
    expect(error).toBeUndefined()
    expect(events.at(-1)).toEqual({ type: 'finish', reason })
  })

  it('sends calls, results and malformed arguments back as the API wants them', async () => {
    await using server = await startSseServer({ chunks: [...openaiChunks({ content: 'ok' }), ...STOP] })
    const history: ModelMessage[] = [
      prompt('Go'),
      {
        role: 'assistant',
        parts: [
          {
            type: 'thought',
            text: 'hidden',
            provider: { by: 'anthropic', data: { anthropic: { signature: 's' } } },
          },
          { type: 'text', text: 'Both.' },
          { type: 'tool_call', callId: 'a', name: 'read', arguments: '{"path', malformed: true },
          { type: 'tool_call', callId: 'b', name: 'no such/tool', arguments: { path: 'p\ud800' } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: 'Steering.' }] },
      {
        role: 'tool',
        results: [
          {
            callId: 'b',
            name: 'no such/tool',
            content: [{ type: 'image', data: 'QUJD', mimeType: 'image/png' }],
            isError: false,
          },
          { callId: 'a', name: 'read', content: [{ type: 'text', text: 'Error: bad' }], isError: true },
        ],
      },
    ]
    await play(await loadModel(name, server.url), request(history))
    const sent = server.requests[0]?.body.messages.slice(1)
    expect(sent.map(({ role }: { role: string }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'user',
    ])
    expect(sent[1].content).toBe('Both.')
    expect(JSON.stringify(sent)).not.toContain('hidden')
    expect(sent[1].tool_calls.map((call: { function: unknown }) => call.function)).toEqual([
      { name: 'read', arguments: '{}' },
      { name: 'no_such_tool', arguments: '{"path":"p\ufffd"}' },
    ])
    expect(sent[2]).toEqual({ role: 'tool', tool_call_id: 'a', content: 'Error: bad' })
    expect(sent[3]).toMatchObject({
      tool_call_id: 'b',
      content: '[An image (image/png) follows in the next message.]',
    })
    expect(sent[4].content.map(({ type }: { type: string }) => type)).toEqual(['text', 'image_url', 'text'])
    expect(sent[4].content[1].image_url.url).toBe('data:image/png;base64,QUJD')
  })
})

describe('openai-compatible', () => {
  it('needs no key and sends none', async () => {
    const { createModelSource } = await import('#model/source.ts')
    const { readSettings } = await import('#config/settings.ts')
    await using server = await startSseServer({ chunks: [...openaiChunks({ content: 'ok' }), ...STOP] })
    const env = { DECKHAND_MODEL: 'openai-compatible/org/qwen3', DECKHAND_BASE_URL: `${server.url}/v1/` }
    const source = createModelSource(readSettings(env))
    expect(source.selected).toBe('openai-compatible/org/qwen3')
    const { error } = await play(await source.load('openai-compatible/org/qwen3'))
    expect(error).toBeUndefined()
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
    expect(server.requests[0]?.body.model).toBe('org/qwen3')
    expect(server.requests[0]?.path).toBe('/v1/chat/completions')
  })

  it('streams thoughts and carries them back', async () => {
    await using server = await startSseServer({
      chunks: [...openaiChunks({ reasoning_content: 'Hm. ' }, { content: 'Yes.' }), ...STOP],
    })
    const model = await loadModel('openai-compatible/r1', server.url)
    const { events } = await play(model)
    expect(textIn(events, 'thought')).toBe('Hm. ')
    const end = events.find((event) => event.type === 'part_end' && event.part === 'thought')
    expect(end).toMatchObject({ provider: { by: 'openai-compatible' } })
    const provider = end?.type === 'part_end' ? end.provider : undefined
    const parts = [
      { type: 'thought' as const, text: 'Hm. ', ...(provider !== undefined && { provider }) },
      { type: 'text' as const, text: 'Yes.' },
    ]
    await play(model, request([prompt('Q'), { role: 'assistant', parts }, prompt('More')]))
    expect(server.requests[1]?.body.messages[2]).toMatchObject({
      role: 'assistant',
      content: 'Yes.',
      reasoning_content: 'Hm. ',
    })
  })

  it('sends a sentence where the model reads no images', async () => {
    await using server = await startSseServer({ chunks: [...openaiChunks({ content: 'ok' }), ...STOP] })
    const model = await loadModel('openai-compatible/qwen3', server.url)
    expect(model.images).toBe(false)
    await play(
      model,
      request([{ role: 'user', content: [{ type: 'image', data: 'QUJD', mimeType: 'image/png' }] }]),
    )
    expect(server.requests[0]?.body.messages[1].content).toBe(
      "[An image (image/png) is here; this model can't read images.]",
    )
  })
})
