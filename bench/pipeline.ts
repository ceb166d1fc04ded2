// Calls per second of a tool that does nothing through the whole pipeline, and validation beside ajv.
import { performance } from 'node:perf_hooks'
import { Ajv } from 'ajv'
import { createRegistry, defineTool } from '#index.ts'
import { compileSchema } from '#json/validate.ts'
import type { JsonObject, JsonValue } from '#json/value.ts'
import { measureRival } from './rival.ts'

/** About `bytes` of JSON text as a model would send them. */
function argumentsOf(bytes: number): string {
  return JSON.stringify({
    items: Array.from({ length: Math.max(1, Math.round(bytes / 100)) }, () => 'x'.repeat(86)),
  })
}

const noop = defineTool({
  name: 'noop',
  description: 'Does nothing.',
  parameters: { items: { type: 'array', required: true, items: { type: 'string' } } },
  output: { schema: { type: 'null' }, render: () => [] },
  execute: async () => null,
})

/** Calls per second, the median of five rounds after one to warm up. */
async function rate(calls: number, call: (n: number) => Promise<unknown>): Promise<number> {
  const rounds: number[] = []
  for (let round = 0; round <= 5; round += 1) {
    const start = performance.now()
    for (let n = 0; n < calls; n += 1) await call(n)
    if (round > 0) rounds.push((calls / (performance.now() - start)) * 1000)
  }
  return rounds.toSorted((a, b) => a - b)[2] ?? Number.NaN
}

function pipeline(text: string, listeners: number): (n: number) => Promise<unknown> {
  const registry = createRegistry()
  registry.register(noop)
  for (let index = 0; index < listeners; index += 1) {
    registry.on('tools/pre-execute', (_exec, next) => next())
    registry.on('tools/execute', (_exec, next) => next())
    registry.on('tools/post-execute', (_exec, _result, next) => next())
    registry.on('tools/result', () => undefined)
  }
  const { signal } = new AbortController()
  return async (n) => {
    const result = await registry.execute({
      callId: `c${n}`,
      name: 'noop',
      arguments: JSON.parse(text) as unknown,
      signal,
    })
    if (result.isError) throw new Error(result.error.message)
  }
}

const bare = (text: string): (() => Promise<unknown>) => {
  const run = async (_args: unknown): Promise<null> => null
  return async () => run(JSON.parse(text))
}

const SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    mode: { type: 'string', enum: ['read', 'write', 'append'] },
    range: {
      type: 'object',
      properties: { from: { type: 'integer' }, to: { type: 'integer' } },
      required: ['from'],
      additionalProperties: false,
    },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { old: { type: 'string' }, new: { type: 'string' }, all: { type: 'boolean' } },
        required: ['old', 'new'],
        additionalProperties: false,
      },
    },
  },
  required: ['path', 'edits'],
  additionalProperties: true,
}
const VALUE: JsonValue = {
  path: '/src/a.ts',
  mode: 'write',
  range: { from: 1, to: 20 },
  edits: Array.from({ length: 5 }, (_, n) => ({ old: `old ${n}`, new: `new ${n}`, all: n % 2 === 0 })),
}

/** Nanoseconds of one call of `run`, in the best of five rounds. */
function nanoseconds(count: number, run: () => unknown): number {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < 5; round += 1) {
    const start = performance.now()
    for (let n = 0; n < count; n += 1) run()
    best = Math.min(best, ((performance.now() - start) / count) * 1e6)
  }
  return best
}

interface Row {
  what: string
  value: string
  note: string
}
const perSecond = (value: number): string => `${Math.round(value).toLocaleString('en-US')} calls/s`
const microseconds = (value: number): string => `${value.toFixed(1)} µs`

async function pipelineRows(): Promise<Row[]> {
  const sizes = [
    { label: '100 B', bytes: 100, calls: 20_000 },
    { label: '100 KB', bytes: 100_000, calls: 500 },
  ]
  const rival = measureRival(sizes.map(({ bytes, calls }) => ({ bytes, calls: Math.ceil(calls / 4) })))
  const rows: Row[] = []
  for (const [index, { label, bytes, calls }] of sizes.entries()) {
    const text = argumentsOf(bytes)
    const alone = await rate(calls, bare(text))
    rows.push({ what: `${label}, bare await fn(JSON.parse(…))`, value: perSecond(alone), note: '' })
    const theirs = rival?.[index]
    for (const listeners of [0, 10]) {
      const ours = await rate(calls, pipeline(text, listeners))
      const beside =
        theirs === undefined || listeners > 0 ? '' : `, ${(ours / theirs).toFixed(1)} × the other package`
      rows.push({
        what: `${label}, pipeline, ${listeners} listeners`,
        value: perSecond(ours),
        note: `${microseconds(1e6 / ours - 1e6 / alone)} overhead${beside}`,
      })
    }
    rows.push({
      what: `${label}, @deepseek-ai/dsh-tools`,
      value: theirs === undefined ? 'not installed' : perSecond(theirs),
      note: '',
    })
  }
  return rows
}

function validationRows(): Row[] {
  // The first time counts: measured before anything has been compiled.
  const first = (make: () => unknown): number => {
    const start = performance.now()
    make()
    return (performance.now() - start) * 1000
  }
  const [ourFirst, ajvFirst] = [
    first(() => compileSchema(SCHEMA)(VALUE, 'value')),
    first(() => new Ajv({ strict: false }).compile(SCHEMA)(VALUE)),
  ]
  const [ours, ajv] = [compileSchema(SCHEMA), new Ajv({ strict: false, ownProperties: true }).compile(SCHEMA)]
  const [ourTime, ajvTime] = [
    nanoseconds(200_000, () => ours(VALUE, 'value')),
    nanoseconds(200_000, () => ajv(VALUE)),
  ]
  const [ourAgain, ajvAgain] = [
    nanoseconds(300, () => compileSchema(structuredClone(SCHEMA))(VALUE, 'value')),
    nanoseconds(100, () => new Ajv({ strict: false }).compile(structuredClone(SCHEMA))(VALUE)),
  ]
  return [
    {
      what: 'validation, compiled',
      value: `${ourTime.toFixed(0)} ns`,
      note: `ajv ${ajvTime.toFixed(0)} ns, factor ${(ourTime / ajvTime).toFixed(2)}`,
    },
    {
      what: 'first validation in the process',
      value: microseconds(ourFirst),
      note: `ajv ${microseconds(ajvFirst)}, ${(ajvFirst / ourFirst).toFixed(0)} × faster`,
    },
    {
      what: 'first validation of one more schema',
      value: microseconds(ourAgain / 1000),
      note: `ajv ${microseconds(ajvAgain / 1000)}, ${(ajvAgain / ourAgain).toFixed(0)} × faster`,
    },
  ]
}

/** The table, as text. */
export async function pipelineTable(): Promise<string> {
  const rows = [...validationRows(), ...(await pipelineRows())]
  const width = (of: (row: Row) => string): number => Math.max(...rows.map((row) => of(row).length))
  const [what, value] = [width((row) => row.what), width((row) => row.value)]
  return rows
    .map((row) => `${row.what.padEnd(what)}  ${row.value.padStart(value)}  ${row.note}`.trimEnd())
    .join('\n')
}

if (import.meta.main) process.stdout.write(`${await pipelineTable()}\n`)
