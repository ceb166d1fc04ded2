// From the author's DSL to JSON Schema, refusing at definition what could not be enforced at call time.
import {
  ANNOTATIONS,
  annotationFaults,
  isNodeType,
  keywordsOf,
  type NodeType,
  scalarFaults,
} from './keywords.ts'
import { faultMessage, materialize, MAX_LEVELS, setOwn } from './materialize.ts'
import { extendPath, type Path, schemaPlace } from './path.ts'
import { JsonSchemaError } from './schema-error.ts'
import type { ParametersSpec, ValueSpec } from './spec.ts'
import { TOO_DEEP } from './subset.ts'
import { thrownMessage } from './thrown.ts'
import type { JsonObject, JsonValue } from './value.ts'

/** One value node as JSON Schema. Throws `JsonSchemaError`. */
export function valueSchemaSpecToJsonSchema(spec: ValueSpec): JsonObject {
  return convertWith((walk) => convertNode(spec, undefined, false, walk))
}

/** A parameter map as an open object schema. Throws `JsonSchemaError`. */
export function parameterSchemaSpecToJsonSchema(spec: ParametersSpec): JsonObject {
  return convertWith((walk) => {
    const schema: JsonObject = { type: 'object' }
    addProperties(spec, undefined, schema, walk)
    schema['additionalProperties'] = true
    return schema
  })
}

interface Walk {
  readonly open: Set<object>
  readonly violations: string[]
  /** Nodes inside each other. */
  level: number
}

type Spec = Readonly<Record<string, unknown>>

function convertWith(convert: (walk: Walk) => JsonObject): JsonObject {
  const walk: Walk = { open: new Set(), violations: [], level: 0 }
  let schema: JsonObject
  try {
    schema = convert(walk)
  } catch (cause) {
    throw new JsonSchemaError([...walk.violations, `schema: could not be read (${thrownMessage(cause)})`])
  }
  if (walk.violations.length > 0) throw new JsonSchemaError(walk.violations)
  return schema
}

function refuse(walk: Walk, path: Path, why: string): void {
  walk.violations.push(`${schemaPlace(path)}: ${why}`)
}

function plainFault(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return 'must be a schema object'
  const prototype: unknown = Object.getPrototypeOf(node)
  if (prototype !== Object.prototype && prototype !== null) return 'must be a plain object'
  if (Reflect.ownKeys(node).length !== Object.keys(node).length) return 'must have no symbol or hidden keys'
  return undefined
}

function denseFault(list: unknown, what: string): string | undefined {
  if (!Array.isArray(list)) return `${what} must be an array`
  const dense =
    Object.getPrototypeOf(list) === Array.prototype &&
    Object.keys(list).length === list.length &&
    Reflect.ownKeys(list).length === list.length + 1
  return dense ? undefined : `${what} must be a plain dense array`
}

/** Whether a node, or a map of them, can be entered: a plain object, no part of a cycle, not too deep. */
function enter(node: unknown, path: Path, walk: Walk): node is Spec {
  const fault =
    plainFault(node) ??
    (walk.open.has(node as object) ? 'must not contain itself' : undefined) ??
    (walk.level > MAX_LEVELS ? TOO_DEEP : undefined)
  if (fault === undefined) walk.open.add(node as object)
  else refuse(walk, path, fault)
  return fault === undefined
}

function convertNode(node: unknown, path: Path, asProperty: boolean, walk: Walk): JsonObject {
  const schema: JsonObject = {}
  walk.level += 1
  if (enter(node, path, walk)) {
    copyAnnotations(node, path, schema, walk)
    fillNode(node, path, schema, asProperty ? ['required'] : [], walk)
    walk.open.delete(node)
  }
  walk.level -= 1
  return schema
}

function fillNode(node: Spec, path: Path, schema: JsonObject, extra: readonly string[], walk: Walk): void {
  const type = Object.hasOwn(node, 'type') ? node['type'] : undefined
  if (Object.hasOwn(node, 'oneOf')) {
    refuseAllBut(['oneOf', ...extra], node, path, walk)
    schema['oneOf'] = convertBranches(node['oneOf'], extendPath(path, 'oneOf'), walk)
  } else if (type === 'json') refuseAllBut(['type', ...extra], node, path, walk)
  else if (isNodeType(type)) {
    refuseAllBut(['type', ...keywordsOf(type, false), ...extra], node, path, walk)
    schema['type'] = type
    addConstraints(type, node, path, schema, walk)
  } else refuse(walk, path, `unknown "type" ${typeof type === 'string' ? JSON.stringify(type) : typeof type}`)
}

