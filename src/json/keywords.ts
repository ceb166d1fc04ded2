// The keywords of the enforced subset, and the checks that both doors (DSL and raw schema) share.

export const ANNOTATIONS: ReadonlySet<string> = new Set(['description', 'title', 'default', 'examples'])

export type ScalarType = 'string' | 'number' | 'integer' | 'boolean' | 'null'
export type NodeType = ScalarType | 'array' | 'object'

const SCALAR_TESTS: Record<ScalarType, (value: unknown) => boolean> = {
  string: (value) => typeof value === 'string',
  number: isFiniteNumber,
  integer: (value) => isFiniteNumber(value) && Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
}

function isFiniteNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && !Object.is(value, -0)
}

export function isScalarType(type: unknown): type is ScalarType {
  return typeof type === 'string' && Object.hasOwn(SCALAR_TESTS, type)
}

export function isNodeType(type: unknown): type is NodeType {
  return type === 'array' || type === 'object' || isScalarType(type)
}

export function scalarTest(type: ScalarType): (value: unknown) => boolean {
  return SCALAR_TESTS[type]
}

/** Which keywords may stand on a node of this type, besides `type` and annotations. */
export function keywordsOf(type: NodeType, raw: boolean): readonly string[] {
  if (type === 'array') return ['items']
  if (type !== 'object') return ['enum', 'const']
  return raw ? ['properties', 'required', 'additionalProperties'] : ['properties', 'additionalProperties']
}

/** Reasons why `enum` and `const` don't fit a scalar node. */
export function scalarFaults(type: ScalarType, node: Readonly<Record<string, unknown>>): string[] {
  const test = scalarTest(type)
  const faults: string[] = []
  const allowed = Object.hasOwn(node, 'enum') ? node['enum'] : undefined
  if (Object.hasOwn(node, 'enum')) {
    if (!Array.isArray(allowed) || allowed.length === 0) faults.push('"enum" must be a non-empty array')
    else if (!allowed.every(test)) faults.push(`"enum" must hold only values of type ${type}`)
  }
  if (Object.hasOwn(node, 'const')) {
    if (!test(node['const'])) faults.push(`"const" must be of type ${type}`)
    else if (Array.isArray(allowed) && !allowed.includes(node['const']))
      faults.push('"const" must be in "enum"')
  }
  return faults
}

/** Reasons why annotations are unusable. */
export function annotationFaults(node: Readonly<Record<string, unknown>>): string[] {
  const faults = ['description', 'title'].flatMap((name) =>
    Object.hasOwn(node, name) && typeof node[name] !== 'string' ? [`"${name}" must be a string`] : [],
  )
  if (Object.hasOwn(node, 'examples') && !Array.isArray(node['examples']))
    faults.push('"examples" must be an array')
  return faults
}
