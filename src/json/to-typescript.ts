// From JSON Schema to TypeScript types: exact where a type can be, `unknown` for the node where it can't.
import { atPointer } from './pointer.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './value.ts'

/** Nodes inside each other; deeper ones are `unknown`. */
const MAX_LEVELS = 32
/** Nodes of one schema that are spelled out, references counted each time they are followed. */
const MAX_NODES = 2000

/** Keywords that shape a value in a way that no type of ours can say: their node is `unknown`. */
const OPAQUE = (
  'not if then else patternProperties propertyNames dependentSchemas dependentRequired dependencies ' +
  'unevaluatedProperties unevaluatedItems contains $dynamicRef $recursiveRef'
).split(' ')

export interface TypeOptions {
  /** Spaces in front of the lines behind the first; default 0. */
  indent?: number
}

/**
 * The type of the values that fit, as one TypeScript type. `JsonValue` in it is any lossless JSON. Constraints on
 * what a string, number or array holds (`pattern`, `minimum`, `maxItems`, …) do not change a type and are passed over.
 * Total, and the same text for the same schema.
 */
export function typeOfSchema(schema: JsonValue, { indent = 0 }: TypeOptions = {}): string {
  const walk: Walk = { root: schema, open: new Set(), nodes: 0, level: 0 }
  return typeOf(schema, indent, walk)
}

/** A comment of documentation, with a line break behind it; nothing for an empty text. */
export function docComment(text: string, indent: number): string {
  const pad = ' '.repeat(indent)
  const safe = text.replaceAll('*/', '*\\/').replaceAll(/\r\n?|[\u2028\u2029]/g, '\n')
  const lines = safe.split('\n').map((line) => line.trimEnd())
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  if (lines.every((line) => line === '')) return ''
  if (lines.length === 1) return `${pad}/** ${lines[0]?.trim()} */\n`
  return `${pad}/**\n${lines.map((line) => `${pad} *${line === '' ? '' : ` ${line}`}\n`).join('')}${pad} */\n`
}

/** A property name as it is written in a type. */
export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)
}

interface Walk {
  readonly root: JsonValue
  /** References that are being followed. */
  readonly open: Set<string>
  nodes: number
  level: number
}

function typeOf(node: JsonValue, indent: number, walk: Walk): string {
  walk.nodes += 1
  if (node === true) return 'JsonValue'
  if (node === false) return 'never'
  if (!isJsonObject(node) || walk.level >= MAX_LEVELS || walk.nodes > MAX_NODES) return 'unknown'
  walk.level += 1
  const text = typeOfNode(node, indent, walk)
  walk.level -= 1
  return text
}

function typeOfNode(node: JsonObject, indent: number, walk: Walk): string {
  const has = (keyword: string): boolean => Object.hasOwn(node, keyword)
  if (OPAQUE.some(has)) return 'unknown'
  const combined = ['$ref', 'oneOf', 'anyOf', 'allOf'].filter(has)
  if (combined.length > 1 || (combined.length === 1 && isConstrained(node))) return 'unknown'
  switch (combined[0]) {
    case '$ref':
      return typeOfReference(node['$ref'], indent, walk)
    case 'oneOf':
    case 'anyOf':
      return union(branchTypes(node[combined[0]], indent, walk))
    case 'allOf':
      return intersection(branchTypes(node['allOf'], indent, walk))
    default:
      return typeOfConstraints(node, indent, walk)
  }
}

/** Whether a node says something about values beside its branches. */
function isConstrained(node: JsonObject): boolean {
  const keywords = [
    'type',
    'enum',
    'const',
    'properties',
    'required',
    'additionalProperties',
    'items',
    'prefixItems',
  ]
  return keywords.some((keyword) => Object.hasOwn(node, keyword))
}

/** Inside the document only; a reference that leads back to itself is `unknown`. */
function typeOfReference(reference: JsonValue | undefined, indent: number, walk: Walk): string {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference) || walk.open.has(reference))
    return 'unknown'
  const target = atPointer(walk.root, reference.slice(1))
  if (target === undefined) return 'unknown'
  walk.open.add(reference)
  const text = typeOf(target, indent, walk)
  walk.open.delete(reference)
  return text
}

function branchTypes(branches: JsonValue | undefined, indent: number, walk: Walk): string[] {
  if (!Array.isArray(branches) || branches.length === 0) return ['unknown']
  return branches.map((branch) => typeOf(branch, indent, walk))
}

