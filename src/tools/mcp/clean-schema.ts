// Schemas of every draft and habit as one dialect, 2020-12: what means nothing is left out, what is older is renamed.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { cutUnits } from '#workspace/text.ts'
import { localTarget } from './schema-reference.ts'

export type SchemaNode = JsonObject

/** Characters of a description; the rest is cut. */
export const LONGEST_DESCRIPTION = 4096
const DEEPEST = 200

/** A map of schemas by name. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
const LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const SINGLE = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])
/** Keywords whose value may be anything, null included. */
const VALUES = new Set(['const', 'default', 'enum', 'examples', 'example'])
const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'])
/** They say where a document is; it is read here only. */
const DROPPED = new Set(['$schema', '$dynamicRef', '$recursiveRef', '$vocabulary'])

/** A copy; a modern schema stays as it is. Throws a `RangeError` on one that is nested too deeply. */
export function cleanSchema(raw: JsonObject): SchemaNode {
  return node(raw, raw, 0)
}

/** The text, cut at `LONGEST_DESCRIPTION`. */
export function cutDescription(text: string): string {
  return text.length <= LONGEST_DESCRIPTION
    ? text
    : `${cutUnits(text, LONGEST_DESCRIPTION)}… (${text.length - LONGEST_DESCRIPTION} more characters)`
}

function node(raw: JsonObject, root: JsonObject, depth: number): SchemaNode {
  if (depth > DEEPEST) throw new RangeError('too deep')
  const out: JsonObject = {}
  for (const [key, value] of Object.entries(raw)) {
    const kept = keyword(key, value, root, depth)
    if (kept !== undefined) out[key] = kept
  }
  modernize(out)
  return out
}

/** What stays of a keyword; undefined when nothing does. */
function keyword(key: string, value: JsonValue, root: JsonObject, depth: number): JsonValue | undefined {
  if (VALUES.has(key)) return key === 'enum' && !Array.isArray(value) ? undefined : value
  if (value === null || DROPPED.has(key)) return undefined
  if (MAPS.has(key)) return map(value, root, depth)
  if (LISTS.has(key)) return list(value, root, depth)
  if (SINGLE.has(key)) return Array.isArray(value) ? list(value, root, depth) : schema(value, root, depth)
  switch (key) {
    case '$ref':
      return localTarget(root, value) === undefined ? undefined : value
    case 'type':
      return types(value)
    case 'required':
      return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : undefined
    case 'description':
      return typeof value === 'string' ? cutDescription(value) : undefined
    default:
      return value
  }
}

function schema(value: JsonValue, root: JsonObject, depth: number): JsonValue {
  if (typeof value === 'boolean') return value
  return isJsonObject(value) ? node(value, root, depth + 1) : {}
}

function map(value: JsonValue, root: JsonObject, depth: number): JsonValue {
  if (Array.isArray(value) && value.length === 0) return {}
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, schema(one, root, depth)] as const),
  )
}

function list(value: JsonValue, root: JsonObject, depth: number): JsonValue | undefined {
  return Array.isArray(value) && value.length > 0 ? value.map((one) => schema(one, root, depth)) : undefined
}

function types(value: JsonValue): JsonValue | undefined {
  const known = [value].flat().filter((one) => typeof one === 'string' && TYPES.has(one))
  return known.length > 1 ? known : known[0]
}

/** Drafts 3 to 2019-09 → 2020-12, in place. */
function modernize(out: JsonObject): void {
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof out[flag] !== 'boolean') continue
    const bound = out[limit]
    if (out[flag] && typeof bound === 'number') {
      out[flag] = bound
      delete out[limit]
    } else delete out[flag]
  }
  if (Array.isArray(out['items'])) {
    out['prefixItems'] = out['items']
    const rest = out['additionalItems']
    if (rest === undefined) delete out['items']
    else out['items'] = rest
  }
  delete out['additionalItems']
  const { dependencies } = out
  if (isJsonObject(dependencies)) {
    const names = Object.entries(dependencies).filter(([, needs]) => Array.isArray(needs))
    if (names.length > 0) out['dependentRequired'] = Object.fromEntries(names)
  }
  delete out['dependencies']
}
