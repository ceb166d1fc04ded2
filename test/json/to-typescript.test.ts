import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { docComment, propertyName, typeOfSchema } from '#json/to-typescript.ts'
import type { JsonValue } from '#json/value.ts'

const flat = (schema: JsonValue): string => typeOfSchema(schema).replaceAll(/\s+/g, ' ')

describe('exact types', () => {
  it.each<[JsonValue, string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'null' }, 'null'],
    [{}, 'JsonValue'],
    [true, 'JsonValue'],
    [false, 'never'],
    [{ type: 'string', enum: ['a', 'b"c', 'a'] }, '"a" | "b\\"c"'],
    [{ const: -1 }, '-1'],
    [{ const: { a: [1, null], 'b-c': true } }, '{ a: [1, null]; "b-c": true }'],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array' }, 'JsonValue[]'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    [{ type: 'object' }, '{ [key: string]: JsonValue }'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }'],
    [{ type: 'object', additionalProperties: false }, '{ [key: string]: never }'],
    [
      { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
      '{ a: string "b-c"?: JsonValue }',
    ],
    [{ type: 'object', properties: {}, required: ['x'] }, '{ x: JsonValue }'],
    [{ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'string | string[]'],
    [{ anyOf: [{ type: 'string' }, { type: 'string', pattern: 'x' }] }, 'string'],
    [
      {
        allOf: [{ type: 'object', properties: { a: { type: 'null' } } }, { $ref: '#/$defs/b' }],
        $defs: { b: { type: 'string' } },
      },
      '{ a?: null } & string',
    ],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'boolean' } } }, 'boolean'],
    [{ type: 'string', pattern: '^a', minLength: 2, format: 'uri' }, 'string'],
  ])('%j', (schema, expected) => {
    expect(flat(schema)).toBe(expected)
  })
})

describe('what no type can say', () => {
  it.each<[JsonValue, string]>([
    [{ not: { type: 'string' } }, 'unknown'],
    [{ if: {}, else: {}, type: 'object' }, 'unknown'],
    [{ $ref: 'https://example.org/x' }, 'unknown'],
    [{ $ref: '#/nowhere' }, 'unknown'],
    [{ type: 'function' }, 'unknown'],
    [{ type: 'string', anyOf: [{ minLength: 1 }] }, 'unknown'],
    [{ type: 'array', prefixItems: [{ type: 'string' }] }, 'unknown'],
    [{ properties: { a: {} } }, 'unknown'],
    [[], 'unknown'],
    [
      { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
      'unknown',
    ],
  ])('%j degrades', (schema, expected) => {
    expect(flat(schema)).toBe(expected)
  })

  it('degrades its own node, never the whole', () => {
    const schema = {
      type: 'object',
      properties: { good: { type: 'string' }, bad: { not: {} }, list: { type: 'array', items: { not: {} } } },
    }
    expect(flat(schema)).toBe('{ good?: string bad?: unknown list?: unknown[] }')
    const tree = {
      $defs: {
        tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
      },
      $ref: '#/$defs/tree',
    }
    expect(flat(tree)).toBe('{ kids?: unknown[] }')
  })

  it('is bounded in depth and size', () => {
    let deep: JsonValue = { type: 'string' }
    for (let level = 0; level < 5000; level += 1) deep = { type: 'array', items: deep }
    expect(typeOfSchema(deep)).toMatch(/^unknown(\[\])+$/)
    const fan = (level: number): JsonValue => ({
      type: 'array',
      items: { anyOf: [{ $ref: `#/$defs/${level}` }, { $ref: `#/$defs/${level}` }, { type: 'null' }] },
    })
    const defs = Object.fromEntries(Array.from({ length: 24 }, (_, level) => [String(level), fan(level + 1)]))
    expect(typeOfSchema({ $defs: defs, $ref: '#/$defs/0' }).length).toBeLessThan(200_000)
  })
})

describe('comments and names', () => {
  it('stay comments and names', () => {
    expect(docComment('one', 2)).toBe('  /** one */\n')
    expect(docComment('', 0)).toBe('')
    expect(docComment('a */ b\r\n\n  c \u2028d\n\n', 0)).toBe('/**\n * a *\\/ b\n *\n *   c\n * d\n */\n')
    expect(['a', '$', 'a b', '', '__proto__', 'ü'].map(propertyName)).toEqual([
      'a',
      '$',
      '"a b"',
      '""',
      '__proto__',
      '"ü"',
    ])
    expect(propertyName('\u2028')).toBe('"\\u2028"')
  })

  it('describe members, with their defaults', () => {
    const text = typeOfSchema(
      { type: 'object', properties: { a: { type: 'number', description: 'How many.', default: 3 } } },
      { indent: 2 },
    )
    expect(text).toBe('{\n    /** How many. (default 3) */\n    a?: number\n  }')
  })
})

describe('any schema', () => {
  it('has a type: total, one line balanced, and the same each time', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (schema) => {
        const text = typeOfSchema(schema as JsonValue)
        expect(text).not.toBe('')
        expect(typeOfSchema(schema as JsonValue)).toBe(text)
      }),
    )
  })
})
