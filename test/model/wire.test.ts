// Every API through the real provider code: what is streamed, how it ends, and how it breaks.
import { describe, expect, it } from 'vitest'
import type { AssistantPart, ModelMessage } from '#model/message.ts'
import { startSseServer, type Reply } from '../support/sse-server.ts'
import { APIS, type End, type Piece } from './apis.ts'
import { callsIn, KEY, loadModel, partsOf, play, prompt, request, textIn } from './harness.ts'
import { faultsOf } from './valid-request.ts'

const CALLS: Piece[] = [
  { call: { id: 'call_a', name: 'read', json: ['{"pa', 'th":"x"}'] } },
  { call: { id: 'call_b', name: 'read', json: ['{"path":"y"}'] } },
]
const WHOLE: Piece[] = [{ thought: ['Let me ', 'look.'] }, { text: ['I ', 'read.'] }, ...CALLS]

describe.each(APIS)('$name', (api) => {
  async function answer(...replies: Reply[]) {
    await using server = await startSseServer(...replies)
    const played = await play(await loadModel(api.name, server.url))
    return { ...played, requests: server.requests }
  }
  const ended = (end: End, ...pieces: Piece[]) => answer({ chunks: api.chunks(pieces, end) })

  it('streams thoughts, text and parallel calls', async () => {
    const { events, error, requests } = await ended('calls', ...WHOLE.slice(api.thinks ? 0 : 1))
    expect(error).toBeUndefined()
    expect(textIn(events)).toBe('I read.')
    expect(textIn(events, 'thought')).toBe(api.thinks ? 'Let me look.' : '')
    expect(callsIn(events)).toMatchObject([
      { callId: 'call_a', name: 'read', arguments: { path: 'x' } },
      { callId: 'call_b', name: 'read', arguments: { path: 'y' } },
    ])
    const ofA = events.filter((event) => 'callId' in event && event.callId === 'call_a')
    expect([ofA[0]?.type, ofA.at(-1)?.type]).toEqual(['call_start', 'call'])
    const deltas = events.flatMap((event) =>
      event.type === 'call_delta' && event.callId === 'call_a' ? [event.delta] : [],
    )
    if (api.streamsArguments) expect(deltas.join('')).toBe('{"path":"x"}')
    expect(events.filter((event) => event.type === 'text')).toHaveLength(2)
    expect(events.at(-1)).toEqual({
      type: 'finish',
      reason: 'tool_calls',
      usage: { inputTokens: 20, outputTokens: 7, cachedInputTokens: 5 },
    })
    expect(requests.map(({ path }) => path)).toEqual([api.path])
    expect(JSON.stringify(requests[0]?.headers)).toContain(KEY)
    expect(requests[0]?.path).not.toContain(KEY)
  })

  it.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['refusal', 'refusal'],
  ] as const)('ends with %s', async (end, reason) => {
    const { events, error } = await ended(end, { text: ['Well.'] })
    expect(error).toBeUndefined()
    expect(textIn(events)).toBe('Well.')
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason })
  })

  it('takes a refusal without a word for a refusal, and nothing at all for a failure', async () => {
    expect((await ended('refusal')).events).toMatchObject([{ type: 'finish', reason: 'refusal' }])
    expect((await ended('stop')).error).toMatchObject({ code: 'protocol' })
    expect((await answer({})).error).toMatchObject({ code: 'transport', retryable: true })
  })

  it('takes an end before the end for a broken connection', async () => {
    const { events, error } = await answer({ chunks: api.chunks([{ text: ['Half an'] }]) })
    expect(textIn(events)).toBe('Half an')
    expect(error).toMatchObject({ code: 'transport', retryable: true })
  })

  it('keeps what was said before a reset, and notices one before anything was said', async () => {
    const before = await answer({ finish: 'cut' })
    expect(before.events).toEqual([])
    expect(before.error).toMatchObject({ code: 'transport', retryable: true })
    const after = await answer({ chunks: api.chunks([{ text: ['Half ', 'an'] }]), finish: 'cut' })
    expect('Half an'.startsWith(textIn(after.events))).toBe(true)
    expect(after.error).toMatchObject({ code: 'transport', retryable: true })
    expect(after.events.some(({ type }) => type === 'finish')).toBe(false)
  })

  it('gives no call that a reset cut', async () => {
    const cut: Piece = { call: { id: 'call_a', name: 'write', json: ['{"path":"f","con'] } }
    if (!api.streamsArguments) return
    const chunks = api
      .chunks([{ text: ['Now: '] }, cut])
      .filter((chunk) => !/_item\.done|block_stop/.test(chunk))
    const { events, error } = await answer({ chunks, finish: 'cut' })
    expect(callsIn(events)).toEqual([])
    expect(error).toMatchObject({ code: 'transport' })
  })

  it('tells an overload in the middle of a stream from an answer', async () => {
    const chunks = [...api.chunks([{ text: ['Well, '] }]), api.overloaded]
    const { events, error } = await answer({ chunks })
    expect(textIn(events)).toBe('Well, ')
    expect(error).toMatchObject({ code: 'overloaded', retryable: true })
    expect(error?.message).toContain('The server is overloaded')
  })

  it('notices malformed events, also after a good one', async () => {
    const bad = 'data: {"id": nonsense\n\n'
    expect((await answer({ chunks: [bad] })).error).toMatchObject({ code: 'protocol' })
    const after = await answer({ chunks: [...api.chunks([{ text: ['Good'] }]), bad] })
    expect(after.error).toMatchObject({ code: 'protocol' })
  })

  it('is sent its own thoughts and calls back, with results in their order', async () => {
    const pieces = WHOLE.slice(api.thinks ? 0 : 1)
    await using server = await startSseServer(
      { chunks: api.chunks(pieces, 'calls') },
      { chunks: api.chunks([{ text: ['Done.'] }], 'stop') },
    )
    const model = await loadModel(api.name, server.url)
    const parts: AssistantPart[] = partsOf((await play(model)).events)
    const result = (callId: string, text: string) => ({
      callId,
      name: 'read',
      content: [{ type: 'text' as const, text }],
      isError: false,
    })
    const history: ModelMessage[] = [
      prompt('Hello'),
      { role: 'assistant', parts },
      { role: 'tool', results: [result('call_b', 'body of y'), result('call_a', 'body of x')] },
    ]
    const { error } = await play(model, request(JSON.parse(JSON.stringify(history))))
    expect(error).toBeUndefined()
    const sent = JSON.stringify(server.requests[1]?.body)
    const places = ['I read.', 'call_a', 'call_b', 'body of x', 'body of y'].map((text) => sent.indexOf(text))
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect(sent.includes('Let me look.')).toBe(api.thinks)
  })

  it('shows images of prompts and results where the model sees, and a sentence where it does not', async () => {
    const image = { type: 'image' as const, data: 'QUJD', mimeType: 'image/png' }
    const failed = { ...image, data: 'RkFJ' }
    const call = { type: 'tool_call' as const, name: 'read', arguments: {} }
    const history: ModelMessage[] = [
      { role: 'user', content: [image] },
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
          { callId: 'a', name: 'read', content: [{ ...image, data: 'UkVT' }], isError: false },
          { callId: 'b', name: 'read', content: [{ type: 'text', text: 'Failed.' }, failed], isError: true },
        ],
      },
    ]
    await using server = await startSseServer({ chunks: api.chunks([{ text: ['ok'] }], 'stop') })
    const model = await loadModel(api.name, server.url)
    expect((await play(model, request(history))).error).toBeUndefined()
    const { body } = server.requests[0] ?? {}
    expect(faultsOf(api.name, body)).toEqual([])
    const sent = JSON.stringify(body)
    expect([sent.includes('QUJD'), sent.includes('UkVT')]).toEqual([model.images, model.images])
    expect(sent.includes("this model can't read images")).toBe(!model.images)
    expect(sent).toContain('Failed.')
  })
})
