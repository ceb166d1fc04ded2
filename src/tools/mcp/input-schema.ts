// Input schemas of servers: judged one by one, and made what providers take at the root of a tool's parameters.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { cleanSchema, type SchemaNode } from './clean-schema.ts'
import { localTarget } from './schema-reference.ts'

/** Characters of JSON: no provider takes tools that large. */
const LARGEST = 512 * 1024
/** Combinators that providers refuse at the root of a tool's parameters. */
const COMBINATORS = ['anyOf', 'oneOf', 'allOf'] as const
const REFUSED_AT_ROOT = new Set([...COMBINATORS, '$ref', 'if', 'then', 'else', 'not', 'enum', 'const'])

export type JudgedSchema =
  /** `parameters` for the model, `checked` for validation. */
  | { ok: true; parameters: JsonObject; checked: JsonObject }
  /** Why the tool can't be offered. */
  | { ok: false; why: string }

/** Total: whatever a server sends as `inputSchema`. */
export function judgeInputSchema(raw: unknown): JudgedSchema {
  try {
    return judge(raw)
  } catch (error) {
    return { ok: false, why: error instanceof RangeError ? 'it is nested too deeply' : String(error) }
  }
}

function judge(raw: unknown): JudgedSchema {
  if (raw === undefined || raw === null || raw === true || (Array.isArray(raw) && raw.length === 0))
    return { ok: true, parameters: open({}), checked: {} }
  if (raw === false) return { ok: false, why: 'it allows no arguments at all (false)' }
  if (!isJsonObject(raw))
    return { ok: false, why: `it is ${Array.isArray(raw) ? 'a list' : `a ${typeof raw}`}` }
  const checked = cleanSchema(raw)
  const fault = rootFault(checked)
  if (fault !== undefined) return { ok: false, why: fault }
  const parameters = rootForModel(checked)
  const size = JSON.stringify(parameters).length
  if (size > LARGEST) return { ok: false, why: `it is larger than ${LARGEST / 1024} KiB` }
  return { ok: true, parameters, checked }
}

function rootFault(schema: SchemaNode): string | undefined {
  const { properties } = schema
  if (properties !== undefined && !isJsonObject(properties)) return '"properties" is no map'
  const types = [...typesOf(schema), ...typesOf(localTarget(schema, schema['$ref']) ?? {})]
  return types.length > 0 && !types.includes('object')
    ? `arguments are an object, and it describes ${types.join(' or ')}`
    : undefined
}

function typesOf(schema: SchemaNode): string[] {
  const { type } = schema
  return [type].flat().filter((one): one is string => typeof one === 'string')
}

function open(rest: JsonObject): JsonObject {
  return { type: 'object', properties: {}, ...rest }
}

/** An object at the root, and nothing there that providers refuse: branches are merged to what any of them allows. */
function rootForModel(schema: SchemaNode): JsonObject {
  if (schema['type'] === 'object' && !Object.keys(schema).some((key) => REFUSED_AT_ROOT.has(key)))
    return schema['properties'] === undefined ? open(schema) : schema
  const kept = Object.entries(schema).filter(([key]) => !REFUSED_AT_ROOT.has(key))
  const { properties, required, closed } = merged(schema, schema, 0)
  return {
    ...Object.fromEntries(kept),
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    ...(closed && { additionalProperties: false }),
  }
}

interface Merged {
  properties: JsonObject
  required: string[]
  closed: boolean
}

const MAX_MERGED = 16

function merged(node: SchemaNode, root: SchemaNode, depth: number): Merged {
  const own = isJsonObject(node['properties']) ? node['properties'] : {}
  const all: Merged = {
    properties: { ...own },
    required: strings(node['required']),
    closed: node['additionalProperties'] === false,
  }
  if (depth >= MAX_MERGED) return all
  const target = localTarget(root, node['$ref'])
  for (const part of [target, ...list(node['allOf'])]) {
    if (!isJsonObject(part)) continue
    const { properties, required } = merged(part, root, depth + 1)
    all.properties = { ...properties, ...all.properties }
    all.required.push(...required)
    all.closed = false
  }
  const branches = [...list(node['anyOf']), ...list(node['oneOf'])].filter(isJsonObject)
  const parts = branches.map((branch) => merged(branch, root, depth + 1))
  for (const { properties } of parts) all.properties = { ...properties, ...all.properties }
  if (parts.length > 0) all.closed = false
  const common = parts.map(({ required }) => required)
  all.required.push(...(common[0] ?? []).filter((name) => common.every((names) => names.includes(name))))
  all.required = [...new Set(all.required)]
  return all
}

function list(value: JsonValue | undefined): JsonValue[] {
  return Array.isArray(value) ? value : []
}

function strings(value: JsonValue | undefined): string[] {
  return list(value).filter((one) => typeof one === 'string')
}
