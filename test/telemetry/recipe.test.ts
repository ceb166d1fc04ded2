// The recipe of docs/observability.md, run as it stands there: spans of a whole turn arrive at a collector.
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { BIN, ROOT } from '../cli/run-bin.ts'
import { scriptedBin } from '../support/scripted-bin.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { type CollectedSpan, startCollector } from './collector.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

async function documented(): Promise<string> {
  const page = await readFile(join(ROOT, 'docs/observability.md'), 'utf8')
  return /```js tracing\n([^]*?)```/.exec(page)?.[1] ?? ''
}

/** The path of a module with that source, beside which the SDK is installed. */
async function preload(source: string): Promise<string> {
  const directory = join(await temporaryDirectory(), 'tracing')
  await mkdir(join(directory, 'node_modules'), { recursive: true })
  await symlink(
    join(ROOT, 'node_modules', '@opentelemetry'),
    join(directory, 'node_modules', '@opentelemetry'),
  )
  await writeFile(join(directory, 'tracing.mjs'), source)
  return join(directory, 'tracing.mjs')
}

async function tracedBin(turns: Scenario['turns'], env: Record<string, string> = {}) {
  const collector = await startCollector()
  const bin = await scriptedBin({
    command: [process.execPath, '--import', await preload(await documented()), BIN, 'acp'],
    turns,
    files: { 'a.txt': 'TEXT-OF-A-FILE\n' },
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, DECKHAND_CODE_MODE: 'both', ...env },
  })
  return { ...bin, ...collector }
}

const attributesOf = (spans: CollectedSpan[], name: string) =>
  spans.filter((span) => span.name === name).map(({ attributes }) => attributes)

const CODE = 'await tools.read({ file_path: "a.txt" })\nreturn 1'
const TURN: Scenario['turns'] = [
  {
    steps: [
      {
        do: [
          { call: { id: 'read', name: 'read', arguments: { file_path: 'a.txt' } } },
          { call: { id: 'lost', name: 'read', arguments: { file_path: 'lost.txt' } } },
        ],
        usage: { inputTokens: 100, outputTokens: 7, cachedInputTokens: 40 },
      },
      { do: [{ call: { id: 'code', name: 'run_code', arguments: { code: CODE, description: 'Read' } } }] },
      { do: [{ text: 'TEXT-OF-THE-MODEL' }] },
    ],
  },
]
const CLIENT_TRACE = '0af7651916cd43dd8448eb211c80319c'

describe('the recipe', () => {
  it('gives a span for the turn, each request to the model and each call, and leaves stdout alone', async () => {
    const { client, cwd, spans, bodies } = await tracedBin(TURN, { ANTHROPIC_API_KEY: 'sk-SECRET-KEY' })
    const sessionId = await client.open(cwd)
    const { stopReason } = await client.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: 'TEXT-OF-A-PERSON' }],
      _meta: { traceparent: `00-${CLIENT_TRACE}-b7ad6b7169203331-01` },
    })
    expect(stopReason).toBe('end_turn')
    expect(await client.end()).toBe(0)
    // Every line was parsed and held against the schema as it came.
    expect(client.faults).toEqual([])
    expect(client.stderr).toBe('')

    const turn = spans.find(({ name }) => name === 'invoke_agent deckhand')
    expect(turn).toMatchObject({ traceId: CLIENT_TRACE, parentSpanId: 'b7ad6b7169203331', failed: false })
    expect(turn?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'deckhand',
      'gen_ai.conversation.id': sessionId,
      'deckhand.turn.stop_reason': 'end_turn',
    })
    const inside = (parent?: CollectedSpan) =>
      spans
        .filter(({ parentSpanId, traceId }) => parentSpanId === parent?.spanId && traceId === CLIENT_TRACE)
        .map(({ name, attributes, failed }) =>
          [name, attributes['gen_ai.tool.call.id'], failed ? attributes['error.type'] : undefined]
            .filter((part) => part !== undefined)
            .join(' '),
        )
    expect(inside(turn).toSorted()).toEqual([
      'chat test',
      'chat test',
      'chat test',
      'execute_tool read lost FS_NOT_FOUND',
      'execute_tool read read',
      'execute_tool run_code code',
    ])
    expect(inside(spans.find(({ name }) => name === 'execute_tool run_code'))).toEqual([
      'execute_tool read code:code:1',
    ])
    const [first] = attributesOf(spans, 'chat test')
    expect(first).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.request.model': 'test',
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 7,
      'gen_ai.usage.cache_read.input_tokens': 40,
    })
    const wire = bodies.join('\n')
    for (const secret of ['SECRET-KEY', 'TEXT-OF', 'a.txt', 'lost.txt', cwd])
      expect(wire).not.toContain(secret)
  })

  it('says by codes how a turn failed, and that one was cancelled', async () => {
    const { client, cwd, spans } = await tracedBin([
      { match: 'fail', steps: [{ do: [{ error: { code: 'bad_request', message: 'quotes TEXT' } }] }] },
      { match: 'hang', steps: [{ do: [{ text: 'Well…' }, { hang: true }] }] },
    ])
    const sessionId = await client.open(cwd)
    await expect(client.prompt(sessionId, 'fail')).rejects.toMatchObject({ code: expect.any(Number) })
    const hanging = client.prompt(sessionId, 'hang')
    await client.seen(({ params }) => params?.update?.content?.text === 'Well…')
    client.notify('session/cancel', { sessionId })
    expect((await hanging).stopReason).toBe('cancelled')
    await client.end()
    expect(spans.map(({ name, attributes }) => [name, attributes['error.type']])).toEqual(
      expect.arrayContaining([
        ['chat test', 'bad_request'],
        ['invoke_agent deckhand', 'bad_request'],
        ['chat test', 'aborted'],
      ]),
    )
    expect(attributesOf(spans, 'invoke_agent deckhand')).toContainEqual(
      expect.objectContaining({ 'deckhand.turn.stop_reason': 'cancelled' }),
    )
  })
})

describe('an exporter that prints', () => {
  it('prints to stderr: stdout is the protocol’s', async () => {
    const source = (await documented())
      .replace(/^import .*exporter-trace-otlp-http.*\n/m, '')
      .replace('BatchSpanProcessor, ', 'ConsoleSpanExporter, SimpleSpanProcessor, ')
      .replace(
        'BatchSpanProcessor(new OTLPTraceExporter())',
        'SimpleSpanProcessor(new ConsoleSpanExporter())',
      )
    const { client, cwd } = await scriptedBin({
      command: [process.execPath, '--import', await preload(source), BIN, 'acp'],
      turns: TURN,
      files: { 'a.txt': 'x\n' },
    })
    await client.prompt(await client.open(cwd), 'go')
    await client.end()
    expect(client.stderr).toContain("name: 'execute_tool read'")
    expect(client.lines.map((line) => JSON.parse(line)).every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
    expect(client.faults).toEqual([])
  })
})
