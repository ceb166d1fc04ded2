// The bridge under load: a fast stream to a reading client, a client that stops reading, and loading a long session.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createBridge } from '#bridge/bridge.ts'
import type { SessionEvent, StopReason } from '#session/event.ts'
import type { Extent, Figure } from './figure.ts'
import { FakeAgent, type FakeTurn } from '../test/support/fake-agent.ts'

const BIN = fileURLToPath(new URL('../bin/deckhand.js', import.meta.url))
const MIB = 1024 * 1024

interface StreamResult {
  /** Updates a second that the client had read when the turn was over. */
  updatesPerSecond: number
  /** MiB of the heap and of buffers beyond what the process had before, at the worst moment. */
  peakMiB: number
}

/** More than 10,000 events a second, none joined, to a client that reads; the same to one that does not; a long load. */
export async function measureBridge(extent: Extent): Promise<Figure[]> {
  const full = extent === 'full'
  const read = await stream({ seconds: full ? 5 : 0.2, coalesce: false, stall: false })
  const stalled = await stream({ seconds: full ? 10 : 0.2, coalesce: true, stall: true })
  const events = full ? 100_000 : 1000
  const loads = await measureLoad(events, full ? 5 : 1)
  return [
    {
      name: 'updates a second, to a client that reads',
      unit: '/s',
      values: [read.updatesPerSecond],
      aim: { of: 'median', least: 10_000 },
    },
    { name: 'memory for a client that reads', unit: 'MiB', values: [read.peakMiB] },
    {
      name: 'memory for a client that stands still',
      unit: 'MiB',
      values: [stalled.peakMiB],
      aim: { of: 'median', most: 50 },
    },
    {
      name: `load of ${events.toLocaleString('en')} events, first update`,
      unit: 'ms',
      values: loads.map(({ firstMs }) => firstMs),
      aim: { of: 'median', most: 200 },
    },
    {
      name: `load of ${events.toLocaleString('en')} events`,
      unit: 'ms',
      values: loads.map(({ totalMs }) => totalMs),
      aim: { of: 'median', most: events / 100 },
    },
  ]
}

const RATE = 12_000
const TICK_MS = 10
const TEXT = 'twenty characters ..'

interface StreamOptions {
  seconds: number
  coalesce: boolean
  stall: boolean
}

