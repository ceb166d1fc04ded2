// schema.md §2: the raw subset, accepted and refused, row by row.
import { describe, expect, it } from 'vitest'
import { assertObjectJsonSchema, assertSupportedJsonSchema, JsonSchemaError } from '#index.ts'

const faultsOf = (schema: unknown, check = assertSupportedJsonSchema): readonly string[] => {
  try {
    check(schema)
    return []
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(JsonSchemaError)
    return (thrown as JsonSchemaError).violations
  }
}
const inner = (schema: unknown) => ({ type: 'object', properties: { a: { type: 'array', items: schema } } })

describe('accepted', () => {
  it.each([
    ...['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'].map((type) => [
      `type ${type}`,
      { type },
    ]),
    ['oneOf alone', { oneOf: [{ type: 'string' }, {}] }],
    [
      'oneOf with annotations',
      { oneOf: [{}, {}], description: 'd', title: 't', default: null, examples: [1] },
    ],
    [
      'properties, required, boolean additionalProperties',
      { type: 'object', properties: { a: {} }, required: ['a'], additionalProperties: false },
    ],
    ['additionalProperties true', { type: 'object', additionalProperties: true }],
    ['items as one schema', { type: 'array', items: { type: 'null' } }],
    ['enum and const on scalars', { type: 'string', enum: ['a', 'b'], const: 'b' }],
    ['annotations only: any JSON', { description: 'anything' }],
    ['nothing', {}],
    [
      'a property called constructor',
      { type: 'object', properties: { constructor: { type: 'string' } }, required: ['constructor'] },
    ],
  ] as [string, object][])('%s', (_name, schema) => {
    expect(faultsOf(schema)).toEqual([])
    expect(faultsOf(inner(schema))).toEqual([])
  })
})

describe('refused; the message names path and keyword', () => {
  it.each([
    ['type arrays', { type: ['string', 'null'] }, /"type"/],
    ['unknown types', { type: 'any' }, /"type"/],
    ['anyOf', { anyOf: [{}, {}] }, /"anyOf"/],
    ['allOf', { allOf: [{}] }, /"allOf"/],
    ['not', { type: 'string', not: {} }, /"not"/],
    ['if', JSON.parse('{"if":{},"then":{}}'), /"if"/],
    ['a constraint beside oneOf', { oneOf: [{}, {}], type: 'string' }, /"type"/],
    ['oneOf with one branch', { oneOf: [{}] }, /"oneOf"/],
    ['oneOf that is no array', { oneOf: {} }, /"oneOf"/],
    [
      'schema-valued additionalProperties',
      { type: 'object', additionalProperties: {} },
      /"additionalProperties"/,
    ],
    [
      'required naming an undeclared property',
      { type: 'object', properties: { a: {} }, required: ['b'] },
      /"required" names "b"/,
    ],
    [
      'required naming what only the prototype has',
      { type: 'object', properties: {}, required: ['toString'] },
      /"required" names "toString"/,
    ],
    ['required that is no list', { type: 'object', required: true }, /"required"/],
    ['properties that are no map', { type: 'object', properties: [] }, /"properties"/],
    ['properties on a string', { type: 'string', properties: {} }, /"properties"/],
    ['items on an object', { type: 'object', items: {} }, /"items"/],
    ['tuples', { type: 'array', items: [{}, {}] }, /"items"/],
    ['minItems', { type: 'array', minItems: 1 }, /"minItems"/],
    ['uniqueItems', { type: 'array', uniqueItems: true }, /"uniqueItems"/],
    ['enum on containers', { type: 'array', enum: [[]] }, /"enum"/],
    ['const on containers', { type: 'object', const: {} }, /"const"/],
    ['enum without type', { enum: ['a'] }, /"enum"/],
    ['const without type', { const: 'a' }, /"const"/],
    ['ill-typed enum', { type: 'string', enum: [1] }, /"enum"/],
    ['NaN in enum', { type: 'number', enum: [Number.NaN] }, /enum\[0\]: must be a lossless/],
    ['-0 as const', { type: 'number', const: -0 }, /const: must be a lossless/],
    ...['$ref', '$schema', '$id', 'pattern', 'format', 'minimum', 'maxLength'].map((keyword) => [
      keyword,
      { type: 'string', [keyword]: 'x' },
      new RegExp(`"${keyword.replace('$', '\\$')}"`),
    ]),
    ['a boolean schema', true, /schema object/],
    ['description that is no text', { description: 1 }, /"description"/],
  ] as [string, unknown, RegExp][])('%s', (_name, schema, says) => {
    expect(faultsOf(schema).join()).toMatch(says)
    expect(faultsOf(schema)[0]).toMatch(/^schema[.:]/)
    expect(faultsOf(inner(schema)).join()).toMatch(says)
    expect(faultsOf(inner(schema))[0]).toMatch(/^schema\.properties\.a\.items[.:]/)
  })

  it('all violations in one error', () => {
    const faults = faultsOf({
      type: 'object',
      minProperties: 1,
      properties: {
        a: { type: 'string', pattern: 'x' },
        b: { type: 'number', const: Number.NaN },
        c: { $ref: '#' },
      },
    })
    expect(faults.map((fault) => fault.slice(0, fault.indexOf(':')))).toEqual([
      'schema.properties.b.const',
      'schema',
      'schema.properties.a',
      'schema.properties.b',
      'schema.properties.c',
    ])
  })

  it('an object root where one is asked for', () => {
    expect(faultsOf({ type: 'object' }, assertObjectJsonSchema)).toEqual([])
    expect(faultsOf({ type: 'array' }, assertObjectJsonSchema)).toEqual(['schema: "type" must be "object"'])
    expect(faultsOf({ oneOf: [{ type: 'object' }, { type: 'null' }] }, assertObjectJsonSchema)).toHaveLength(
      1,
    )
    expect(faultsOf(7, assertObjectJsonSchema)).toHaveLength(1)
  })

  it('returns a snapshot: later changes of the caller’s object change nothing', () => {
    const mine = { type: 'object', properties: { a: { type: 'string' } } }
    const checked = assertSupportedJsonSchema(mine)
    mine.properties.a.type = 'number'
    expect(checked).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  })
})