function refuseAllBut(allowed: readonly string[], node: Spec, path: Path, walk: Walk): void {
  for (const keyword of Object.keys(node)) {
    if (ANNOTATIONS.has(keyword) || allowed.includes(keyword)) continue
    refuse(walk, path, `unknown keyword ${JSON.stringify(keyword)}`)
  }
}

function copyAnnotations(node: Spec, path: Path, schema: JsonObject, walk: Walk): void {
  for (const fault of annotationFaults(node)) refuse(walk, path, fault)
  for (const keyword of ANNOTATIONS) {
    if (Object.hasOwn(node, keyword)) copyLiteral(node[keyword], keyword, path, schema, walk)
  }
}

function copyLiteral(value: unknown, keyword: string, path: Path, schema: JsonObject, walk: Walk): void {
  if (value === undefined) return
  const copy = materialize(value)
  if (copy.ok) schema[keyword] = copy.value
  else refuse(walk, path, faultMessage(copy.fault, copy.path, keyword))
}

function convertBranches(branches: unknown, path: Path, walk: Walk): JsonValue {
  const fault = denseFault(branches, '"oneOf"')
  const list = fault === undefined ? (branches as unknown[]) : []
  if (fault !== undefined) refuse(walk, path, fault)
  else if (list.length < 2) refuse(walk, path, '"oneOf" must have two or more branches')
  const converted: JsonValue[] = []
  for (const [index, branch] of list.entries()) {
    converted.push(convertNode(branch, extendPath(path, index), false, walk))
  }
  return converted
}

function addConstraints(type: NodeType, node: Spec, path: Path, schema: JsonObject, walk: Walk): void {
  if (type === 'array') {
    const items = Object.hasOwn(node, 'items') ? node['items'] : undefined
    if (items !== undefined) schema['items'] = convertNode(items, extendPath(path, 'items'), false, walk)
  } else if (type === 'object') addMembers(node, path, schema, walk)
  else {
    const listFault = Object.hasOwn(node, 'enum') ? denseFault(node['enum'], '"enum"') : undefined
    const faults = listFault === undefined ? scalarFaults(type, node) : [listFault]
    for (const fault of faults) refuse(walk, path, fault)
    for (const keyword of ['enum', 'const']) {
      if (Object.hasOwn(node, keyword)) copyLiteral(node[keyword], keyword, path, schema, walk)
    }
  }
}

function addMembers(node: Spec, path: Path, schema: JsonObject, walk: Walk): void {
  const additional = Object.hasOwn(node, 'additionalProperties') ? node['additionalProperties'] : undefined
  if (typeof additional !== 'boolean') refuse(walk, path, '"additionalProperties" must be true or false')
  const properties = Object.hasOwn(node, 'properties') ? node['properties'] : undefined
  addProperties(properties ?? {}, extendPath(path, 'properties'), schema, walk)
  schema['additionalProperties'] = additional === true
}

function addProperties(properties: unknown, path: Path, schema: JsonObject, walk: Walk): void {
  const required: string[] = []
  const converted: JsonObject = {}
  if (enter(properties, path, walk)) {
    for (const name of Object.keys(properties)) {
      const at = extendPath(path, name)
      const node = properties[name]
      setOwn(converted, name, convertNode(node, at, true, walk))
      const mark = requiredMark(node)
      if (mark === true) required.push(name)
      else if (mark !== undefined) refuse(walk, at, '"required" must be the literal true')
    }
    walk.open.delete(properties)
  }
  schema['properties'] = converted
  if (required.length > 0) schema['required'] = required
}

function requiredMark(node: unknown): unknown {
  return plainFault(node) === undefined && Object.hasOwn(node as object, 'required')
    ? (node as Spec)['required']
    : undefined
}
