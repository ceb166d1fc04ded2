// Generators: specs of the DSL with values that fit them, raw schemas, JSON, and hostile objects.
import fc from 'fast-check'
import type { JsonValue, PropertySpec, ValueSpec } from '#index.ts'

/** Any lossless JSON: no -0, no NaN, names that invite trouble. */
export const json: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(fc.string(), number(), fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name(), tie('value')), { maxLength: 4 }).map(fromEntries),
  ),
})).value

export function number(): fc.Arbitrary<number> {
  return fc
    .double({ noDefaultInfinity: true, noNaN: true })
    .map((value) => (Object.is(value, -0) ? 0 : value))
}

function name(): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom('a', 'b', 'kind', '__proto__', 'constructor', 'toString', 'x y', ''),
    fc.string({ maxLength: 4 }),
  )
}

export function fromEntries<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  const target: Record<string, T> = {}
  for (const [key, value] of entries) {
    Object.defineProperty(target, key, { value, enumerable: true, writable: true, configurable: true })
  }
  return target
}

export interface Sample {
  spec: ValueSpec
  /** A value that fits. */
  value: fc.Arbitrary<JsonValue>
}

const scalar = <T extends JsonValue>(type: string, any: fc.Arbitrary<T>): fc.Arbitrary<Sample> =>
  fc.oneof(
    fc.constant({ spec: { type } as ValueSpec, value: any }),
    fc.uniqueArray(any, { minLength: 1, maxLength: 4 }).map((list) => ({
      spec: { type, enum: list } as ValueSpec,
      value: fc.constantFrom(...list),
    })),
    any.map((only) => ({ spec: { type, const: only } as ValueSpec, value: fc.constant(only) })),
  )

/** A spec beside a generator of values that fit it. */
export const sample: fc.Arbitrary<Sample> = fc.letrec<{ sample: Sample }>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      scalar('string', fc.string()),
      scalar('number', number()),
      scalar('integer', fc.integer()),
      scalar('boolean', fc.boolean()),
      fc.constant<Sample>({ spec: { type: 'null' }, value: fc.constant(null) }),
      fc.constant<Sample>({ spec: { type: 'json' }, value: json }),
      fc.constant<Sample>({ spec: { type: 'array' }, value: fc.array(json, { maxLength: 3 }) }),
    ),
    tie('sample').map(({ spec, value }): Sample => ({
      spec: { type: 'array', items: spec },
      value: fc.array(value, { maxLength: 3 }),
    })),
    objectSample(tie('sample')),
    taggedSample(tie('sample')),
  ),
})).sample

function objectSample(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  const member = fc.record({ name: name(), sample: inner, required: fc.boolean() })
  return fc
    .tuple(fc.uniqueArray(member, { selector: (entry) => entry.name, maxLength: 4 }), fc.boolean())
    .map(([members, open]) => {
      const properties = fromEntries(
        members.map(
          (entry) =>
            [
              entry.name,
              { ...entry.sample.spec, ...(entry.required && { required: true }) } as PropertySpec,
            ] as const,
        ),
      )
      const optional = (entry: (typeof members)[number]) =>
        entry.required
          ? entry.sample.value.map((value) => [entry.name, value] as const)
          : fc.option(
              entry.sample.value.map((value) => [entry.name, value] as const),
              { nil: undefined },
            )
      const value = fc
        .tuple(...members.map(optional))
        .map((entries) => fromEntries(entries.filter((entry) => entry !== undefined)) as JsonValue)
      return { spec: { type: 'object', properties, additionalProperties: open }, value } satisfies Sample
    })
}

/** A union of which exactly one branch fits, told apart by a constant. */
function taggedSample(inner: fc.Arbitrary<Sample>): fc.Arbitrary<Sample> {
  return fc.tuple(inner, inner).map(([left, right]) => {
    const branch = (kind: string, { spec }: Sample): ValueSpec => ({
      type: 'object',
      additionalProperties: false,
      properties: {
        kind: { type: 'string', const: kind, required: true },
        of: { ...spec, required: true } as PropertySpec,
      },
    })
    const fits = (kind: string, { value }: Sample) => value.map((of): JsonValue => ({ kind, of }))
    return {
      spec: { oneOf: [branch('left', left), branch('right', right)] },
      value: fc.oneof(fits('left', left), fits('right', right)),
    }
  })
}

/** Values that nobody should hand over. */
export const hostile: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withNullPrototype: true,
    }),
    fc.constantFrom<unknown>(
      undefined,
      () => 1,
      Symbol('s'),
      Number.NaN,
      -0,
      new Map(),
      Object.freeze({ f: () => 1 }),
    ),
    tie('value').map((value) => new Proxy({ value }, { ownKeys: () => { throw new Error('keys') } })), // oxfmt-ignore
    tie('value').map((value) => ({ get p(): unknown { throw value } })), // oxfmt-ignore
    tie('value').map((value) => Object.assign([value], { extra: value })),
    tie('value').map((value) => {
      const cycle: Record<string, unknown> = { value }
      cycle['self'] = cycle
      return cycle
    }),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.array(fc.tuple(name(), tie('value')), { maxLength: 3 }).map(fromEntries),
  ),
})).value
