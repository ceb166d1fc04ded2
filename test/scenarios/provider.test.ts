import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { BinClient } from '../support/bin-client.ts'
import {
  ANTHROPIC_START,
  anthropicEnd,
  anthropicEvents,
  OPENAI_DONE,
  openaiChunks,
  type Reply,
  startSseServer,
} from '../support/sse-server.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const KEY = 'sk-test-0123456789'

interface Api {
  model: string
  call: Reply
  text: Reply
}

const toolDelta = (delta: object): object => ({ tool_calls: [{ index: 0, ...delta }] })
const block = (index: number, content: object, ...deltas: object[]) => [
  { type: 'content_block_start', index, content_block: content },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]

const APIS: Api[] = [
  {
    model: 'openai-compatible/local',
    call: {
      chunks: [
        ...openaiChunks(
          { role: 'assistant', content: 'Look' },
          { content: 'ing.' },
          toolDelta({ id: 'c1', type: 'function', function: { name: 'read', arguments: '' } }),
          toolDelta({ function: { arguments: '{"file_' } }),
          toolDelta({ function: { arguments: 'path":"a.txt"}' } }),
          { finish: 'tool_calls' },
        ),
        OPENAI_DONE,
      ],
    },
    text: { chunks: [...openaiChunks({ content: 'It is there.' }, { finish: 'stop' }), OPENAI_DONE] },
  },
  {
    model: 'anthropic/claude-test',
    call: {
      chunks: anthropicEvents(
        ANTHROPIC_START,
        ...block(
          0,
          { type: 'text', text: '' },
          { type: 'text_delta', text: 'Look' },
          { type: 'text_delta', text: 'ing.' },
        ),
        ...block(
          1,
          { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} },
          { type: 'input_json_delta', partial_json: '{"file_' },
          { type: 'input_json_delta', partial_json: 'path":"a.txt"}' },
        ),
        ...anthropicEnd('tool_use'),
      ),
    },
    text: {
      chunks: anthropicEvents(
        ANTHROPIC_START,
        ...block(0, { type: 'text', text: '' }, { type: 'text_delta', text: 'It is there.' }),
        ...anthropicEnd('end_turn'),
      ),
    },
  },
]

async function start(model: string, ...replies: Reply[]) {
  const server = await startSseServer(...replies)
  const root = await temporaryDirectory()
  await writeFile(join(root, 'a.txt'), 'hello from disk\n')
  const client = new BinClient({
    env: {
      DECKHAND_MODEL: model,
      DECKHAND_BASE_URL: `${server.url}/v1`,
      DECKHAND_API_KEY: KEY,
      DECKHAND_HOME: join(root, 'home'),
    },
  })
  return { server, client, cwd: root, sessionId: await client.open(root) }
}

describe.each(APIS)('a turn over HTTP: $model', ({ model, call, text }) => {
  it('streams, calls tools and sends their results back', async () => {
    const { server, client, cwd, sessionId } = await start(model, call, text)
    await using _server = server
    expect(await client.prompt(sessionId, 'look')).toEqual({ stopReason: 'end_turn' })
    const updates = client.updates(sessionId)
    const said = updates.filter((update) => update.sessionUpdate === 'agent_message_chunk')
    expect(said.map((update) => update.content.text).join('')).toBe('Looking.It is there.')
    const card = updates.filter((update) => update.toolCallId !== undefined)
    expect(card[0]).toMatchObject({
      sessionUpdate: 'tool_call',
      title: 'Read `a.txt`',
      status: 'pending',
      locations: [{ path: join(cwd, 'a.txt') }],
    })
    expect(card.at(-1)).toMatchObject({ status: 'completed' })
    expect(server.requests).toHaveLength(2)
    expect(JSON.stringify(server.requests[1]?.body)).toContain('hello from disk')
    expect(client.faults).toEqual([])
  })

  it.each([
    { status: 401, code: -32000 },
    { status: 404, code: -32603 },
    { status: 400, code: -32603 },
  ])(
    'a provider that answers $status fails the prompt with a clear error, without the key',
    async ({ status, code }) => {
      const { server, client, sessionId } = await start(
        model,
        { status, chunks: ['{"error":{"message":"no"}}'] },
        text,
      )
      await using _server = server
      const failure = await client.prompt(sessionId, 'look').catch((error: unknown) => error)
      expect(failure).toMatchObject({ code, message: expect.stringContaining(String(status)) })
      expect(JSON.stringify(failure)).not.toContain(KEY)
      expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
    },
  )

  it('a dropped stream is tried again, and the person sees what happened', async () => {
    const half: Reply = { chunks: (call.chunks ?? []).slice(0, 2), finish: 'cut' }
    const { server, client, sessionId } = await start(model, half, text)
    await using _server = server
    expect(await client.prompt(sessionId, 'look')).toEqual({ stopReason: 'end_turn' })
    expect(server.requests).toHaveLength(2)
    expect(client.faults).toEqual([])
  })

  it('an answer that is no stream at all is an error, never an empty turn (B185)', async () => {
    const { server, client, sessionId } = await start(model, {
      headers: { 'content-type': 'text/html' },
      chunks: ['<html>proxy</html>'],
    })
    await using _server = server
    await expect(client.prompt(sessionId, 'look')).rejects.toMatchObject({ code: -32603 })
  })
})
