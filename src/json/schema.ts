// placeholder signatures until the room is written
import type { JsonObject, JsonValue } from './value.ts'
import type { ParametersSpec, ValueSpec } from './spec.ts'
/** Checks a value; returns the violations, in order, as sentences for the model. */
export type Validator = (value: unknown, rootLabel: 'arguments' | 'value') => string[]
export declare function compileSchema(schema: JsonObject): Validator
export declare function parameterSchemaSpecToJsonSchema(spec: ParametersSpec): JsonObject
export declare function valueSchemaSpecToJsonSchema(spec: ValueSpec): JsonObject
export type { JsonValue }
