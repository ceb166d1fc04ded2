// Type tests: what the DSL infers, and what the compiler refuses. `tsc` checks them; vitest runs the definitions.
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  defineTool,
  type InferArgs,
  type InferValue,
  type JsonValue,
  type ParametersSpec as PropertiesSpec,
  validateJsonSchemaValue,
  type ValueSpec,
  valueSchemaSpecToJsonSchema,
} from '#index.ts'

const value = <const S extends ValueSpec>(spec: S): { spec: S; of: InferValue<S> } => ({
  spec,
  of: undefined as never,
})
const open = (properties: PropertiesSpec) => value({ type: 'object', additionalProperties: true, properties })
const closed = value({
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'integer', required: true },
    mode: { type: 'string', enum: ['r', 'w'], required: true },
    tags: { type: 'array', items: { type: 'string' } },
    any: { type: 'json' },
  },
})
type Closed = { id: number; mode: 'r' | 'w'; tags?: string[]; any?: JsonValue }
type Open = { [key: string]: JsonValue | undefined }

describe('InferValue', () => {
  it('scalars, constants, enumerations', () => {
    expectTypeOf(value({ type: 'string' }).of).toEqualTypeOf<string>()
    expectTypeOf(value({ type: 'integer' }).of).toEqualTypeOf<number>()
    expectTypeOf(value({ type: 'boolean' }).of).toEqualTypeOf<boolean>()
    expectTypeOf(value({ type: 'null' }).of).toEqualTypeOf<null>()
    expectTypeOf(value({ type: 'string', enum: ['a', 'b'] }).of).toEqualTypeOf<'a' | 'b'>()
    expectTypeOf(value({ type: 'number', const: 3 }).of).toEqualTypeOf<3>()
    expectTypeOf(value({ type: 'string', enum: ['a', 'b'], const: 'a' }).of).toEqualTypeOf<'a'>()
    expectTypeOf(value({ type: 'json' }).of).toEqualTypeOf<JsonValue>()
  })

  it('arrays, objects, unions', () => {
    expectTypeOf(value({ type: 'array' }).of).toEqualTypeOf<JsonValue[]>()
    expectTypeOf(
      value({ type: 'array', items: { type: 'array', items: { type: 'null' } } }).of,
    ).toEqualTypeOf<null[][]>()
    expectTypeOf(closed.of).toEqualTypeOf<Closed>()
    expectTypeOf(value({ type: 'object', additionalProperties: false }).of).toEqualTypeOf<
      Record<string, never>
    >()
    expectTypeOf(value({ type: 'object', additionalProperties: true }).of).toEqualTypeOf<{
      [key: string]: JsonValue
    }>()
    expectTypeOf(
      value({
        type: 'object',
        additionalProperties: true,
        properties: { a: { type: 'null', required: true } },
      }).of,
    ).toEqualTypeOf<{ a: null } & Open>()
    expectTypeOf(
      value({ oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'integer' } }] }).of,
    ).toEqualTypeOf<string | number[]>()
    expectTypeOf<InferValue<ValueSpec>>().toEqualTypeOf<JsonValue>()
  })

  it('negative cases', () => {
    const fits: Closed = { id: 1, mode: 'r' }
    expect(validateJsonSchemaValue(valueSchemaSpecToJsonSchema(closed.spec), fits)).toEqual([])
    // @ts-expect-error a required property is missing
    const missing: typeof closed.of = { id: 1 }
    // @ts-expect-error not one of the enumeration
    const outside: typeof closed.of = { id: 1, mode: 'x' }
    // @ts-expect-error wrong item type
    const items: typeof closed.of = { id: 1, mode: 'r', tags: [1] }
    // @ts-expect-error not declared, and the object is closed
    const extra: typeof closed.of = { id: 1, mode: 'r', more: 1 }
    // @ts-expect-error closed without properties accepts only {}
    const empty: InferValue<{ type: 'object'; additionalProperties: false }> = { a: 1 }
    for (const bad of [missing, outside, items, extra])
      expect(validateJsonSchemaValue(valueSchemaSpecToJsonSchema(closed.spec), bad)).toHaveLength(1)
    expect(
      validateJsonSchemaValue(
        valueSchemaSpecToJsonSchema({ type: 'object', additionalProperties: false }),
        empty,
      ),
    ).toHaveLength(1)
  })
})

