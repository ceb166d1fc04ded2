// schema.md §1: the author's DSL, what it becomes and what it refuses.
import { describe, expect, it } from 'vitest'
import {
  JsonSchemaError,
  type ParametersSpec,
  parameterSchemaSpecToJsonSchema,
  validateArgs,
  validateJsonSchemaValue,
  type ValueSpec,
  valueSchemaSpecToJsonSchema,
} from '#index.ts'

describe('value nodes', () => {
  const rows: [string, ValueSpec, object][] = [
    [
      'string',
      { type: 'string', enum: ['a', 'b'], const: 'a' },
      { type: 'string', enum: ['a', 'b'], const: 'a' },
    ],
    ['number', { type: 'number', enum: [1.5] }, { type: 'number', enum: [1.5] }],
    ['integer', { type: 'integer', const: 3 }, { type: 'integer', const: 3 }],
    ['boolean', { type: 'boolean', const: true }, { type: 'boolean', const: true }],
    ['null', { type: 'null' }, { type: 'null' }],
    ['array', { type: 'array', items: { type: 'string' } }, { type: 'array', items: { type: 'string' } }],
    ['array without items', { type: 'array' }, { type: 'array' }],
    [
      'object',
      {
        type: 'object',
        additionalProperties: false,
        properties: { a: { type: 'string', required: true }, b: { type: 'null' } },
      },
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'null' } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
    [
      'closed object without properties',
      { type: 'object', additionalProperties: false },
      { type: 'object', properties: {}, additionalProperties: false },
    ],
    ['json', { type: 'json', description: 'any' }, { description: 'any' }],
    ['oneOf', { oneOf: [{ type: 'string' }, { type: 'json' }] }, { oneOf: [{ type: 'string' }, {}] }],
    [
      'annotations',
      { type: 'string', description: 'd', title: 't', default: 'x', examples: ['y'] },
      { description: 'd', title: 't', default: 'x', examples: ['y'], type: 'string' },
    ],
  ]
  it.each(rows)('%s', (_name, spec, schema) => {
    expect(valueSchemaSpecToJsonSchema(spec)).toEqual(schema)
  })

  it('any lossless JSON fits `json` and an array without items', () => {
    const json = valueSchemaSpecToJsonSchema({ type: 'json' })
    const list = valueSchemaSpecToJsonSchema({ type: 'array' })
    for (const value of [null, 'x', 1, [1, [{}]], { a: [] }]) {
      expect(validateJsonSchemaValue(json, value)).toEqual([])
      expect(validateJsonSchemaValue(list, [value])).toEqual([])
    }
    expect(validateJsonSchemaValue(json, { a: Number.NaN })).toEqual(['"a" must be a lossless JSON value'])
  })

  it('closed without properties accepts only {}', () => {
    const schema = valueSchemaSpecToJsonSchema({ type: 'object', additionalProperties: false })
    expect(validateJsonSchemaValue(schema, {})).toEqual([])
    expect(validateJsonSchemaValue(schema, { a: 1 })).toEqual(['"a" is not a declared property'])
    expect(validateJsonSchemaValue(schema, [])).toEqual(['"value" must be an object'])
  })

  it('exactly one branch must match', () => {
    const schema = valueSchemaSpecToJsonSchema({ oneOf: [{ type: 'string' }, { type: 'json' }] })
    expect(validateJsonSchemaValue(schema, 1)).toEqual([])
    expect(validateJsonSchemaValue(schema, 'x')).toHaveLength(1)
  })

  it('defaults are not applied', () => {
    const args = {}
    expect(validateArgs({ a: { type: 'string', default: 'x' } }, args)).toEqual([])
    expect(args).toEqual({})
  })
})

describe('parameters', () => {
  it('are an implicit open object: extra root keys pass', () => {
    const spec: ParametersSpec = { a: { type: 'string', required: true } }
    expect(parameterSchemaSpecToJsonSchema(spec)).toEqual({
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: true,
    })
    expect(validateArgs(spec, { a: 'x', extra: [1] })).toEqual([])
    expect(validateArgs(spec, { a: 'x', extra: () => 1 })).toEqual(['"extra" must be a lossless JSON value'])
  })

  it('named constructor and __proto__ are ordinary', () => {
    const spec = JSON.parse(
      '{"__proto__":{"type":"string","required":true},"constructor":{"type":"number"}}',
    ) as ParametersSpec
    expect(JSON.stringify(parameterSchemaSpecToJsonSchema(spec))).toContain('"__proto__":{"type":"string"}')
    expect(validateArgs(spec, {})).toEqual(['missing required property "__proto__"'])
    expect(validateArgs(spec, JSON.parse('{"__proto__":"x","constructor":"y"}'))).toEqual([
      '"constructor" must be a number',
    ])
  })
})

const sparse: unknown[] = ['a']
sparse[2] = 'a'
class Spec {
  type = 'string'
}
class Names extends Array<string> {}
const cyclic: Record<string, unknown> = { type: 'array' }
cyclic['items'] = cyclic

