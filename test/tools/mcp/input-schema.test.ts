import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#json/value.ts'
import { argumentsCheck } from '#tools/mcp/check-arguments.ts'
import { judgeInputSchema } from '#tools/mcp/input-schema.ts'
import { openServers, parametersOf, stdio } from './harness.ts'

function judged(raw: unknown) {
  const result = judgeInputSchema(raw)
  if (!result.ok) throw new Error(result.why)
  return { ...result, check: argumentsCheck(result.checked) }
}

describe('judging', () => {
  it('leaves a modern schema as it is', () => {
    const schema = {
      type: 'object',
      title: 'Query',
      $defs: { Q: { type: 'object', properties: { term: { type: ['string', 'null'], format: 'uri' } } } },
      properties: {
        q: { $ref: '#/$defs/Q', description: 'q' },
        n: { anyOf: [{ const: 1 }, { enum: [null, 'x'] }], default: null },
      },
      required: ['q'],
      additionalProperties: false,
    }
    expect(judged(schema).parameters).toEqual(schema)
  })

  it.each([undefined, null, {}, true, []])('%j takes anything', (raw) => {
    expect(judged(raw).parameters).toEqual({ type: 'object', properties: {} })
    expect(judged(raw).check({ any: 1 })).toEqual([])
  })

  it.each([
    [false, 'no arguments at all'],
    ['x', 'a string'],
    [[1], 'a list'],
    [{ type: 'string' }, 'describes string'],
    [{ type: 'object', properties: [{}] }, 'no map'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'array' } } }, 'describes array'],
    [
      {
        type: 'object',
        properties: { x: { description: 'y', enum: Array.from({ length: 99_999 }, (_, n) => `value ${n}`) } },
      },
      'larger than',
    ],
  ])('%# is refused, in words', (raw, why) => {
    expect(judgeInputSchema(raw)).toEqual({ ok: false, why: expect.stringContaining(why) })
  })

  it('survives any depth', () => {
    let deep: JsonValue = { type: 'object' }
    for (let n = 0; n < 50_000; n += 1) deep = { type: 'object', properties: { x: deep } }
    expect(judgeInputSchema(deep)).toEqual({ ok: false, why: 'it is nested too deeply' })
  })

  it('gives providers an object at the root and checks against the whole schema', () => {
    const { parameters, check } = judged({
      anyOf: [
        { properties: { id: { type: 'integer' } }, required: ['id'] },
        { properties: { name: { type: 'string' } }, required: ['name'] },
      ],
    })
    expect(parameters).toEqual({
      type: 'object',
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
    })
    expect(check({ id: 1 })).toEqual([])
    expect(check({ name: 'x' })).toEqual([])
    expect(check({})).not.toEqual([])
  })

  it('cuts descriptions everywhere', () => {
    const { parameters } = judged({ type: 'object', properties: { q: { description: 'x'.repeat(9000) } } })
    expect(JSON.stringify(parameters).length).toBeLessThan(4300)
  })
})

