// schema.md §3: the sentences that reach the model.
import { describe, expect, it } from 'vitest'
import { ToolArgsError, ToolOutputError, validateArgs, validateJsonSchemaValue } from '#index.ts'

const object = (properties: object, rest: object = {}) => ({
  type: 'object',
  properties,
  additionalProperties: true,
  ...rest,
})
const sparse: unknown[] = [1]
sparse[2] = 1
const throwing = {
  get a(): string {
    throw new Error('no')
  },
}

describe('messages', () => {
  const rows: [string, object, unknown, string[]][] = [
    ['missing', object({ p: {} }, { required: ['p'] }), {}, ['missing required property "p"']],
    [
      'present but undefined',
      object({ p: {} }, { required: ['p'] }),
      { p: undefined },
      ['missing required property "p"'],
    ],
    [
      'required twice, said once',
      object({ p: {} }, { required: ['p', 'p'] }),
      {},
      ['missing required property "p"'],
    ],
    ['string', object({ p: { type: 'string' } }), { p: 1 }, ['"p" must be a string']],
    ['number', object({ p: { type: 'number' } }), { p: '1' }, ['"p" must be a number']],
    ['integer', object({ p: { type: 'integer' } }), { p: 1.5 }, ['"p" must be an integer']],
    ['boolean', object({ p: { type: 'boolean' } }), { p: 'true' }, ['"p" must be a boolean']],
    ['null', object({ p: { type: 'null' } }), { p: 0 }, ['"p" must be null']],
    ['an object', object({ p: object({}) }), { p: [] }, ['"p" must be an object']],
    ['an object, not null', object({ p: object({}) }), { p: null }, ['"p" must be an object']],
    ['an array', object({ p: { type: 'array' } }), { p: {} }, ['"p" must be an array']],
    [
      'enum',
      object({ p: { type: 'string', enum: ['a', 'b'] } }),
      { p: 'c' },
      ['"p" must be one of ["a","b"]'],
    ],
    ['const', object({ p: { type: 'integer', const: 3 } }), { p: 4 }, ['"p" must be 3']],
    ['type before enum', object({ p: { type: 'string', enum: ['a'] } }), { p: 1 }, ['"p" must be a string']],
    [
      'closed object',
      object({ a: {} }, { additionalProperties: false }),
      { zzz: 1 },
      ['"zzz" is not a declared property'],
    ],
    [
      'closed object, a declared name is near',
      object({ file_path: {} }, { additionalProperties: false }),
      { filePath: 1 },
      ['"filePath" is not a declared property (did you mean "file_path"?)'],
    ],
    [
      'nested paths, dotted and indexed',
      object({ todos: { type: 'array', items: object({ status: { type: 'string' } }) } }),
      { todos: [{}, { status: 1 }] },
      ['"todos[1].status" must be a string'],
    ],
    [
      'names that are no identifiers',
      object({ a: object({ 'x y': { type: 'null' }, '': { type: 'null' } }) }),
      { a: { 'x y': 1, '': 1 } },
      ['"a["x y"]" must be null', '"a[""]" must be null'],
    ],
    ['root', { type: 'string' }, 1, ['"value" must be a string']],
    ['root array', { type: 'array', items: { type: 'string' } }, ['a', 1], ['"value[1]" must be a string']],
    ['lossy', {}, () => 1, ['"value" must be a lossless JSON value']],
    [
      'lossy, nested',
      object({ p: {} }),
      { p: { q: [Number.NaN] } },
      ['"p.q[0]" must be a lossless JSON value'],
    ],
    ['sparse', object({ p: { type: 'array' } }), { p: sparse }, ['"p" must be a dense lossless JSON array']],
    [
      'a throwing getter is a violation',
      object({ a: { type: 'string' } }),
      throwing,
      ['"a" must be a lossless JSON value'],
    ],
    [
      'NaN for a number says the type',
      object({ p: { type: 'number' } }),
      { p: Number.NaN },
      ['"p" must be a number'],
    ],
    ['-0 for an integer says the type', { type: 'integer' }, -0, ['"value" must be an integer']],
    [
      'order: missing, declared, undeclared',
      object({ a: { type: 'string' }, b: {} }, { required: ['b'], additionalProperties: false }),
      { x: 1, a: 1 },
      ['missing required property "b"', '"a" must be a string', '"x" is not a declared property'],
    ],
    [
      'oneOf: how many matched, and why each failed',
      object({
        p: {
          oneOf: [object({ kind: { type: 'string', const: 'a' } }, { required: ['kind'] }), { type: 'null' }],
        },
      }),
      { p: { kind: 'b' } },
      [
        '"p" must match exactly one of 2 alternatives but matches 0 (1: "p.kind" must be "a"; 2: "p" must be null)',
      ],
    ],
    [
      'oneOf: an integer matches both',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      1,
      ['"value" must match exactly one of 2 alternatives but matches 2 (1: matches; 2: matches)'],
    ],
  ]
  it.each(rows)('%s', (_name, schema, value, messages) => {
    expect(validateJsonSchemaValue(schema, value)).toEqual(messages)
  })

  it('the root of arguments is called arguments', () => {
    expect(validateArgs({ a: { type: 'string' } }, [])).toEqual(['"arguments" must be an object'])
    expect(validateArgs({}, undefined)).toEqual(['"arguments" must be an object'])
  })

  it('own properties only: constructor and __proto__ are ordinary', () => {
    const schema = object(
      { constructor: { type: 'string' } },
      { required: ['constructor'], additionalProperties: false },
    )
    expect(validateJsonSchemaValue(schema, {})).toEqual(['missing required property "constructor"'])
    expect(validateJsonSchemaValue(schema, JSON.parse('{"constructor":"x","__proto__":1}'))).toEqual([
      '"__proto__" is not a declared property',
    ])
    expect(validateJsonSchemaValue(schema, { constructor: 'x' })).toEqual([])
  })

  it('are limited in number and in length', () => {
    const list = Array.from({ length: 10_000 }, () => 1)
    expect(validateJsonSchemaValue({ type: 'array', items: { type: 'string' } }, list)).toHaveLength(50)
    const deep = { oneOf: [{ type: 'string' }, { type: 'null' }] }
    const nested = Array.from({ length: 50 }).reduce<object>(
      (inner) => ({ oneOf: [inner, { type: 'null' }] }),
      deep,
    )
    expect(validateJsonSchemaValue(nested, 1)[0]?.length).toBeLessThan(1000)
  })

  it('errors join them and name the tool', () => {
    expect(new ToolArgsError(['a', 'b'])).toMatchObject({
      code: 'INVALID_ARGS',
      message: 'invalid arguments: a; b',
    })
    expect(new ToolOutputError('grep', ['a', 'b'])).toMatchObject({
      code: 'INVALID_TOOL_OUTPUT',
      message: expect.stringMatching(/"grep".*a; b$/),
    })
  })
})
