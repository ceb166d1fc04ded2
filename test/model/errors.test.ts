import { describe, expect, it, vi } from 'vitest'
import type { ModelErrorCode } from '#model/error.ts'
import {
  ANTHROPIC_START,
  anthropicEnd,
  anthropicEvents,
  OPENAI_DONE,
  openaiChunks,
  startSseServer,
  type Reply,
} from '../support/sse-server.ts'
import { APIS } from './apis.ts'
import { KEY, loadModel, play, request, textIn } from './harness.ts'

const NAMES = APIS.map(({ name }) => name)
const JSON_TYPE = { 'content-type': 'application/json' }

function failing(
  status: number,
  message = `No luck with ${KEY} today`,
  headers: Record<string, string> = {},
): Reply {
  const body = { type: 'error', error: { type: 'some_error', code: null, message } }
  return { status, headers: { ...JSON_TYPE, ...headers }, chunks: [JSON.stringify(body)] }
}

async function errorOf(name: string, ...replies: Reply[]) {
  await using server = await startSseServer(...replies)
  const { events, error } = await play(await loadModel(name, server.url))
  return { events, error, requests: server.requests.length }
}

const STATUSES: [number, ModelErrorCode, boolean][] = [
  [400, 'bad_request', false],
  [401, 'auth', false],
  [403, 'auth', false],
  [404, 'not_found', false],
  [408, 'bad_request', true],
  [422, 'bad_request', false],
  [429, 'rate_limit', true],
  [500, 'server', true],
  [502, 'server', true],
  [503, 'overloaded', true],
  [529, 'overloaded', true],
]

describe.each(NAMES)('failures of %s', (name) => {
  it.each(STATUSES)('%i is %s', async (status, code, retryable) => {
    const { error, requests } = await errorOf(name, failing(status))
    expect(error).toMatchObject({ code, status, retryable })
    expect(error?.message).toContain(String(status))
    expect(error?.message).not.toContain(KEY)
    expect(error?.message.endsWith('.')).toBe(true)
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain(KEY)
    expect(requests).toBe(1)
  })

  it("says what the provider said, without a web page's markup", async () => {
    expect((await errorOf(name, failing(400, 'prompt is too long'))).error?.message).toContain(
      'prompt is too long',
    )
    const page = {
      status: 502,
      headers: { 'content-type': 'text/html' },
      chunks: ['<!DOCTYPE html><html><body>nginx</body></html>'],
    }
    const { error } = await errorOf(name, page)
    expect(error).toMatchObject({ code: 'server', status: 502 })
    expect(error?.message).not.toMatch(/<|nginx/)
  })

  it('repeats nothing of what is said about a key, not even its masked form', async () => {
    const { error } = await errorOf(name, failing(401, 'Incorrect API key provided: abcd****wxyz'))
    expect(error?.message).not.toMatch(/abcd|wxyz/)
    expect(error?.message).toContain('DECKHAND_API_KEY')
  })

  it('reads how long to wait', async () => {
    expect((await errorOf(name, failing(429, 'slow', { 'retry-after': '2' }))).error?.retryAfterMs).toBe(2000)
    expect((await errorOf(name, failing(429, 'slow', { 'retry-after-ms': '150' }))).error?.retryAfterMs).toBe(
      150,
    )
    const later = new Date(Date.now() + 60_000).toUTCString()
    const wait = (await errorOf(name, failing(529, 'slow', { 'retry-after': later }))).error?.retryAfterMs
    expect(wait).toBeGreaterThan(30_000)
    expect(wait).toBeLessThanOrEqual(60_000)
    expect((await errorOf(name, failing(429))).error?.retryAfterMs).toBeUndefined()
  })

  it('refuses a page or a document where a stream is due', async () => {
    const page = await errorOf(name, {
      headers: { 'content-type': 'text/html' },
      chunks: ['<html>Log in</html>'],
    })
    expect(page.error).toMatchObject({ code: 'protocol' })
    expect(page.error?.message).toMatch(/web page.*base URL/)
    const document = await errorOf(name, {
      headers: JSON_TYPE,
      chunks: ['{"error":{"message":"slow down","code":429}}'],
    })
    expect(document.error).toMatchObject({ code: 'rate_limit', status: 429 })
    expect(document.error?.message).toContain('slow down')
    const other = await errorOf(name, { headers: JSON_TYPE, chunks: ['{"models":[]}'] })
    expect(other.error).toMatchObject({ code: 'protocol' })
  })

  it('takes an empty stream for a broken one', async () => {
    expect((await errorOf(name, {})).error).toMatchObject({ code: 'transport' })
  })

  it('notices a reset before anything was said', async () => {
    const { error, events } = await errorOf(name, { finish: 'cut' })
    expect(events).toEqual([])
    expect(error).toMatchObject({ code: 'transport', retryable: true })
  })

  it('notices malformed events', async () => {
    expect((await errorOf(name, { chunks: ['data: {"id": nonsense\n\n'] })).error).toMatchObject({
      code: 'protocol',
    })
  })

  it('ends at silence, before and within a body', async () => {
    await using server = await startSseServer(
      { finish: 'hang' },
      { chunks: [': keep-alive\n\n'], finish: 'hang' },
    )
    const model = await loadModel(name, server.url, 60)
    const before = await play(model)
    expect(before.error).toMatchObject({ code: 'idle', retryable: true })
    expect((await play(model)).error).toMatchObject({ code: 'idle' })
    await server.disconnected
  })

  it('ends when the caller aborts, and lets go of the connection', async () => {
    await using server = await startSseServer({ finish: 'hang' })
    const controller = new AbortController()
    const model = await loadModel(name, server.url)
    const played = play(model, request(undefined, { signal: controller.signal }))
    await vi.waitFor(() => expect(server.requests).toHaveLength(1))
    controller.abort(new Error('cancelled by a person'))
    expect((await played).error).toMatchObject({ code: 'aborted', retryable: false })
    await server.disconnected
    const early = await play(model, request(undefined, { signal: AbortSignal.abort() }))
    expect(early.error).toMatchObject({ code: 'aborted' })
    expect(server.requests).toHaveLength(1)
  })

  it('says that nobody listens', async () => {
    const server = await startSseServer()
    await server[Symbol.asyncDispose]()
    const { error } = await play(await loadModel(name, server.url))
    expect(error).toMatchObject({ code: 'transport', retryable: true })
    const port = new URL(server.url).port
    expect(error?.message).toMatch(
      new RegExp(`nothing listens at (127\\.0\\.0\\.1|\\[::1\\]):${port} \\(ECONNREFUSED\\)`),
    )
  })

  it('says where most endpoints are, when an address without /v1 has no model', async () => {
    const answer = { status: 404, chunks: ['404 page not found'], headers: { 'content-type': 'text/plain' } }
    await using server = await startSseServer(answer, answer)
    const of = async (url: string) => (await play(await loadModel('openai-compatible/m', url))).error?.message
    expect(await of(server.url)).toMatch(/404.*, or put \/v1 at the end of the address/)
    expect(await of(`${server.url}/v1`)).not.toContain('put /v1')
  })

  it('says that the address speaks no TLS, and does not try again', async () => {
    await using server = await startSseServer()
    const { error } = await play(await loadModel(name, server.url.replace('http:', 'https:')))
    expect(error).toMatchObject({ code: 'transport', retryable: false })
    expect(error?.message).toContain('is http:// meant')
  })

  it('does not try a port again that no browser opens', async () => {
    const { error } = await play(await loadModel(name, 'http://127.0.0.1:1'))
    expect(error).toMatchObject({ code: 'transport', retryable: false })
  })
})