describe('checking', () => {
  it('B107: follows references, recursion included, and names the place', () => {
    const { check } = judged({
      type: 'object',
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['name'],
        },
      },
      properties: { tree: { $ref: '#/$defs/node' } },
    })
    expect(check({ tree: { name: 'a', children: [{ name: 'b' }] } })).toEqual([])
    const wrong = check({ tree: { name: 'a', children: [{ name: 'b' }, { name: 7 }] } })
    expect(wrong.join()).toContain('"arguments.tree.children[1].name"')
  })

  it('agrees with ajv', () => {
    const ajv = new Ajv2020({ strict: false, logger: false })
    const schemas: JsonObject[] = [
      { type: 'object', properties: { a: { type: 'integer', exclusiveMinimum: 1 } }, required: ['a'] },
      {
        type: 'object',
        properties: { a: { oneOf: [{ type: 'string' }, { type: 'number' }] } },
        additionalProperties: false,
      },
      { type: 'object', properties: { a: { type: ['string', 'null'], minLength: 2, pattern: '^x' } } },
      {
        type: 'object',
        properties: {
          a: {
            type: 'array',
            prefixItems: [{ const: 1 }],
            items: { type: 'string' },
            minItems: 2,
            uniqueItems: true,
          },
        },
      },
      { type: 'object', dependentRequired: { a: ['b'] }, propertyNames: { maxLength: 2 } },
      JSON.parse(
        '{"if":{"properties":{"a":{"const":1}}},"then":{"required":["b"]},"else":{"required":["c"]}}',
      ) as JsonObject,
      { type: 'object', not: { required: ['a'] }, patternProperties: { '^b': { type: 'boolean' } } },
      {
        type: 'object',
        allOf: [{ $ref: '#/$defs/x' }],
        unevaluatedProperties: false,
        $defs: { x: { properties: { a: true } } },
      },
    ]
    const values: JsonValue[] = [
      {},
      { a: 1 },
      { a: 2 },
      { a: 'x' },
      { a: 'xy' },
      { a: null },
      { a: [1, 'x'] },
      { a: [1] },
      { a: 1, b: true },
      { b: 1 },
      { c: 1 },
      { abc: 1 },
      { a: 1.5 },
    ]
    for (const schema of schemas) {
      const oracle = ajv.compile(schema)
      const { check } = judged(schema)
      for (const value of values) {
        expect({ schema, value, valid: check(value).length === 0 }).toEqual({
          schema,
          value,
          valid: oracle(value),
        })
      }
    }
  })

  it.each([
    [
      {
        $schema: 'http://json-schema.org/draft-04/schema#',
        type: 'object',
        properties: { n: { minimum: 1, exclusiveMinimum: true } },
      },
      { n: 2 },
      { n: 1 },
    ],
    [
      {
        type: 'object',
        properties: {
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }], additionalItems: false },
        },
      },
      { pair: ['a', 1] },
      { pair: ['a', 1, 2] },
    ],
    [{ type: 'object', dependencies: { a: ['b'] } }, { a: 1, b: 1 }, { a: 1 }],
    [
      { type: 'object', properties: { s: { type: 'string', enum: null, nullable: null } } },
      { s: 'x' },
      { s: 1 },
    ],
  ])('older drafts and habits mean what they meant (%#)', (raw, fits, not) => {
    const { check } = judged(raw)
    expect(check(fits as JsonValue)).toEqual([])
    expect(check(not as JsonValue)).not.toEqual([])
  })

  it('leaves to the server what can not be decided here', () => {
    expect(
      judged({ type: 'object', properties: { p: { type: 'string', pattern: '([' } } }).check({ p: 'x' }),
    ).toEqual([])
    expect(
      judged({ type: 'object', properties: { x: { $ref: 'https://schemas.invalid/x' } } }).check({ x: 1 }),
    ).toEqual([])
    const circle = judged({
      type: 'object',
      $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
      properties: { x: { $ref: '#/$defs/a' } },
    })
    expect(circle.check({ x: 1 })).toEqual([])
    const loop = judged({
      type: 'object',
      $defs: { c: { allOf: [{ $ref: '#/$defs/c' }] } },
      properties: { y: { $ref: '#/$defs/c' } },
    })
    expect(loop.check({ y: 1 })).toEqual([])
  })
})

describe('a server with odd schemas', () => {
  it('B99, B100: only tools that can not be used are left out, each is named', async () => {
    const bench = await openServers({ odd: stdio('odd-schemas') })
    const names = bench.names().map((name) => name.slice('mcp__odd__'.length))
    expect(names).toHaveLength(23)
    expect(names).not.toContain('never')
    expect(names).not.toContain('text')
    expect(bench.problems).toHaveLength(1)
    expect(bench.problems[0]).toMatch(/"never".*"text"/)
    for (const name of bench.names()) expect(parametersOf(bench, name)).toMatchObject({ type: 'object' })
    expect(await bench.text('mcp__odd__good', { q: 'x' })).toBe('good {"q":"x"}')
    expect(await bench.text('mcp__odd__refs', { q: { term: 'ab' } })).toBe('refs {"q":{"term":"ab"}}')
    expect(await bench.text('mcp__odd__any_of', { id: 3 })).toBe('any_of {"id":3}')
    const wrong = await bench.call('mcp__odd__refs', { q: { term: 'a' } })
    expect(wrong).toMatchObject({ isError: true, error: { info: { code: 'INVALID_ARGS' } } })
    expect(await bench.text('mcp__odd__odd_output')).toBe('odd_output {}')
  })
})
