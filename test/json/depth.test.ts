// schema.md §1 and §4: 900 levels pass and 5,000 give the clear error, never an overflow.
import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  assertSupportedJsonSchema,
  createRegistry,
  defineTool,
  type JsonObject,
  type JsonValue,
  parameterSchemaSpecToJsonSchema,
  validateArgs,
  validateJsonSchemaValue,
  type ValueSpec,
  valueSchemaSpecToJsonSchema,
} from '#index.ts'
import { compileSchema } from '#json/validate.ts'

const CLEAR = /nested more than 1,000 levels deep/

interface Shape {
  shape: string
  spec: (inner: ValueSpec) => ValueSpec
  value: (inner: JsonValue) => JsonValue
}
const shapes: Shape[] = [
  { shape: 'arrays', spec: (items) => ({ type: 'array', items }), value: (inner) => [inner] },
  {
    shape: 'objects',
    spec: (inner) => ({
      type: 'object',
      additionalProperties: false,
      properties: { a: { ...inner, required: true } },
    }),
    value: (a) => ({ a }),
  },
  {
    shape: 'unions',
    spec: (inner) => ({ oneOf: [{ type: 'array', items: inner }, { type: 'null' }] }),
    value: (inner) => [inner],
  },
]
const nest = <T>(levels: number, start: T, wrap: (inner: T) => T): T => {
  let value = start
  for (let level = 0; level < levels; level += 1) value = wrap(value)
  return value
}
const leaf: ValueSpec = { type: 'string' }

describe.each(shapes)('$shape', ({ shape, spec, value }) => {
  // A union spends two nodes on a level.
  const levels = shape === 'unions' ? 450 : 900

  it(`${levels} levels pass: conversion, subset, verdict, explanation`, () => {
    const schema = valueSchemaSpecToJsonSchema(nest(levels, leaf, spec))
    expect(assertSupportedJsonSchema(schema)).toEqual(schema)
    expect(validateJsonSchemaValue(schema, nest<JsonValue>(levels, 'x', value))).toEqual([])
    expect(validateJsonSchemaValue(schema, nest<JsonValue>(levels, 1, value))).toHaveLength(1)
    expect(compileSchema(schema)(nest<JsonValue>(levels, 'x', value), 'value')).toEqual([])
  })

  it('5,000 levels give the clear error: conversion, subset, value', () => {
    const deep = nest(5000, leaf, spec)
    expect(() => valueSchemaSpecToJsonSchema(deep)).toThrow(CLEAR)
    expect(() => parameterSchemaSpecToJsonSchema({ p: deep })).toThrow(CLEAR)
    const raw = nest<JsonObject>(
      5000,
      { type: 'string' },
      (inner) => spec(inner as unknown as ValueSpec) as unknown as JsonObject,
    )
    if (shape !== 'objects') expect(() => assertSupportedJsonSchema(raw)).toThrow(CLEAR)
    expect(validateJsonSchemaValue({}, nest<JsonValue>(5000, 1, value))).toEqual([
      expect.stringMatching(CLEAR),
    ])
    expect(validateArgs({ p: { type: 'json' } }, { p: nest<JsonValue>(5000, 1, value) })).toEqual([
      expect.stringMatching(CLEAR),
    ])
  })
})

it('900 levels pass through the whole pipeline, from a stack that is deep already', async () => {
  const wrap = shapes[1] as Shape
  const deep = nest(900, leaf, wrap.spec)
  const registry = createRegistry()
  registry.register(
    defineTool({
      name: 'deep',
      description: 'd',
      parameters: { p: deep },
      output: {
        schema: deep as ValueSpec,
        render: (_args, value) => [{ type: 'text', text: String(JSON.stringify(value).length) }],
      },
      execute: (args) => args['p'] as JsonValue,
    }),
  )
  expect(JSON.stringify(registry.schemas()[0]).length).toBeGreaterThan(900)
  const recurse = (depth: number): Promise<unknown> =>
    depth > 0
      ? recurse(depth - 1)
      : registry.execute({
          callId: 'c',
          name: 'deep',
          arguments: { p: nest<JsonValue>(900, 'x', wrap.value) },
          signal: new AbortController().signal,
        })
  expect(await recurse(2000)).toMatchObject({ isError: false })
})

it('5,000 levels of raw objects give the clear error', () => {
  const raw = nest<JsonObject>(5000, { type: 'string' }, (a) => ({ type: 'object', properties: { a } }))
  expect(() => assertSupportedJsonSchema(raw)).toThrow(CLEAR)
})

it('990 levels pass where the stack is half as large', () => {
  const script = `
    import { assertSupportedJsonSchema, validateJsonSchemaValue, valueSchemaSpecToJsonSchema } from ${JSON.stringify(new URL('../../src/index.ts', import.meta.url).href)}
    let spec = { type: 'string' }
    let value = 'x'
    for (let level = 0; level < 990; level += 1) {
      spec = { type: 'object', additionalProperties: false, properties: { a: { ...spec, required: true } } }
      value = { a: value }
    }
    const schema = valueSchemaSpecToJsonSchema(spec)
    assertSupportedJsonSchema(schema)
    process.stdout.write(String(validateJsonSchemaValue(schema, value).length))`
  const flags = ['--stack-size=500', '-C', 'deckhand-source', '--input-type=module', '-e', script]
  expect(execFileSync(process.execPath, flags, { encoding: 'utf8' })).toBe('0')
})