describe.each(['openai/gpt-4o', 'openai-compatible/qwen3'])('broken streams of %s', (name) => {
  it('keeps what was said before a reset', async () => {
    const { error, events } = await errorOf(name, {
      chunks: openaiChunks({ content: 'Half ' }, { content: 'an' }),
      finish: 'cut',
    })
    expect(error).toMatchObject({ code: 'transport' })
    expect('Half an'.startsWith(textIn(events))).toBe(true)
  })

  it('does not take a clean end without a finish for an answer', async () => {
    const { error, events } = await errorOf(name, { chunks: openaiChunks({ content: 'Half an' }) })
    expect(textIn(events)).toBe('Half an')
    expect(error).toMatchObject({ code: 'transport', retryable: true })
  })

  it('does not take an empty answer for an answer', async () => {
    const { error } = await errorOf(name, {
      chunks: [...openaiChunks({ content: '' }, { finish: 'stop' }), OPENAI_DONE],
    })
    expect(error).toMatchObject({ code: 'protocol' })
  })

  it.each([
    [{ message: 'Rate limit reached', code: 'rate_limit_exceeded' }, 'rate_limit'],
    [{ message: 'Provider is down', code: 502 }, 'server'],
    [{ message: 'The server had an error', type: 'server_error' }, 'server'],
    [{ message: 'Too long', type: 'invalid_request_error' }, 'bad_request'],
  ])('classifies an error within the stream: %j', async (inner, code) => {
    const event = `data: ${JSON.stringify({ error: inner })}\n\n`
    const { error, events } = await errorOf(name, { chunks: [...openaiChunks({ content: 'Well, ' }), event] })
    expect(textIn(events)).toBe('Well, ')
    expect(error).toMatchObject({ code })
    expect(error?.message).toContain(inner.message)
  })
})

describe('silence of the library', () => {
  it('prints nothing, whatever happens', async () => {
    const spies = [
      ...(['log', 'info', 'warn', 'error', 'debug'] as const).map((method) => vi.spyOn(console, method)),
      vi.spyOn(process.stdout, 'write'),
      vi.spyOn(process.stderr, 'write'),
      vi.spyOn(process, 'emitWarning'),
    ]
    for (const name of NAMES) {
      await errorOf(name, failing(500))
      await errorOf(name, { chunks: ['data: {"id": nonsense\n\n'] })
    }
    // A model whose output limit the SDK does not know makes it warn at the end of an answer.
    const { error } = await errorOf('anthropic/claude-2.1', {
      chunks: anthropicEvents(ANTHROPIC_START, ...anthropicEnd('refusal')),
    })
    expect(error).toBeUndefined()
    const calls = spies.flatMap((spy) => spy.mock.calls)
    for (const spy of spies) spy.mockRestore()
    expect(calls).toEqual([])
  })

  it('ends the request when the reader stops reading', async () => {
    await using server = await startSseServer({ chunks: openaiChunks({ content: 'One' }), finish: 'hang' })
    for await (const event of (await loadModel('openai/gpt-4o', server.url)).stream(request())) {
      if (event.type === 'text') break
    }
    await server.disconnected
  })
})
