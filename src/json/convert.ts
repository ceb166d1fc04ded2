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
import { isPlainArray, type JsonObject } from './value.ts'

/** One value node as JSON Schema. Throws `JsonSchemaError`. */
export function valueSchemaSpecToJsonSchema(spec: ValueSpec): JsonObject {
  return convertWith((schema, walk) => {
    schedule(walk, { node: spec, path: undefined, asProperty: false, above: undefined, level: 1, schema })
  })
}

/** A parameter map as an open object schema. Throws `JsonSchemaError`. */
export function parameterSchemaSpecToJsonSchema(spec: ParametersSpec): JsonObject {
  return convertWith((schema, walk) => {
    schema['type'] = 'object'
    addProperties(
      spec,
      { node: spec, path: undefined, asProperty: false, above: undefined, level: 0, schema },
      undefined,
      walk,
    )
    schema['additionalProperties'] = true
  })
}

/** What a node is inside of. */
interface Above {
  readonly node: unknown
  readonly above: Above | undefined
}

/** A node to be converted into `schema`, which has its place already. */
interface Task extends Above {
  readonly path: Path
  readonly asProperty: boolean
  /** Nodes from the root down to here, both included. */
  readonly level: number
  readonly schema: JsonObject
}

interface Walk {
  readonly violations: string[]
  /** Found inside the node that is being converted, in order. */
  children: Task[]
}

type Spec = Readonly<Record<string, unknown>>

/** Nodes of one schema; shared parts count wherever they are used. */
const MAX_NODES = 100_000

/** Without recursion, so that no depth of spec can overflow the stack of the caller. */
function convertWith(begin: (schema: JsonObject, walk: Walk) => void): JsonObject {
  const walk: Walk = { violations: [], children: [] }
  const schema: JsonObject = {}
  try {
    begin(schema, walk)
    convertAll(walk)
  } catch (cause) {
    throw new JsonSchemaError([...walk.violations, `schema: could not be read (${thrownMessage(cause)})`])
  }
  if (walk.violations.length > 0) throw new JsonSchemaError(walk.violations)
  return schema
}

function convertAll(walk: Walk): void {
  const pending: Task[] = []
  for (let nodes = 0; ; nodes += 1) {
    pending.push(...walk.children.toReversed())
    walk.children = []
    const task = pending.pop()
    if (task === undefined) return
    if (nodes === MAX_NODES) return refuse(walk, undefined, `must not have more than ${MAX_NODES} nodes`)
    convertNode(task, walk)
  }
}

function schedule(walk: Walk, task: Task): JsonObject {
  walk.children.push(task)
  return task.schema
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
  return isPlainArray(list) ? undefined : `${what} must be a plain dense array`
}

/** Whether a node, or a map of them, can be entered: a plain object, no part of a cycle, not too deep. */
function enter(node: unknown, { above, level }: Task, path: Path, walk: Walk): node is Spec {
  const fault =
    plainFault(node) ??
    (isInside(node, above) ? 'must not contain itself' : undefined) ??
    (level > MAX_LEVELS ? TOO_DEEP : undefined)
  if (fault !== undefined) refuse(walk, path, fault)
  return fault === undefined
}

function isInside(node: unknown, above: Above | undefined): boolean {
  for (let at = above; at !== undefined; at = at.above) if (at.node === node) return true
  return false
}

function convertNode(task: Task, walk: Walk): void {
  const { node, path, schema, asProperty } = task
  if (!enter(node, task, path, walk)) return
  copyAnnotations(node, path, schema, walk)
  const extra = asProperty ? ['required'] : []
  const type = Object.hasOwn(node, 'type') ? node['type'] : undefined
  if (Object.hasOwn(node, 'oneOf')) {
    refuseAllBut(['oneOf', ...extra], node, path, walk)
    addBranches(node['oneOf'], task, walk)
  } else if (type === 'json') refuseAllBut(['type', ...extra], node, path, walk)
  else if (isNodeType(type)) {
    refuseAllBut(['type', ...keywordsOf(type, false), ...extra], node, path, walk)
    schema['type'] = type
    addConstraints(type, node, task, walk)
  } else refuse(walk, path, `unknown "type" ${typeof type === 'string' ? JSON.stringify(type) : typeof type}`)
}

/** A child of `task`, to be converted later; its schema can be put in place now. */
function child(task: Task, node: unknown, path: Path, asProperty: boolean, walk: Walk): JsonObject {
  return schedule(walk, { node, path, asProperty, above: task, level: task.level + 1, schema: {} })
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

function addBranches(branches: unknown, task: Task, walk: Walk): void {
  const at = extendPath(task.path, 'oneOf')
  const fault = denseFault(branches, '"oneOf"')
  const list = fault === undefined ? (branches as unknown[]) : []
  if (fault !== undefined) refuse(walk, at, fault)
  else if (list.length < 2) refuse(walk, at, '"oneOf" must have two or more branches')
  task.schema['oneOf'] = list.map((branch, index) => child(task, branch, extendPath(at, index), false, walk))
}

function addConstraints(type: NodeType, node: Spec, task: Task, walk: Walk): void {
  const { path, schema } = task
  if (type === 'array') {
    const items = Object.hasOwn(node, 'items') ? node['items'] : undefined
    if (items !== undefined) schema['items'] = child(task, items, extendPath(path, 'items'), false, walk)
  } else if (type === 'object') addMembers(node, task, walk)
  else {
    const listFault = Object.hasOwn(node, 'enum') ? denseFault(node['enum'], '"enum"') : undefined
    const faults = listFault === undefined ? scalarFaults(type, node) : [listFault]
    for (const fault of faults) refuse(walk, path, fault)
    for (const keyword of ['enum', 'const']) {
      if (Object.hasOwn(node, keyword)) copyLiteral(node[keyword], keyword, path, schema, walk)
    }
  }
}

function addMembers(node: Spec, task: Task, walk: Walk): void {
  const additional = Object.hasOwn(node, 'additionalProperties') ? node['additionalProperties'] : undefined
  if (typeof additional !== 'boolean') refuse(walk, task.path, '"additionalProperties" must be true or false')
  const properties = Object.hasOwn(node, 'properties') ? node['properties'] : undefined
  addProperties(properties ?? {}, task, extendPath(task.path, 'properties'), walk)
  task.schema['additionalProperties'] = additional === true
}

function addProperties(properties: unknown, task: Task, path: Path, walk: Walk): void {
  const required: string[] = []
  const converted: JsonObject = {}
  if (enter(properties, task, path, walk)) {
    const inside: Task = { ...task, node: properties, above: task }
    for (const name of Object.keys(properties)) {
      const at = extendPath(path, name)
      const node = properties[name]
      setOwn(converted, name, child(inside, node, at, true, walk))
      const mark = requiredMark(node)
      if (mark === true) required.push(name)
      else if (mark !== undefined) refuse(walk, at, '"required" must be the literal true')
    }
  }
  task.schema['properties'] = converted
  if (required.length > 0) task.schema['required'] = required
}

function requiredMark(node: unknown): unknown {
  return plainFault(node) === undefined && Object.hasOwn(node as object, 'required')
    ? (node as Spec)['required']
    : undefined
}