async function stream({ seconds, coalesce, stall }: StreamOptions): Promise<StreamResult> {
  const reader = spawn(process.execPath, ['-e', READER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const cwd = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const memory = new Peak()
  let sent = 0
  const agent = new FakeAgent({
    script: async (turn): Promise<StopReason> => {
      if (stall) reader.kill('SIGSTOP')
      memory.start()
      sent = await speak(turn, seconds, memory)
      memory.look()
      if (stall) reader.kill('SIGCONT')
      return 'end_turn'
    },
  })
  const input = new PassThrough()
  const bridge = createBridge({
    agent,
    input,
    output: reader.stdin,
    log: () => undefined,
    version: '0',
    coalesce,
  })
  const seen = lines(reader)
  request(input, 1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  await seen(1)
  request(input, 2, 'session/new', { cwd, mcpServers: [] })
  const { sessionId } = (await seen(2)).result as { sessionId: string }
  const begun = performance.now()
  request(input, 3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
  const { received, updates } = await seen(3)
  const took = (performance.now() - begun) / 1000
  await bridge.close()
  await agent.dispose()
  reader.kill('SIGKILL')
  rmSync(cwd, { recursive: true, force: true })
  if (received !== sent) throw new Error(`${received} of ${sent} characters arrived`)
  return { updatesPerSecond: Math.round(updates / took), peakMiB: memory.peakMiB }
}

/** Speaks at the rate, in three messages that take turns; the characters that it said. */
async function speak(turn: FakeTurn, seconds: number, memory: Peak): Promise<number> {
  const begun = performance.now()
  let events = 0
  let ticks = 0
  while (events < seconds * RATE) {
    const due = Math.min(seconds * RATE, ((performance.now() - begun) / 1000) * RATE)
    for (; events < due; events++) turn.emit({ type: 'text_delta', messageId: `m${events % 3}`, text: TEXT })
    if (++ticks % 20 === 0) memory.look()
    await sleep(TICK_MS)
  }
  return events * TEXT.length
}

class Peak {
  #before = 0
  #most = 0
  get peakMiB(): number {
    return Math.max(0, Math.round((this.#most - this.#before) / MIB))
  }
  start(): void {
    this.#before = now()
  }
  look(): void {
    this.#most = Math.max(this.#most, now())
  }
}

function now(): number {
  // What nobody holds any more is no cost of the bridge.
  ;(globalThis as { gc?: () => void }).gc?.()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  return heapUsed + external + arrayBuffers
}

/** Counts what arrives, and tells each answer with the counts so far. */
const READER = `
let rest = '', received = 0, updates = 0
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (rest + chunk).split('\\n')
  rest = lines.pop()
  for (const line of lines) {
    const { id, result, params } = JSON.parse(line)
    if (id !== undefined) process.stdout.write(JSON.stringify({ id, result, received, updates }) + '\\n')
    else if (params.update.sessionUpdate === 'agent_message_chunk') { updates++; received += params.update.content.text.length }
  }
})
`

interface Answer {
  id: number
  result: unknown
  received: number
  updates: number
}

function lines(reader: ChildProcess): (id: number) => Promise<Answer> {
  const answers = new Map<number, PromiseWithResolvers<Answer>>()
  const of = (id: number): PromiseWithResolvers<Answer> => {
    const known = answers.get(id) ?? Promise.withResolvers<Answer>()
    answers.set(id, known)
    return known
  }
  let rest = ''
  reader.stdout?.on('data', (chunk: Buffer) => {
    const whole = (rest + chunk.toString()).split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) {
      const answer = JSON.parse(line) as Answer
      of(answer.id).resolve(answer)
    }
  })
  return (id) => of(id).promise
}

function request(input: { write(text: string): unknown }, id: number, method: string, params: object): void {
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
}

interface LoadResult {
  /** Milliseconds from the request to the first update, and to the answer. */
  firstMs: number
  totalMs: number
}

/** `session/load` of a long session by the built command, over its pipes. */
async function measureLoad(events: number, rounds: number): Promise<LoadResult[]> {
  const root = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  const id = '00000000-0000-4000-8000-000000000001'
  mkdirSync(join(root, 'sessions'))
  writeFileSync(join(root, 'sessions', `${id}.jsonl`), longLog(id, root, events))
  const results: LoadResult[] = []
  for (let round = 0; round < rounds; round++) results.push(await load(root, id, events))
  rmSync(root, { recursive: true, force: true })
  return results
}

async function load(root: string, sessionId: string, events: number): Promise<LoadResult> {
  const env = { ...process.env, DECKHAND_HOME: root, DECKHAND_MODEL: 'scripted/bench' }
  const child = spawn(process.execPath, [BIN, 'acp'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  let begun = 0
  let firstMs = Number.NaN
  let updates = 0
  const over = Promise.withResolvers<number>()
  let rest: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => {
    if (begun > 0 && Number.isNaN(firstMs)) firstMs = performance.now() - begun
    for (const byte of chunk) if (byte === 10) updates++
    rest = [...rest.slice(-1), chunk]
    const tail = Buffer.concat(rest).toString().slice(-4096)
    if (begun === 0 && tail.includes('"id":1')) {
      begun = performance.now()
      updates = 0
      request(child.stdin, 2, 'session/load', { sessionId, cwd: root, mcpServers: [] })
    } else if (begun > 0 && /"id":2[,}]/.test(tail)) over.resolve(performance.now() - begun)
  })
  child.once('error', over.reject)
  request(child.stdin, 1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  const totalMs = await over.promise
  child.stdin.end()
  await new Promise((resolve) => child.once('exit', resolve))
  // Of the ten events of a turn, at least five are seen.
  if (updates < events / 2) throw new Error(`${updates} updates of ${events} events`)
  return { firstMs, totalMs }
}

/** Turns of ten events: a prompt, an answer with a call, its result. */
function longLog(id: string, cwd: string, events: number): string {
  const at = '2026-01-05T09:00:00.000Z'
  const head = { type: 'session', version: 1, id, cwd, roots: [cwd], createdAt: at }
  const rows: string[] = [JSON.stringify(head)]
  for (let turn = 0; rows.length <= events; turn++) {
    for (const event of turnEvents(turn)) {
      if (rows.length <= events) rows.push(JSON.stringify({ seq: rows.length, at, ...event }))
    }
  }
  return `${rows.join('\n')}\n`
}

function turnEvents(turn: number): SessionEvent[] {
  const callId = `c${turn}`
  const turnId = `t${turn}`
  const args = { file_path: `src/file-${turn}.ts`, offset: 1, limit: 20 }
  const part = { type: 'tool_call' as const, callId, name: 'read', arguments: args }
  const say = (text: string): { type: 'text'; text: string }[] => [{ type: 'text', text }]
  const meta = {
    path: `/p/src/file-${turn}.ts`,
    offset: 1,
    lines: [{ number: 1, text: 'export {}' }],
    totalLines: 1,
  }
  return [
    { type: 'turn_start', turnId },
    {
      type: 'user_message',
      message: { id: `u${turn}`, content: say(`Prompt ${turn}`), source: { kind: 'user' } },
    },
    { type: 'step_start', step: 1, model: 'scripted/bench' },
    {
      type: 'assistant_message',
      message: { id: `a${turn}`, parts: [{ type: 'text', text: 'I look.' }, part] },
    },
    { type: 'step_end', step: 1, finish: 'tool_calls' },
    { type: 'tool_call', callId, name: 'read', messageId: `a${turn}` },
    { type: 'tool_started', callId },
    { type: 'tool_result', callId, isError: false, content: say('1\texport {}'), meta },
    {
      type: 'assistant_message',
      message: { id: `b${turn}`, parts: [{ type: 'text', text: 'It is there.' }] },
    },
    { type: 'turn_end', turnId, stopReason: 'end_turn' },
  ]
}
