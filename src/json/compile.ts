// Compilation: a schema of the subset becomes two closures, a fast verdict and a slow explanation.
import { nearestName } from './nearest.ts'
import { type NodeType, scalarTest, type ScalarType } from './keywords.ts'
import { faultMessage, materialize } from './materialize.ts'
import { extendPath, type Path, showPath } from './path.ts'
import { isJsonObject, isPlainArray, type JsonObject, type JsonValue } from './value.ts'

/**
 * A compiled node. `accepts` trusts that its value is lossless JSON, and allocates nothing; `explain` trusts nothing
 * and is called when `accepts` said no, or when the value could not be materialized.
 */
export interface Node {
  accepts(value: unknown): boolean
  explain(value: unknown, path: Path, report: Report): void
}

export interface Report {
  readonly label: string
  /** Messages beside the places they are about. */
  readonly found: { message: string; path: Path }[]
}

const MAX_REPORTED = 50
/** Characters of one branch's reason inside the sentence about a `oneOf`. */
const MAX_REASON = 300

export function add(report: Report, path: Path, message: string): void {
  if (report.found.length < MAX_REPORTED) report.found.push({ message, path })
}

/** Compiles a schema that `assertSupportedJsonSchema` has let through. */
export function compileNode(schema: JsonObject): Node {
  if (Object.hasOwn(schema, 'oneOf')) return oneOfNode(schema['oneOf'] as JsonObject[])
  const type = Object.hasOwn(schema, 'type') ? (schema['type'] as NodeType) : undefined
  if (type === undefined) return anyNode
  if (type === 'array')
    return arrayNode(Object.hasOwn(schema, 'items') ? compileNode(schema['items'] as JsonObject) : anyNode)
  if (type === 'object') return objectNode(schema)
  return scalarNode(type, schema)
}

const anyNode: Node = {
  accepts: () => true,
  explain(value, path, report) {
    const copy = materialize(value)
    if (copy.ok) return
    const at = joinPaths(path, copy.path)
    add(report, at, faultMessage(copy.fault, at, report.label))
  },
}

function joinPaths(outer: Path, inner: Path): Path {
  const keys: (string | number)[] = []
  for (let at = inner; at !== undefined; at = at.parent) keys.push(at.key)
  return keys.reduceRight<Path>((parent, key) => extendPath(parent, key), outer)
}

const NAMES: Record<NodeType, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  null: 'null',
  object: 'an object',
  array: 'an array',
}

function scalarNode(type: ScalarType, schema: JsonObject): Node {
  const test = scalarTest(type)
  const allowed = Object.hasOwn(schema, 'enum') ? new Set(schema['enum'] as JsonValue[]) : undefined
  const fixed = Object.hasOwn(schema, 'const')
  const wanted = fixed ? schema['const'] : undefined
  const listed = (value: unknown): boolean => allowed === undefined || allowed.has(value as JsonValue)
  return {
    accepts:
      allowed === undefined && !fixed
        ? test
        : (value) => test(value) && listed(value) && (!fixed || value === wanted),
    explain(value, path, report) {
      const place = showPath(path, report.label)
      if (!test(value)) add(report, path, `${place} must be ${NAMES[type]}`)
      else if (fixed && value !== wanted) add(report, path, `${place} must be ${JSON.stringify(wanted)}`)
      else if (!listed(value))
        add(report, path, `${place} must be one of ${JSON.stringify([...(allowed ?? [])])}`)
    },
  }
}

function arrayNode(items: Node): Node {
  return {
    accepts(value) {
      if (!Array.isArray(value)) return false
      for (let index = 0; index < value.length; index += 1) if (!items.accepts(value[index])) return false
      return true
    },
    explain(value, path, report) {
      if (!Array.isArray(value))
        return add(report, path, `${showPath(path, report.label)} must be ${NAMES.array}`)
      if (!isPlainArray(value)) return add(report, path, faultMessage('array', path, report.label))
      for (let index = 0; index < value.length && report.found.length < MAX_REPORTED; index += 1) {
        items.explain(value[index], extendPath(path, index), report)
      }
    },
  }
}

interface Member {
  readonly name: string
  readonly node: Node
  readonly required: boolean
}

/** An own property; one that is `undefined` counts as absent. */
function own(value: object, name: string): unknown {
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
}

function objectNode(schema: JsonObject): Node {
  const declared = Object.hasOwn(schema, 'properties') ? (schema['properties'] as JsonObject) : {}
  const required = new Set(Object.hasOwn(schema, 'required') ? (schema['required'] as string[]) : [])
  const closed = Object.hasOwn(schema, 'additionalProperties') && schema['additionalProperties'] === false
  const members: Member[] = []
  for (const name of Object.keys(declared)) {
    members.push({ name, node: compileNode(declared[name] as JsonObject), required: required.has(name) })
  }
  return {
    accepts(value) {
      if (!isJsonObject(value)) return false
      let present = 0
      for (let index = 0; index < members.length; index += 1) {
        const member = members[index] as Member
        const child = own(value, member.name)
        if (child === undefined) {
          if (member.required) return false
        } else if (!member.node.accepts(child)) return false
        else present += 1
      }
      return !closed || Object.keys(value).length === present
    },
    explain: (value, path, report) => explainObject({ members, closed, required }, value, path, report),
  }
}

interface ObjectRule {
  readonly members: readonly Member[]
  readonly closed: boolean
  readonly required: ReadonlySet<string>
}

/** Missing names first, then the declared children, then what is not declared. */
function explainObject(rule: ObjectRule, value: unknown, path: Path, report: Report): void {
  if (!isJsonObject(value))
    return add(report, path, `${showPath(path, report.label)} must be ${NAMES.object}`)
  for (const name of rule.required) {
    const at = extendPath(path, name)
    if (own(value, name) === undefined)
      add(report, at, `missing required property ${showPath(at, report.label)}`)
  }
  for (const { name, node } of rule.members) {
    const child = own(value, name)
    if (child !== undefined) node.explain(child, extendPath(path, name), report)
  }
  const declared = rule.members.map((member) => member.name)
  for (const name of Object.keys(value)) {
    const child = value[name]
    if (child === undefined || declared.includes(name)) continue
    const at = extendPath(path, name)
    if (!rule.closed) anyNode.explain(child, at, report)
    else add(report, at, `${showPath(at, report.label)} is not a declared property${hint(name, declared)}`)
  }
}

function hint(name: string, declared: readonly string[]): string {
  const near = nearestName(name, declared)
  return near === undefined ? '' : ` (did you mean ${JSON.stringify(near)}?)`
}

function oneOfNode(schemas: readonly JsonObject[]): Node {
  const branches: Node[] = []
  for (const schema of schemas) branches.push(compileNode(schema))
  const count = (value: unknown): number => {
    let matched = 0
    for (const branch of branches) if (branch.accepts(value)) matched += 1
    return matched
  }
  return {
    accepts: (value) => count(value) === 1,
    explain(value, path, report) {
      const matched = count(value)
      if (matched === 1) return
      const head = `${showPath(path, report.label)} must match exactly one of ${branches.length} alternatives but matches ${matched}`
      const reasons: string[] = []
      for (const branch of branches) {
        const inner: Report = { label: report.label, found: [] }
        branch.explain(value, path, inner)
        reasons.push(`${reasons.length + 1}: ${shorten(inner.found[0]?.message ?? 'matches')}`)
      }
      add(report, path, `${head} (${reasons.join('; ')})`)
    },
  }
}

function shorten(reason: string): string {
  return reason.length <= MAX_REASON ? reason : `${reason.slice(0, MAX_REASON)}…`
}
