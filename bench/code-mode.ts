// Code Mode beside native calls: matches counted across 50 files by a model behind a real endpoint, and the cost of a run.
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { text } from 'node:stream/consumers'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import { textOf } from '#model/content.ts'
import { createRegistry } from '#registry/registry.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'

const FILES = 50
const NEEDLE = 'TODO'
const PROGRAM = `const { paths } = await tools.glob({ pattern: '*.txt' })
const counts = await Promise.all(paths.map((path) => tools.grep({ pattern: '${NEEDLE}', path, output: 'count' })))
return counts.reduce((sum, one) => sum + (one.output === 'count' ? one.matches : 0), 0)`

type Mode = 'native' | 'code'
interface Call {
  name: string
  args: object
}

const CALLS: Record<Mode, Call[]> = {
  native: Array.from({ length: FILES }, (_, n) => ({
    name: 'grep',
    args: { pattern: NEEDLE, path: fileName(n), output: 'count' },
  })),
  code: [{ name: 'run_code', args: { code: PROGRAM, description: `Count ${NEEDLE} across the files` } }],
}

export interface Measured {
  /** Of the whole turn. */
  wallMs: number
  /** Bytes of all requests together. */
  sentBytes: number
  /** Bytes that the calls and their results added to the second request: what grows with the work. */
  grownBytes: number
  /** What the model was told, added up. */
  found: number
}

function fileName(n: number): string {
  return `file-${String(n).padStart(2, '0')}.txt`
}

/** An endpoint that answers the first request with calls, and the second with a sentence. */
async function startModel(calls: Call[]) {
  const bodies: string[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body)
      const delta = bodies.length > 1 ? { content: 'Counted.' } : { tool_calls: calls.map(toolCall) }
      const choice = { index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }
      const end = { index: 0, delta: {}, finish_reason: bodies.length > 1 ? 'stop' : 'tool_calls' }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const one of [choice, end])
        response.write(`data: ${JSON.stringify({ ...HEAD, choices: [one] })}\n\n`)
      response.end('data: [DONE]\n\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, server }
}

const HEAD = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' }

function toolCall({ name, args }: Call, index: number) {
  return { index, id: `call_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } }
}

/** One turn in which the model counts, one way or the other. */
async function measureTurn(mode: Mode): Promise<Measured> {
  const root = await mkdtemp(join(tmpdir(), 'deckhand-bench-'))
  const cwd = join(root, 'project')
  await mkdir(cwd)
  for (let n = 0; n < FILES; n += 1) {
    const lines = Array.from({ length: 100 }, (_, line) =>
      line % 20 === n % 20 ? `// ${NEEDLE} ${line}` : `line ${line}`,
    )
    await writeFile(join(cwd, fileName(n)), lines.join('\n'))
  }
  const { url, bodies, server } = await startModel(CALLS[mode])
  const env = {
    PATH: process.env['PATH'],
    DECKHAND_MODEL: 'openai-compatible/m',
    DECKHAND_BASE_URL: url,
    DECKHAND_HOME: join(root, 'home'),
  }
  const agent = composeAgent({ ...readSettings(env), codeMode: mode }, env, () => undefined)
  const session = await agent.create({ cwd, additionalDirectories: [] })
  const began = performance.now()
  const prompt = [{ type: 'text' as const, text: `How many ${NEEDLE}s are in the files?` }]
  await session.prompt({ content: prompt, shown: prompt })
  const wallMs = performance.now() - began
  const ids = new Set(
    session.history().flatMap((event) => (event.type === 'tool_call' ? [event.callId] : [])),
  )
  const told = session
    .history()
    .flatMap((event) =>
      event.type === 'tool_result' && ids.has(event.callId) ? [textOf(event.content)] : [],
    )
  await agent.dispose()
  server.close()
  await rm(root, { recursive: true, force: true })
  const [first = 0, second = 0] = bodies.map((body) => Buffer.byteLength(body))
  return {
    wallMs,
    sentBytes: first + second,
    grownBytes: second - first,
    found: told.reduce((sum, one) => sum + numberIn(one), 0),
  }
}

function numberIn(result: string): number {
  return Number(/\d+(?= match)|^\d+$/.exec(result)?.[0] ?? Number.NaN)
}

/** Milliseconds of a run that does nothing: the first one of a process, and the median of those behind it. */
export async function measureRun(rounds = 60): Promise<{ coldMs: number; warmMs: number }> {
  const codeMode = createCodeMode()
  const registry = createRegistry({ transport: codeMode.transport, mode: 'code' })
  codeMode.attach(registry)
  const times: number[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const began = performance.now()
    const args = { code: `return ${round}`, description: 'Nothing' }
    const result = await registry.execute({
      callId: `r${round}`,
      name: 'run_code',
      arguments: args,
      signal: new AbortController().signal,
    })
    if (result.isError) throw new Error(result.error.message)
    times.push(performance.now() - began)
  }
  await codeMode.dispose()
  const [coldMs = 0, ...warm] = times
  return { coldMs, warmMs: median(warm) }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Both ways, the median of five turns each, after one to warm up. */
export async function measureCounting(rounds = 5): Promise<Record<Mode, Measured>> {
  const measure = async (mode: Mode): Promise<Measured> => {
    const all: Measured[] = []
    for (let round = 0; round <= rounds; round += 1) all.push(await measureTurn(mode))
    const [, ...counted] = all
    const [last] = counted
    if (last === undefined) throw new Error('nothing was measured')
    return { ...last, wallMs: median(counted.map(({ wallMs }) => wallMs)) }
  }
  return { native: await measure('native'), code: await measure('code') }
}

if (import.meta.main) {
  const { coldMs, warmMs } = await measureRun()
  const { native, code } = await measureCounting()
  const row = (label: string, { wallMs, sentBytes, grownBytes, found }: Measured): string =>
    `${label.padEnd(18)} ${wallMs.toFixed(0).padStart(6)} ms ${tokens(sentBytes).padStart(9)} tokens sent, ${tokens(grownBytes).padStart(7)} of them for calls and results; counted ${found}\n`
  const tokens = (bytes: number): string => `~${Math.round(bytes / 4).toLocaleString('en-US')}`
  process.stdout.write(
    `a run that does nothing: ${coldMs.toFixed(0)} ms cold, ${warmMs.toFixed(1)} ms warm (median)\n`,
  )
  process.stdout.write(row(`${FILES} native calls`, native) + row('one run_code', code))
}
