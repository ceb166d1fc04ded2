// Validation: a value against a schema of the subset, as sentences for the model (schema.md §3).
import { compileNode, type Node, type Report } from './compile.ts'
import { parameterSchemaSpecToJsonSchema } from './convert.ts'
import { faultMessage, materialize } from './materialize.ts'
import { samePath } from './path.ts'
import type { ParametersSpec } from './spec.ts'
import { assertSupportedJsonSchema } from './subset.ts'
import type { JsonObject, JsonValue } from './value.ts'

export type RootLabel = 'arguments' | 'value'

/** The violations of a materialized value, in order; none when it fits. */
export type Validator = (value: JsonValue, label: RootLabel) => string[]

/** Compiles once per definition. Throws `JsonSchemaError` outside the subset. */
export function compileSchema(schema: JsonObject): Validator {
  const node = compileNode(assertSupportedJsonSchema(schema))
  return (value, label) =>
    node.accepts(value) ? [] : explain(node, value, label).found.map(({ message }) => message)
}

function explain(node: Node, value: unknown, label: RootLabel): Report {
  const report: Report = { label, found: [] }
  node.explain(value, undefined, report)
  return report
}

/**
 * The violations of any value at all, hostile objects included: what is no lossless JSON is a violation, and so is
 * a throwing getter. Throws `JsonSchemaError` when the schema is outside the subset.
 */
export function validateJsonSchemaValue(
  schema: unknown,
  value: unknown,
  label: RootLabel = 'value',
): string[] {
  const node = compileNode(assertSupportedJsonSchema(schema))
  const copy = materialize(value)
  if (copy.ok)
    return node.accepts(copy.value)
      ? []
      : explain(node, copy.value, label).found.map(({ message }) => message)
  const report: Report = { label, found: [] }
  try {
    if (copy.fault !== 'deep' && copy.fault !== 'large') node.explain(value, undefined, report)
  } catch {
    // The getter or proxy that threw is the violation added below.
  }
  if (!report.found.some(({ path }) => path === undefined || samePath(path, copy.path))) {
    report.found.push({ message: faultMessage(copy.fault, copy.path, label), path: copy.path })
  }
  return report.found.map(({ message }) => message)
}

/** The violations of a tool's arguments against its parameter map. */
export function validateArgs(parameters: ParametersSpec, args: unknown): string[] {
  return validateJsonSchemaValue(parameterSchemaSpecToJsonSchema(parameters), args, 'arguments')
}
