// What each provider wants of its own: how thoughts go back, how long to think, what is stored, odd errors.
import { describe, expect, it } from 'vitest'
import { readSettings } from '#config/settings.ts'
import type { ModelMessage } from '#model/message.ts'
import type { ThoughtLevel } from '#config/thought-level.ts'
import { createModelSource } from '#model/source.ts'
import { startSseServer, type Reply } from '../support/sse-server.ts'
import { apiOf, type Piece } from './apis.ts'
import { KEY, loadModel, partsOf, play, prompt, request } from './harness.ts'

const CALL: Piece = { call: { id: 'call_a', name: 'read', json: ['{"path":"x"}'] } }

/** The body that is sent for a history, to a server that answers with a word. */
async function sentBody(name: string, history: ModelMessage[], thoughtLevel?: ThoughtLevel) {
  const base = apiOf(API_OF[name.split('/')[0] ?? ''] ?? name)
  const chunks = (/gpt-([5-9])/.test(name) ? apiOf('openai/gpt-5.5') : base).chunks(
    [{ text: ['ok'] }],
    'stop',
  )
  await using server = await startSseServer({ chunks })
  const env = { DECKHAND_MODEL: name, DECKHAND_BASE_URL: server.url, DECKHAND_API_KEY: KEY }
  const source = createModelSource(readSettings(env))
  const model = await source.load(name, thoughtLevel === undefined ? {} : { thoughtLevel })
  const { error } = await play(model, request(history))
  expect(error).toBeUndefined()
  return server.requests[0]?.body
}
const API_OF: Record<string, string> = {
  anthropic: 'anthropic/claude-sonnet-4-5',
  openai: 'openai/gpt-4o',
  google: 'google/gemini-3.8-flash',
  deepseek: 'deepseek/deepseek-v4-pro',
  'openai-compatible': 'openai-compatible/qwen3',
}

/** A first answer with a thought and a call, and the second request that carries both back, maybe to another model. */
async function carriedBack(name: string, pieces: Piece[], to = name) {
  const api = apiOf(name)
  await using server = await startSseServer({ chunks: api.chunks(pieces, 'calls') })
  const { events } = await play(await loadModel(name, server.url))
  const history: ModelMessage[] = [
    prompt('Hello'),
    { role: 'assistant', parts: partsOf(events) },
    { role: 'tool', results: [{ callId: 'call_a', name: 'read', content: [], isError: true }] },
  ]
  return sentBody(to, history)
}

describe('OpenAI responses', () => {
  it('keep nothing at the provider: thoughts go back encrypted', async () => {
    const pieces: Piece[] = [{ thought: ['Hm.'], signature: 'CIPHER' }, CALL]
    const body = await carriedBack('openai/gpt-5.5', pieces)
    expect(body).toMatchObject({ store: false, include: ['reasoning.encrypted_content'], stream: true })
    expect(body.previous_response_id).toBeUndefined()
    expect(JSON.stringify(body.input)).not.toContain('item_reference')
    expect(body.input.map((item: { type?: string; role?: string }) => item.type ?? item.role)).toEqual([
      'developer',
      'user',
      'reasoning',
      'function_call',
      'function_call_output',
    ])
    expect(body.input[2]).toMatchObject({
      encrypted_content: 'CIPHER',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
    })
    expect(body.input[3]).toMatchObject({ call_id: 'call_a', name: 'read', arguments: '{"path":"x"}' })
    expect(body.input[4]).toMatchObject({ call_id: 'call_a', output: '(no output)' })
  })

  it('do not get the thoughts of another model, nor a thought that nothing follows', async () => {
    const pieces: Piece[] = [{ thought: ['Hm.'], signature: 'CIPHER' }, CALL]
    const other = await carriedBack('openai/gpt-5.5', pieces, 'openai/gpt-6.1-sol')
    expect(JSON.stringify(other)).not.toContain('CIPHER')
    const tagged = {
      by: 'openai',
      model: 'gpt-5.5',
      data: { openai: { itemId: 'rs', reasoningEncryptedContent: 'C' } },
    }
    const parts = [
      { type: 'text' as const, text: 'Well.' },
      { type: 'thought' as const, text: 'cut', provider: tagged },
    ]
    const cut = await sentBody('openai/gpt-5.5', [prompt('a'), { role: 'assistant', parts }, prompt('b')])
    expect(JSON.stringify(cut.input)).not.toContain('"reasoning"')
  })

  it('are named when an address of the person has none', async () => {
    await using server = await startSseServer({ status: 404, chunks: ['nothing here'] })
    const hint = async (name: string) => (await play(await loadModel(name, server.url))).error?.message
    expect(await hint('openai/gpt-5.5')).toContain('set "api": "openai-chat"')
    expect(await hint('openai/gpt-4o')).not.toContain('openai-chat')
  })

  it('are used for models that think, chat completions for the others, or what the configuration says', async () => {
    expect((await sentBody('openai/gpt-5.5', [prompt('a')])).input).toBeDefined()
    expect((await sentBody('openai/gpt-4o', [prompt('a')])).messages).toBeDefined()
    const chunks = apiOf('openai/gpt-4o').chunks([{ text: ['ok'] }], 'stop')
    await using server = await startSseServer({ chunks })
    const settings = readSettings({})
    const gateway = { api: 'openai-chat' as const, baseURL: server.url }
    const source = createModelSource({ ...settings, providers: { gateway } })
    expect((await play(await source.load('gateway/gpt-5.5'))).error).toBeUndefined()
    expect(server.requests[0]?.path).toBe('/chat/completions')
  })
})

