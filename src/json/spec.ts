// The author's schema DSL: its nodes and the types inferred from them.
import type { JsonValue } from './value.ts'

export interface Annotations {
  description?: string
  title?: string
  default?: JsonValue
  examples?: readonly JsonValue[]
}

export interface StringSpec extends Annotations {
  type: 'string'
  enum?: readonly string[]
  const?: string
}
export interface NumberSpec extends Annotations {
  type: 'number' | 'integer'
  enum?: readonly number[]
  const?: number
}
export interface BooleanSpec extends Annotations {
  type: 'boolean'
  enum?: readonly boolean[]
  const?: boolean
}
export interface NullSpec extends Annotations {
  type: 'null'
  enum?: readonly null[]
  const?: null
}
export interface ArraySpec extends Annotations {
  type: 'array'
  items?: ValueSpec
}
export interface ObjectSpec extends Annotations {
  type: 'object'
  properties?: PropertiesSpec
  additionalProperties: boolean
}
/** Any lossless JSON. Author side only: on the wire it is a node without constraints. */
export interface AnyJsonSpec extends Annotations {
  type: 'json'
}
export interface OneOfSpec extends Annotations {
  type?: never
  oneOf: readonly [ValueSpec, ValueSpec, ...ValueSpec[]]
}

/** A node of the DSL (schema.md §1). */
export type ValueSpec =
  | StringSpec
  | NumberSpec
  | BooleanSpec
  | NullSpec
  | ArraySpec
  | ObjectSpec
  | AnyJsonSpec
  | OneOfSpec

/** A node as a property: only the literal `required: true` marks it required. */
export type PropertySpec = ValueSpec & { required?: true }
export type PropertiesSpec = { readonly [name: string]: PropertySpec }

/** Parameters of a tool: the properties of an implicit open object. */
export type ParametersSpec = PropertiesSpec

type Levels = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
type Down<D extends readonly 1[]> = D extends readonly [1, ...infer R extends readonly 1[]] ? R : []

type Scalar<S, T> = S extends { const: infer C extends T }
  ? C
  : S extends { enum: readonly (infer E extends T)[] }
    ? E
    : T

type RequiredNames<P> = { [K in keyof P]: P[K] extends { required: true } ? K : never }[keyof P]
type Flatten<T> = { [K in keyof T]: T[K] }

type Props<P, D extends readonly 1[]> = Flatten<
  { -readonly [K in RequiredNames<P>]: Infer<P[K], D> } & {
    -readonly [K in Exclude<keyof P, RequiredNames<P>>]?: Infer<P[K], D>
  }
>
type Open<T> = T & { [key: string]: JsonValue | undefined }

type InferObject<S, D extends readonly 1[]> = S extends { properties: infer P }
  ? S extends { additionalProperties: false }
    ? Props<P, D>
    : Open<Props<P, D>>
  : S extends { additionalProperties: false }
    ? Record<string, never>
    : { [key: string]: JsonValue }

// A node that is not known more closely than `ValueSpec` is any JSON; without this the compiler unfolds the union for ever.
type Infer<S, D extends readonly 1[]> = [ValueSpec] extends [S] ? JsonValue : InferNode<S, D>

type InferNode<S, D extends readonly 1[]> = S extends { oneOf: readonly (infer B)[] }
  ? B extends unknown
    ? Infer<B, D>
    : never
  : S extends { type: 'string' }
    ? Scalar<S, string>
    : S extends { type: 'number' | 'integer' }
      ? Scalar<S, number>
      : S extends { type: 'boolean' }
        ? Scalar<S, boolean>
        : S extends { type: 'null' }
          ? null
          : S extends { type: 'array' | 'object' }
            ? D extends []
              ? JsonValue
              : S extends { type: 'array' }
                ? S extends { items: infer I }
                  ? Infer<I, Down<D>>[]
                  : JsonValue[]
                : InferObject<S, Down<D>>
            : JsonValue

/** The value type of a node, exact to 16 container levels, `JsonValue` below. */
export type InferValue<S> = Infer<S, Levels>

/** The argument type of a parameter map: declared properties, plus whatever else the model sent. */
export type InferArgs<P> = Open<Props<P, Levels>>