describe('specs', () => {
  it('are refused by the compiler where they are refused at definition', () => {
    const refused = [
      // @ts-expect-error enum values must match the type
      () => value({ type: 'string', enum: [1] }),
      // @ts-expect-error additionalProperties is mandatory
      () => value({ type: 'object' }),
      // @ts-expect-error an unknown type
      () => value({ type: 'text' }),
      // @ts-expect-error two or more branches
      () => value({ oneOf: [{ type: 'string' }] }),
      // @ts-expect-error only the literal true marks a property as required
      () => open({ a: { type: 'null', required: false } }),
      // Inference lets extra keywords pass; the definition does not.
      () => value({ type: 'string', minLength: 1 }),
      () => value({ type: 'string', oneOf: [{ type: 'string' }, { type: 'null' }] }),
    ]
    for (const make of refused)
      expect(() => valueSchemaSpecToJsonSchema(make().spec as ValueSpec)).toThrow(/unsupported schema/)
  })
})

type Nest<N extends number, Leaf, Count extends 1[] = []> = Count['length'] extends N
  ? Leaf
  : Nest<N, { type: 'array'; items: Leaf }, [...Count, 1]>
type Lists<N extends number, Leaf, Count extends 1[] = []> = Count['length'] extends N
  ? Leaf
  : Lists<N, Leaf[], [...Count, 1]>

describe('depth', () => {
  it('is exact to 16 container levels, then widens to JsonValue', () => {
    expectTypeOf<InferValue<Nest<15, { type: 'string' }>>>().toEqualTypeOf<Lists<15, string>>()
    expectTypeOf<InferValue<Nest<16, { type: 'string' }>>>().toEqualTypeOf<Lists<16, string>>()
    expectTypeOf<InferValue<Nest<17, { type: 'string' }>>>().toEqualTypeOf<Lists<16, JsonValue>>()
    expectTypeOf<InferValue<Nest<20, { type: 'string' }>>>().toEqualTypeOf<Lists<16, JsonValue>>()
    expectTypeOf<InferArgs<{ a: Nest<16, { type: 'null' }> & { required: true } }>['a']>().toEqualTypeOf<
      Lists<16, null>
    >()
    expectTypeOf<InferValue<Nest<16, { type: 'string' }>>>().not.toEqualTypeOf<Lists<16, JsonValue>>()
  })
})

describe('defineTool', () => {
  const output = { schema: { type: 'string' }, render: () => [] } as const

  it('infers arguments and value for every member', () => {
    const tool = defineTool({
      name: 't',
      description: 'd',
      parameters: { path: { type: 'string', required: true }, limit: { type: 'integer' } },
      output: {
        schema: {
          type: 'object',
          additionalProperties: false,
          properties: { lines: { type: 'array', items: { type: 'string' }, required: true } },
        },
        render: (args, found) => {
          expectTypeOf(args).toEqualTypeOf<{ path: string; limit?: number } & Open>()
          expectTypeOf(found).toEqualTypeOf<{ lines: string[] }>()
          return []
        },
        presentationMeta: (args, found) => ({ path: args.path, count: found.lines.length }),
      },
      isConcurrencySafe: (args) => args.limit === 1,
      execute: async ({ path, limit = 1 }, exec) => {
        expectTypeOf(exec.signal).toEqualTypeOf<AbortSignal>()
        return { lines: [path.repeat(limit)] }
      },
      presentCall: ({ path }) => ({ card: 'generic', title: path }),
      presentResult: ({ path }, { isError }) => ({ card: 'generic', title: `${path} ${isError}` }),
    })
    expect(tool.presentCall?.({ path: 'a' })).toEqual({ card: 'generic', title: 'a' })
    // The root is open: what else the model sent is there, as any JSON.
    expectTypeOf<InferArgs<{ a: { type: 'null' } }>['other']>().toEqualTypeOf<JsonValue | undefined>()
  })

  it('negative cases', () => {
    const base = {
      name: 't',
      description: 'd',
      parameters: { a: { type: 'string', required: true } },
      output,
    } as const
    const refused = [
      // @ts-expect-error the value does not fit the output schema
      () => defineTool({ ...base, execute: () => 7 }),
      // @ts-expect-error output is mandatory
      () => defineTool({ name: 't', description: 'd', parameters: {}, execute: () => 'x' }),
      // @ts-expect-error there is no such card
      () => defineTool({ ...base, execute: () => 'x', presentCall: () => ({ card: 'video', title: 't' }) }),
      // @ts-expect-error arguments have their types
      () => defineTool({ ...base, execute: ({ a }) => a.nope }),
    ]
    expect(refused).toHaveLength(4)
  })
})