describe('Gemini', () => {
  it('gets the signature of a call back in its place', async () => {
    const api = apiOf('google/gemini-3.8-flash')
    const signed = api
      .chunks([CALL], 'calls')
      .map((chunk) => chunk.replace('"functionCall"', '"thoughtSignature":"SIGNED","functionCall"'))
    await using server = await startSseServer({ chunks: signed })
    const { events } = await play(await loadModel(api.name, server.url))
    const history: ModelMessage[] = [
      prompt('Hello'),
      { role: 'assistant', parts: partsOf(events) },
      { role: 'tool', results: [{ callId: 'call_a', name: 'read', content: [], isError: true }] },
    ]
    const body = await sentBody(api.name, history)
    expect(body.contents[1]).toMatchObject({
      role: 'model',
      parts: [{ thoughtSignature: 'SIGNED', functionCall: { name: 'read', args: { path: 'x' } } }],
    })
    expect(body.contents[2].parts[0].functionResponse.response).toMatchObject({ error: '(no output)' })
    expect(body.systemInstruction.parts[0].text).toBe('Be brief.')
    expect(body.generationConfig.thinkingConfig.includeThoughts).toBe(true)
  })

  const error = (status: number, fields: object): Reply => ({
    status,
    headers: { 'content-type': 'application/json' },
    chunks: [JSON.stringify({ error: { code: status, ...fields } })],
  })

  it('says in its own way how long to wait, that the key is wrong, and that the prompt is blocked', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3.5s' }]
    await using server = await startSseServer(
      error(429, { message: 'Slow down', status: 'RESOURCE_EXHAUSTED', details }),
      error(400, { message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' }),
      { chunks: ['data: {"promptFeedback":{"blockReason":"SAFETY"}}\n\n'] },
      {
        chunks: [
          'data: {"candidates":[{"content":{"parts":[]},"finishReason":"MALFORMED_FUNCTION_CALL"}]}\n\n',
        ],
      },
    )
    const model = await loadModel('google/gemini-3.8-flash', server.url)
    expect((await play(model)).error).toMatchObject({ code: 'rate_limit', retryAfterMs: 3500 })
    expect((await play(model)).error).toMatchObject({ code: 'auth', retryable: false })
    expect((await play(model)).events).toMatchObject([{ type: 'finish', reason: 'refusal' }])
    expect((await play(model)).error).toMatchObject({ code: 'server', retryable: true })
  })
})

describe('Anthropic', () => {
  it('is told what to cache: the system prompt, the newest message, and what was newest before it', async () => {
    const result = (callId: string) => ({
      role: 'tool' as const,
      results: [{ callId, name: 'read', content: [{ type: 'text' as const, text: callId }], isError: false }],
    })
    const call = (callId: string): ModelMessage => ({
      role: 'assistant',
      parts: [{ type: 'tool_call', callId, name: 'read', arguments: {} }],
    })
    const history = [prompt('a'), call('1'), result('1'), call('2'), result('2'), call('3'), result('3')]
    const { messages, system } = await sentBody('anthropic/claude-sonnet-4-5', history)
    const marked = messages.flatMap((message: object, index: number) =>
      JSON.stringify(message).includes('cache_control') ? [index] : [],
    )
    expect(marked).toEqual([4, 6])
    expect(JSON.stringify(system)).toContain('cache_control')
  })
})

describe('DeepSeek', () => {
  it('gets its thoughts back beside the calls that followed them', async () => {
    const body = await carriedBack('deepseek/deepseek-v4-pro', [{ thought: ['Hm.'] }, CALL])
    expect(body.messages[2]).toMatchObject({ role: 'assistant', reasoning_content: 'Hm.' })
    expect(body.messages[2].tool_calls[0].function).toEqual({ name: 'read', arguments: '{"path":"x"}' })
    expect(body.messages[3]).toMatchObject({ role: 'tool', tool_call_id: 'call_a' })
  })
})

describe('errors that waiting does not mend', () => {
  it.each(['openai/gpt-4o', 'openai/gpt-5.5'])('%s: an empty account', async (name) => {
    const body = { error: { message: 'You exceeded your current quota', type: 'insufficient_quota' } }
    const headers = { 'content-type': 'application/json' }
    await using server = await startSseServer({ status: 429, headers, chunks: [JSON.stringify(body)] })
    expect((await play(await loadModel(name, server.url))).error).toMatchObject({
      retryable: false,
      status: 429,
    })
  })

  it.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.",
    'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
    'Your input exceeds the context window of this model.',
    'the request exceeds the available context size. try increasing the context size',
  ])('a history that does not fit: %s', async (message) => {
    const headers = { 'content-type': 'application/json' }
    await using server = await startSseServer({
      status: 400,
      headers,
      chunks: [JSON.stringify({ error: { message } })],
    })
    const { error } = await play(await loadModel('openai-compatible/x', server.url))
    expect(error).toMatchObject({ code: 'bad_request', overflow: true })
  })

  it('is not said of other refusals', async () => {
    const headers = { 'content-type': 'application/json' }
    const chunks = [JSON.stringify({ error: { message: 'max_tokens is too large for this model' } })]
    await using server = await startSseServer({ status: 400, headers, chunks })
    expect((await play(await loadModel('openai-compatible/x', server.url))).error?.overflow).toBe(false)
  })
})

