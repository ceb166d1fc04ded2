// What a call of a tool that does nothing costs in the whole pipeline, and validation beside ajv.
import { performance } from 'node:perf_hooks'
import { Ajv } from 'ajv'
import { createRegistry, defineTool } from '#index.ts'
import { compileSchema } from '#json/validate.ts'
import type { JsonObject, JsonValue } from '#json/value.ts'
import type { Extent, Figure } from './figure.ts'
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

/** Microseconds of a call in each of five rounds, after one to warm up. */
async function microseconds(calls: number, call: (n: number) => Promise<unknown>): Promise<number[]> {
  const rounds: number[] = []
  for (let round = 0; round <= 5; round += 1) {
    const start = performance.now()
    for (let n = 0; n < calls; n += 1) await call(n)
    if (round > 0) rounds.push(((performance.now() - start) / calls) * 1000)
  }
  return rounds
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

/** Microseconds of a call of `run` in each of five rounds. */
function microsecondsOf(count: number, run: () => unknown): number[] {
  return Array.from({ length: 5 }, () => {
    const start = performance.now()
    for (let n = 0; n < count; n += 1) run()
    return ((performance.now() - start) / count) * 1000
  })
}

const SIZES = [
  { label: '100 B', bytes: 100, calls: 20_000 },
  { label: '100 KB', bytes: 100_000, calls: 500 },
]

/** Beside the other package, where it can be installed; else beside an awaited function. */
async function pipelineFigures(share: number, rival: boolean): Promise<Figure[]> {
  const sizes = SIZES.map(({ calls, ...size }) => ({ ...size, calls: Math.ceil(calls * share) }))
  const theirs = rival
    ? measureRival(sizes.map(({ bytes, calls }) => ({ bytes, calls: Math.ceil(calls / 4) })))
    : undefined
  const figures: Figure[] = []
  for (const [index, { label, bytes, calls }] of sizes.entries()) {
    const text = argumentsOf(bytes)
    const alone = await microseconds(calls, bare(text))
    const other = theirs?.[index]
    const baseline =
      other === undefined
        ? { name: '`await fn(JSON.parse(…))`', values: alone }
        : { name: '@deepseek-ai/dsh-tools', values: [1e6 / other] }
    for (const listeners of [0, 10]) {
      const name = `a call with ${label} of arguments, ${listeners} listeners`
      const values = await microseconds(calls, pipeline(text, listeners))
      figures.push({ name, unit: 'µs', values, baseline })
    }
  }
  return figures
}

function validationFigures(share: number): Figure[] {
  const beside = (name: string, values: number[], ajv: number[]): Figure => ({
    name,
    unit: 'µs',
    values,
    baseline: { name: 'ajv', values: ajv },
  })
  // The first time counts: measured before anything has been compiled.
  const ownFirst = microsecondsOf(1, () => compileSchema(SCHEMA)(VALUE, 'value')).slice(0, 1)
  const ajvFirst = microsecondsOf(1, () => new Ajv({ strict: false }).compile(SCHEMA)(VALUE)).slice(0, 1)
  const [own, ajv] = [compileSchema(SCHEMA), new Ajv({ strict: false, ownProperties: true }).compile(SCHEMA)]
  const count = (whole: number): number => Math.ceil(whole * share)
  return [
    beside('first validation in the process', ownFirst, ajvFirst),
    beside(
      'validation, compiled',
      microsecondsOf(count(200_000), () => own(VALUE, 'value')),
      microsecondsOf(count(200_000), () => ajv(VALUE)),
    ),
    beside(
      'first validation of one more schema',
      microsecondsOf(count(300), () => compileSchema(structuredClone(SCHEMA))(VALUE, 'value')),
      microsecondsOf(count(100), () => new Ajv({ strict: false }).compile(structuredClone(SCHEMA))(VALUE)),
    ),
  ]
}

export async function measurePipeline(extent: Extent): Promise<Figure[]> {
  const share = extent === 'full' ? 1 : 0.01
  return [...validationFigures(share), ...(await pipelineFigures(share, extent === 'full'))]
}
