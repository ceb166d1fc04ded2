// schema.md §4: the properties that hold for generated specs, schemas and values.
import { Ajv } from 'ajv'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assertSupportedJsonSchema,
  JsonSchemaError,
  type JsonValue,
  parameterSchemaSpecToJsonSchema,
  validateArgs,
  validateJsonSchemaValue,
  type ValueSpec,
  valueSchemaSpecToJsonSchema,
} from '#index.ts'
import { materialize } from '#json/materialize.ts'
import { compileSchema } from '#json/validate.ts'
import { scale } from '../fuzz/scale.ts'
import { hostile, json, sample } from './arbitrary.ts'

const runs = scale('schema gate', { short: 1000, long: 100_000 })
const ajv = new Ajv({ strict: false, allErrors: false, validateSchema: false, ownProperties: true })
const isObject = (value: unknown): value is Record<string, JsonValue> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nothing but a `JsonSchemaError` may come out of a definition. */
function converts(make: () => unknown): boolean {
  try {
    make()
    return true
  } catch (thrown) {
    if (thrown instanceof JsonSchemaError && thrown.violations.length > 0) return false
    throw thrown
  }
}

describe('properties', () => {
  it('generated values of a spec always validate', () => {
    const pair = sample.chain(({ spec, value }) => value.map((fits) => ({ spec, fits })))
    fc.assert(
      fc.property(pair, ({ spec, fits }) => {
        const schema = valueSchemaSpecToJsonSchema(spec)
        expect(validateJsonSchemaValue(schema, fits)).toEqual([])
      }),
      runs,
    )
  })

  it('what the DSL makes is inside the raw subset', () => {
    fc.assert(
      fc.property(sample, ({ spec }) => {
        const schema = valueSchemaSpecToJsonSchema(spec)
        expect(assertSupportedJsonSchema(schema)).toEqual(schema)
      }),
      runs,
    )
  })

  it('dropping a required key always fails, and is named', () => {
    const pair = sample
      .filter(
        ({ spec }) =>
          'properties' in spec && Object.values(spec.properties ?? {}).some((node) => node.required),
      )
      .chain(({ spec, value }) =>
        value.map((fits) => ({ spec: spec as Extract<ValueSpec, { type: 'object' }>, fits })),
      )
    fc.assert(
      fc.property(pair, fc.nat(), ({ spec, fits }, pick) => {
        const required = Object.entries(spec.properties ?? {}).filter(([, node]) => node.required)
        const [name] = required[pick % required.length] ?? ['']
        const rest = Object.fromEntries(Object.entries(fits as object).filter(([key]) => key !== name))
        const violations = validateJsonSchemaValue(valueSchemaSpecToJsonSchema(spec), rest)
        expect(violations[0]).toBe(`missing required property "${name}"`)
      }),
      runs,
    )
  })

  it('conversion and validation are total on arbitrary JSON', () => {
    const string = valueSchemaSpecToJsonSchema({ type: 'string' })
    fc.assert(
      fc.property(json, json, (spec, value) => {
        if (converts(() => valueSchemaSpecToJsonSchema(spec as unknown as ValueSpec)))
          expect(isObject(spec)).toBe(true)
        converts(() => parameterSchemaSpecToJsonSchema(spec as never))
        if (converts(() => assertSupportedJsonSchema(spec))) validateJsonSchemaValue(spec, value)
        expect(validateJsonSchemaValue({}, value)).toEqual([])
        expect(validateJsonSchemaValue(string, value).length === 0).toBe(typeof value === 'string')
      }),
      runs,
    )
  })

  it('conversion and validation are total on hostile objects', () => {
    const parameters = {
      a: { type: 'array', items: { oneOf: [{ type: 'json' }, { type: 'string' }] } },
      value: { type: 'object', additionalProperties: false },
    } as const
    fc.assert(
      fc.property(hostile, (value) => {
        converts(() => valueSchemaSpecToJsonSchema(value as ValueSpec))
        converts(() => parameterSchemaSpecToJsonSchema(value as never))
        converts(() => assertSupportedJsonSchema(value))
        const lossless = materialize(value)
        const violations = validateJsonSchemaValue({}, value)
        expect(violations.length === 0).toBe(lossless.ok)
        if (!lossless.ok) expect(validateArgs(parameters, value)).not.toEqual([])
        for (const message of violations) expect(typeof message).toBe('string')
      }),
      runs,
    )
  })

  it('materialization is lossless', () => {
    fc.assert(
      fc.property(json, (value) => {
        const copy = materialize(value)
        expect(copy.ok && JSON.stringify(copy.value)).toBe(JSON.stringify(value))
      }),
      runs,
    )
  })

  it('the verdict equals that of ajv on the shared keywords', () => {
    // Both of these names ajv gets wrong: it lets a missing "" pass, and reads an inherited __proto__.
    const shared = sample.filter(({ spec }) => !/"(__proto__)?":/.test(JSON.stringify(spec)))
    const near = shared.chain(({ spec, value }) =>
      fc.tuple(fc.constant(spec), fc.oneof(value, json, value.chain(mutated))),
    )
    let [accepted, refused] = [0, 0]
    fc.assert(
      fc.property(near, ([spec, value]) => {
        const schema = valueSchemaSpecToJsonSchema(spec)
        const verdict = compileSchema(schema)(value, 'value').length === 0
        expect(verdict).toBe(ajv.compile(schema)(value))
        if (verdict) accepted += 1
        else refused += 1
      }),
      runs,
    )
    expect(Math.min(accepted, refused)).toBeGreaterThan(200)
  })

  it('the explanation says something exactly when the verdict is no', () => {
    const near = sample.chain(({ spec, value }) =>
      fc.tuple(fc.constant(spec), fc.oneof(json, value.chain(mutated))),
    )
    fc.assert(
      fc.property(near, ([spec, value]) => {
        const schema = valueSchemaSpecToJsonSchema(spec)
        const quick = compileSchema(schema)(value, 'value')
        expect(validateJsonSchemaValue(schema, value)).toEqual(quick)
        expect(quick.every((message) => message.startsWith('"') || message.startsWith('missing'))).toBe(true)
      }),
      runs,
    )
  })
})

/** A value that nearly fits: one key dropped, added or replaced. */
function mutated(value: JsonValue): fc.Arbitrary<JsonValue> {
  if (!isObject(value)) return fc.oneof(fc.constant<JsonValue>([value]), json)
  const keys = Object.keys(value)
  return fc.tuple(fc.nat(), json, fc.constantFrom('drop', 'add', 'replace')).map(([pick, other, how]) => {
    const key = how === 'add' ? 'extra' : (keys[pick % Math.max(1, keys.length)] ?? 'extra')
    const entries = Object.entries(value).filter(([name]) => name !== key)
    return Object.fromEntries(how === 'drop' ? entries : [...entries, [key, other]])
  })
}