describe('the level of thought', () => {
  const thinking = (type: object) => ({ thinking: type })
  it.each<[string, ThoughtLevel | undefined, object]>([
    ['anthropic/claude-sonnet-4-5', undefined, { thinking: undefined }],
    ['anthropic/claude-sonnet-4-5', 'off', thinking({ type: 'disabled' })],
    ['anthropic/claude-sonnet-4-5', 'high', thinking({ type: 'enabled', budget_tokens: expect.any(Number) })],
    ['anthropic/claude-opus-4-8', undefined, thinking({ type: 'adaptive', display: 'summarized' })],
    ['anthropic/claude-opus-4-8', 'off', thinking({ type: 'disabled' })],
    ['anthropic/claude-opus-5-5', 'low', { output_config: { effort: 'low' } }],
    ['openai/gpt-5.5', undefined, { reasoning: { summary: 'auto' } }],
    ['openai/gpt-5.5', 'off', { reasoning: { effort: 'none' } }],
    ['openai/gpt-5.5', 'high', { reasoning: { effort: 'high', summary: 'auto' } }],
    ['openai/gpt-4o', 'high', { reasoning: undefined, reasoning_effort: undefined }],
    ['deepseek/deepseek-v4-pro', 'off', thinking({ type: 'disabled' })],
    ['deepseek/deepseek-v4-pro', 'high', { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    ['openai-compatible/gpt-oss:20b', 'low', { reasoning_effort: 'low' }],
    ['openai-compatible/qwen3', 'low', { reasoning_effort: undefined }],
    ['google/gemini-2.5-flash', 'off', { generationConfig: { thinkingConfig: { thinkingBudget: 0 } } }],
    ['google/gemini-3.8-flash', 'low', { generationConfig: { thinkingConfig: { thinkingLevel: 'low' } } }],
  ])('%s, %s', async (name, level, expected) => {
    const body = await sentBody(name, [prompt('a')], level)
    for (const [key, value] of Object.entries(expected)) {
      if (value === undefined) expect(body[key]).toBeUndefined()
      else expect(body[key]).toMatchObject(value as object)
    }
  })

  it('is left out where the newest calls stand there without the thought that the API wants before them', async () => {
    const history: ModelMessage[] = [
      prompt('a'),
      { role: 'assistant', parts: [{ type: 'tool_call', callId: 'c', name: 'read', arguments: {} }] },
    ]
    const body = await sentBody('anthropic/claude-sonnet-4-5', history, 'high')
    expect(body.thinking).toBeUndefined()
  })
})
