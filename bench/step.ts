// What a step costs beyond the provider's time, through a provider's real code: from a tool call to the next request.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
/* oxlint-disable unicorn/require-post-message-target-origin -- that is about windows */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import type { SessionEvent } from '#session/event.ts'
import type { Extent, Figure } from './figure.ts'

const ID = '00000000-0000-4000-8000-000000000001'
/** Another at each step: a call that repeats itself would end the turn. */
const argumentsOf = (request: number): string =>
  JSON.stringify({ todos: [{ content: `measure ${request}`, status: 'in_progress' }] })

/** How many messages the conversation has, and how many steps are measured: each runs a small tool. */
const SIZES: Record<Extent, { messages: number; steps: number }> = {
  full: { messages: 1000, steps: 150 },
  short: { messages: 40, steps: 12 },
}

/** Milliseconds from the last byte of an answer with a call to the first of the next request. */
export async function measureStep(extent: Extent): Promise<Figure[]> {
  const { messages, steps } = SIZES[extent]
  const figures: Figure[] = []
  for (const provider of ['anthropic', 'openai-compatible']) {
    const name = `a step at ${messages} messages beyond the provider’s time, ${provider}`
    const values = await stepsOf(provider, messages, steps)
    figures.push({ name, unit: 'ms', values, aim: { of: 'median', most: 5 } })
  }
  return figures
}

async function stepsOf(provider: string, messages: number, steps: number): Promise<number[]> {
  const home = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const endpoint = new Worker(new URL(import.meta.url), { workerData: { provider, steps } })
  const port = await new Promise<number>((resolve) => endpoint.once('message', resolve))
  const over = new Promise<number[]>((resolve) => endpoint.once('message', resolve))
  try {
    const env = {
      ...process.env,
      DECKHAND_HOME: home,
      DECKHAND_MODEL: `${provider}/gpt-x`,
      DECKHAND_BASE_URL: `http://127.0.0.1:${port}/v1`,
      DECKHAND_API_KEY: 'none',
    }
    mkdirSync(join(home, 'sessions'))
    writeFileSync(join(home, 'sessions', `${ID}.jsonl`), history(home, messages))
    const agent = composeAgent(readSettings(env), env, () => undefined)
    const session = await agent.open(ID, { cwd: home, additionalDirectories: [] })
    const text = [{ type: 'text' as const, text: 'Go on.' }]
    await session.prompt({ content: text, shown: text })
    endpoint.postMessage('report')
    await agent.dispose()
    return await over
  } finally {
    await endpoint.terminate()
    rmSync(home, { recursive: true, force: true })
  }
}

/** Turns of four messages: a prompt, a call, its result, an answer. */
function history(cwd: string, messages: number): string {
  const at = '2026-01-05T09:00:00.000Z'
  const rows: object[] = [{ type: 'session', version: 1, id: ID, cwd, roots: [cwd], createdAt: at }]
  for (let turn = 0; turn < messages / 4; turn++) {
    for (const event of turnEvents(turn)) rows.push({ seq: rows.length, at, ...event })
  }
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

function turnEvents(turn: number): SessionEvent[] {
  const callId = `c${turn}`
  const say = (text: string) => [{ type: 'text' as const, text }]
  const args = { file_path: `src/file-${turn}.ts` }
  const lines = Array.from({ length: 20 }, (_, at) => `${at + 1}\texport const value${at} = ${at}`).join('\n')
  const call = { type: 'tool_call' as const, callId, name: 'read', arguments: args }
  return [
    { type: 'turn_start', turnId: `t${turn}` },
    {
      type: 'user_message',
      message: { id: `u${turn}`, content: say(`Prompt ${turn}`), source: { kind: 'user' } },
    },
    { type: 'step_start', step: 1, model: 'x' },
    { type: 'assistant_message', message: { id: `a${turn}`, parts: [...say('Reading.'), call] } },
    { type: 'step_end', step: 1, finish: 'tool_calls' },
    { type: 'tool_call', callId, name: 'read', messageId: `a${turn}` },
    { type: 'tool_started', callId },
    { type: 'tool_result', callId, isError: false, content: say(lines) },
    { type: 'step_start', step: 2, model: 'x' },
    {
      type: 'assistant_message',
      message: { id: `b${turn}`, parts: say('A sentence about what stands there.') },
    },
    { type: 'step_end', step: 2, finish: 'stop' },
    { type: 'turn_end', turnId: `t${turn}`, stopReason: 'end_turn' },
  ]
}

/** The endpoint, on a thread of its own: a call at each request, and words at the last. */
function serve(provider: string, steps: number): void {
  const times: number[] = []
  let said = Number.NaN
  let requests = 0
  const server = createServer((request, response) => {
    if (requests++ > 0) times.push(performance.now() - said)
    request.resume().once('end', () => {
      const last = requests >= steps
      const events = provider === 'anthropic' ? anthropic(requests, last) : chat(requests, last)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      send(response, events)
      said = performance.now()
    })
  })
  server.listen(0, '127.0.0.1', () => parentPort?.postMessage((server.address() as AddressInfo).port))
  // The first steps warm up.
  parentPort?.once('message', () => parentPort?.postMessage(times.slice(Math.min(10, times.length >> 2))))
}

function send(response: ServerResponse, events: readonly object[]): void {
  const lines = events.map(
    (event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
  )
  response.end(lines.join(''))
}

function chat(request: number, last: boolean): object[] {
  const call = {
    index: 0,
    id: `n${request}`,
    type: 'function',
    function: { name: 'todo_write', arguments: argumentsOf(request) },
  }
  const chunk = (delta: object, finish: string | null) => ({
    id: 'c',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })
  if (last) return [chunk({ role: 'assistant', content: 'Done.' }, null), chunk({}, 'stop')]
  return [chunk({ role: 'assistant', tool_calls: [call] }, null), chunk({}, 'tool_calls')]
}

function anthropic(request: number, last: boolean): object[] {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const message = {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'x',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage,
  }
  const block = last
    ? { type: 'text', text: '' }
    : { type: 'tool_use', id: `n${request}`, name: 'todo_write', input: {} }
  const delta = last
    ? { type: 'text_delta', text: 'Done.' }
    : { type: 'input_json_delta', partial_json: argumentsOf(request) }
  const reason = { stop_reason: last ? 'end_turn' : 'tool_use', stop_sequence: null }
  return [
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: reason, usage },
    { type: 'message_stop' },
  ]
}

if (!isMainThread) {
  const { provider, steps } = workerData as { provider: string; steps: number }
  serve(provider, steps)
}