describe('refused at definition, with the path', () => {
  const inside = (node: unknown) => ({
    p: { type: 'object', additionalProperties: true, properties: { q: node } },
  })
  const rows: [string, unknown, RegExp][] = [
    ['unknown keyword', { type: 'string', minLength: 1 }, /unknown keyword "minLength"/],
    ['keyword of another type', { type: 'string', items: {} }, /unknown keyword "items"/],
    ['unknown type', { type: 'text' }, /unknown "type" "text"/],
    ['no type', {}, /unknown "type"/],
    [
      'type beside oneOf',
      { type: 'string', oneOf: [{ type: 'null' }, { type: 'string' }] },
      /unknown keyword "type"/,
    ],
    ['one branch only', { oneOf: [{ type: 'null' }] }, /two or more branches/],
    [
      'required in a branch',
      { oneOf: [{ type: 'null', required: true }, { type: 'string' }] },
      /oneOf\[0\]: unknown keyword "required"/,
    ],
    [
      'required on items',
      { type: 'array', items: { type: 'null', required: true } },
      /items: unknown keyword "required"/,
    ],
    ['symbol key', { type: 'string', [Symbol('k')]: 1 }, /symbol or hidden keys/],
    [
      'non-enumerable key',
      Object.defineProperty({ type: 'string' }, 'h', { value: 1 }),
      /symbol or hidden keys/,
    ],
    ['foreign prototype', new Spec(), /plain object/],
    ['inherited type', Object.create({ type: 'string' }), /plain object/],
    ['not an object', 'string', /schema object/],
    ['array instead of a node', [{ type: 'string' }], /schema object/],
    ['subclassed enum', { type: 'string', enum: Names.from(['a']) }, /plain dense array/],
    ['sparse enum', { type: 'string', enum: sparse }, /plain dense array/],
    [
      'decorated oneOf',
      { oneOf: Object.assign([{ type: 'null' }, { type: 'string' }], { x: 1 }) },
      /plain dense array/,
    ],
    ['cycle', cyclic, /must not contain itself/],
    ['ill-typed enum', { type: 'string', enum: ['a', 1] }, /only values of type string/],
    ['empty enum', { type: 'string', enum: [] }, /non-empty array/],
    ['ill-typed const', { type: 'integer', const: 1.5 }, /"const" must be of type integer/],
    ['const outside enum', { type: 'string', enum: ['a'], const: 'b' }, /"const" must be in "enum"/],
    ['enum with NaN', { type: 'number', enum: [Number.NaN] }, /only values of type number/],
    ['const -0', { type: 'number', const: -0 }, /"const" must be of type number/],
    ['missing additionalProperties', { type: 'object' }, /additionalProperties/],
    [
      'schema-valued additionalProperties',
      { type: 'object', additionalProperties: {} },
      /additionalProperties/,
    ],
    ['description that is no text', { type: 'string', description: 1 }, /"description" must be a string/],
    ['examples that are no list', { type: 'string', examples: 'x' }, /"examples" must be an array/],
    ['lossy default', { type: 'json', default: () => 1 }, /"default" must be a lossless/],
  ]
  it.each(rows)('%s', (_name, node, says) => {
    const convert = () => parameterSchemaSpecToJsonSchema(inside(node) as unknown as ParametersSpec)
    expect(convert).toThrow(JsonSchemaError)
    expect(convert).toThrow(says)
    expect(convert).toThrow(/schema\.p\.properties\.q/)
    expect(() => valueSchemaSpecToJsonSchema(node as ValueSpec)).toThrow(says)
  })

  it.each([false, 'yes', 1])('required: %j, since only the literal true counts', (required) => {
    const spec = { p: { type: 'string', required } } as unknown as ParametersSpec
    expect(() => parameterSchemaSpecToJsonSchema(spec)).toThrow(
      /schema\.p: "required" must be the literal true/,
    )
  })

  it('a reused sibling is fine', () => {
    const shared = { type: 'string' } as const
    expect(parameterSchemaSpecToJsonSchema({ a: shared, b: shared }).properties).toEqual({
      a: shared,
      b: shared,
    })
  })

  it('parts that are shared again and again, before they exhaust the memory', () => {
    let spec: ValueSpec = { type: 'null' }
    for (let level = 0; level < 40; level += 1) spec = { oneOf: [spec, spec] }
    expect(() => valueSchemaSpecToJsonSchema(spec)).toThrow(/more than 100000 nodes/)
  })

  it('collects all violations', () => {
    try {
      parameterSchemaSpecToJsonSchema({ a: { type: 'x' }, b: { type: 'string', enum: [] } } as never)
      expect.unreachable()
    } catch (thrown) {
      expect(thrown).toMatchObject({
        code: 'UNSUPPORTED_SCHEMA',
        violations: [expect.stringMatching(/^schema\.a: /), expect.stringMatching(/^schema\.b: /)],
      })
    }
  })
})