function typeOfConstraints(node: JsonObject, indent: number, walk: Walk): string {
  if (Object.hasOwn(node, 'const')) return literal(node['const'] as JsonValue)
  if (Object.hasOwn(node, 'enum')) {
    const { enum: values } = node
    return Array.isArray(values) && values.length > 0 ? union(values.map(literal)) : 'unknown'
  }
  const type = Object.hasOwn(node, 'type') ? node['type'] : undefined
  if (Array.isArray(type)) return union(type.map((name) => typeNamed(name, node, indent, walk)))
  if (type !== undefined) return typeNamed(type, node, indent, walk)
  // Without a type, constraints on members hold only for values that have members.
  return isConstrained(node) ? 'unknown' : 'JsonValue'
}

function typeNamed(type: JsonValue, node: JsonObject, indent: number, walk: Walk): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
    case 'number':
      return type
    case 'integer':
      return 'number'
    case 'array':
      return arrayType(node, indent, walk)
    case 'object':
      return objectType(node, indent, walk)
    default:
      return 'unknown'
  }
}

function arrayType(node: JsonObject, indent: number, walk: Walk): string {
  if (Object.hasOwn(node, 'prefixItems') || Array.isArray(node['items'])) return 'unknown'
  const item = Object.hasOwn(node, 'items') ? typeOf(node['items'] as JsonValue, indent, walk) : 'JsonValue'
  return `${bracketed(item)}[]`
}

function objectType(node: JsonObject, indent: number, walk: Walk): string {
  const properties = Object.hasOwn(node, 'properties') ? node['properties'] : {}
  const additional = Object.hasOwn(node, 'additionalProperties')
    ? (node['additionalProperties'] as JsonValue)
    : true
  const required = Object.hasOwn(node, 'required') ? node['required'] : []
  if (!isJsonObject(properties) || !Array.isArray(required)) return 'unknown'
  const names = Object.keys(properties)
  if (names.length === 0 && required.length === 0) {
    if (additional === false) return '{ [key: string]: never }'
    return `{ [key: string]: ${typeOf(additional, indent, walk)} }`
  }
  // An index signature would have to admit every declared property as well.
  if (isJsonObject(additional) && Object.keys(additional).length > 0) return 'unknown'
  const pad = ' '.repeat(indent + 2)
  const undeclared = required.filter((name) => typeof name === 'string' && !names.includes(name)) as string[]
  const members = names.map((name) => {
    const member = properties[name] as JsonValue
    const mark = required.includes(name) ? '' : '?'
    return `${docComment(docOf(member), indent + 2)}${pad}${propertyName(name)}${mark}: ${typeOf(member, indent + 2, walk)}\n`
  })
  for (const name of undeclared) members.push(`${pad}${propertyName(name)}: JsonValue\n`)
  return `{\n${members.join('')}${' '.repeat(indent)}}`
}

/** What a node says for people: its description, and its default. */
function docOf(node: JsonValue): string {
  if (!isJsonObject(node)) return ''
  const own = (name: string): JsonValue | undefined => (Object.hasOwn(node, name) ? node[name] : undefined)
  const [description, fallback] = [own('description'), own('default')]
  const text = typeof description === 'string' ? description : ''
  return fallback === undefined
    ? text
    : `${text}${text === '' ? '' : ' '}(default ${JSON.stringify(fallback)})`
}

function literal(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value)
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (isJsonObject(value)) {
    const members = Object.keys(value).map(
      (key) => `${propertyName(key)}: ${literal(value[key] as JsonValue)}`,
    )
    return members.length === 0 ? '{ [key: string]: never }' : `{ ${members.join('; ')} }`
  }
  return String(value)
}

/** JSON's strings are TypeScript's, but for line separators, which are escaped to keep lines whole. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)]
  if (distinct.includes('unknown')) return 'unknown'
  return distinct
    .map((type) => (/ & /.test(type) && distinct.length > 1 ? bracketed(type) : type))
    .join(' | ')
}

function intersection(types: readonly string[]): string {
  const distinct = [...new Set(types)].filter((type) => type !== 'JsonValue')
  if (distinct.length === 0) return 'JsonValue'
  if (distinct.includes('unknown')) return 'unknown'
  return distinct.length === 1 ? (distinct[0] ?? 'unknown') : distinct.map(bracketed).join(' & ')
}

function bracketed(type: string): string {
  return /[|&]/.test(type) ? `(${type})` : type
}
