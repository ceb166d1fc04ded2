// The raw subset: what of JSON Schema is enforced; everything else is refused instead of silently ignored.
import {
  ANNOTATIONS,
  annotationFaults,
  isNodeType,
  keywordsOf,
  type NodeType,
  scalarFaults,
} from './keywords.ts'
import {
  type Fault,
  MAX_LEVELS,
  MAX_LEVELS_TEXT,
  MAX_SCHEMA_CONTAINERS,
  materializeAll,
} from './materialize.ts'
import { extendPath, type Path, samePath, schemaPlace } from './path.ts'
import { JsonSchemaError } from './schema-error.ts'
import { isJsonObject, type JsonObject, type JsonValue } from './value.ts'

/**
 * Throws one `JsonSchemaError` with all violations, each path-qualified from `schema`. Returns the frozen snapshot
 * that was checked, so that later changes of the caller's object change nothing.
 */
export function assertSupportedJsonSchema(schema: unknown): JsonObject {
  return assertSubset(schema, false)
}

/** The same, and the root must describe an object. */
export function assertObjectJsonSchema(schema: unknown): JsonObject {
  return assertSubset(schema, true)
}

export const TOO_DEEP = `must not be nested more than ${MAX_LEVELS_TEXT} levels deep`

const LOSSES: Record<Fault, string> = {
  lossy: 'must be a lossless JSON value',
  array: 'must be a dense lossless JSON array',
  deep: TOO_DEEP,
  large: 'is too large',
}

interface Visit {
  readonly node: JsonValue
  readonly path: Path
  /** Nodes from the root down to here, both included. */
  readonly level: number
}

interface Walk {
  /** Places that could not be copied, and are null in the copy. */
  readonly lost: readonly Path[]
  readonly violations: string[]
  /** Found inside the node that is being checked, in order. */
  children: Visit[]
}

function assertSubset(schema: unknown, objectRoot: boolean): JsonObject {
  const { value, faults } = materializeAll(schema, MAX_SCHEMA_CONTAINERS)
  const violations = faults.map(({ fault, path }) => `${schemaPlace(path)}: ${LOSSES[fault]}`)
  checkAll(value, { lost: faults.map(({ path }) => path), violations, children: [] })
  if (objectRoot && isJsonObject(value) && value['type'] !== 'object') {
    violations.unshift('schema: "type" must be "object"')
  }
  if (!isJsonObject(value) || violations.length > 0) throw new JsonSchemaError(violations)
  return value
}

/** Without recursion, so that no depth of schema can overflow the stack of the caller. */
function checkAll(root: JsonValue, walk: Walk): void {
  const pending: Visit[] = [{ node: root, path: undefined, level: 1 }]
  for (let visit = pending.pop(); visit !== undefined; visit = pending.pop()) {
    checkNode(visit, walk)
    pending.push(...walk.children.toReversed())
    walk.children = []
  }
}

function refuse(walk: Walk, path: Path, why: string): void {
  if (!walk.lost.some((place) => samePath(place, path))) walk.violations.push(`${schemaPlace(path)}: ${why}`)
}

function checkNode({ node, path, level }: Visit, walk: Walk): void {
  if (!isJsonObject(node)) return refuse(walk, path, 'must be a schema object')
  if (level > MAX_LEVELS) return refuse(walk, path, TOO_DEEP)
  for (const fault of annotationFaults(node)) refuse(walk, path, fault)
  if (Object.hasOwn(node, 'oneOf')) checkOneOf(node, path, level, walk)
  else if (!Object.hasOwn(node, 'type')) refuseAllBut([], node, path, walk)
  else if (!isNodeType(node['type'])) {
    refuse(walk, path, '"type" must be one of string, number, integer, boolean, null, array, object')
  } else {
    refuseAllBut(['type', ...keywordsOf(node['type'], true)], node, path, walk)
    checkConstraints(node['type'], node, path, level, walk)
  }
}

function refuseAllBut(allowed: readonly string[], node: JsonObject, path: Path, walk: Walk): void {
  for (const keyword of Object.keys(node)) {
    if (ANNOTATIONS.has(keyword) || allowed.includes(keyword)) continue
    refuse(walk, path, `unsupported keyword ${JSON.stringify(keyword)}`)
  }
}

function checkOneOf(node: JsonObject, path: Path, level: number, walk: Walk): void {
  refuseAllBut(['oneOf'], node, path, walk)
  const branches = node['oneOf']
  if (!Array.isArray(branches) || branches.length < 2) {
    return refuse(walk, path, '"oneOf" must be an array of two or more schemas')
  }
  const at = extendPath(path, 'oneOf')
  for (const [index, branch] of branches.entries()) {
    walk.children.push({ node: branch, path: extendPath(at, index), level: level + 1 })
  }
}

function checkConstraints(type: NodeType, node: JsonObject, path: Path, level: number, walk: Walk): void {
  if (type === 'object') checkObject(node, path, level, walk)
  else if (type !== 'array') for (const fault of scalarFaults(type, node)) refuse(walk, path, fault)
  else if (Object.hasOwn(node, 'items')) {
    const { items } = node
    if (Array.isArray(items)) refuse(walk, path, '"items" must be one schema')
    else walk.children.push({ node: items as JsonValue, path: extendPath(path, 'items'), level: level + 1 })
  }
}

function checkObject(node: JsonObject, path: Path, level: number, walk: Walk): void {
  const properties = Object.hasOwn(node, 'properties') ? node['properties'] : {}
  if (Object.hasOwn(node, 'additionalProperties') && typeof node['additionalProperties'] !== 'boolean') {
    refuse(walk, path, '"additionalProperties" must be true or false')
  }
  if (!isJsonObject(properties)) return refuse(walk, path, '"properties" must be an object of schemas')
  if (Object.hasOwn(node, 'required')) checkRequired(node['required'], properties, path, walk)
  const at = extendPath(path, 'properties')
  for (const name of Object.keys(properties)) {
    walk.children.push({ node: properties[name] as JsonValue, path: extendPath(at, name), level: level + 1 })
  }
}

function checkRequired(required: unknown, properties: JsonObject, path: Path, walk: Walk): void {
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string')) {
    return refuse(walk, path, '"required" must be an array of property names')
  }
  for (const name of required) {
    if (Object.hasOwn(properties, name)) continue
    refuse(walk, path, `"required" names ${JSON.stringify(name)}, which is not a declared property`)
  }
}
