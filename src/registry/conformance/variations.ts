// What old logs and half-streamed arguments may hold: a sample with parts missing, replaced or unknown.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'

const ODD: readonly JsonValue[] = [
  null,
  true,
  7,
  '',
  'text',
  '`*_\n',
  [],
  [null],
  ['a', 1],
  {},
  { a: { b: [] } },
]

/** Arbitrary JSON, and the sample with each of its parts dropped or replaced, two levels down. */
export function variationsOf(sample: JsonValue | undefined): JsonValue[] {
  return [...ODD, ...(isJsonObject(sample) ? variationsOfObject(sample, 2) : [])]
}

function variationsOfObject(sample: JsonObject, depth: number): JsonObject[] {
  const found: JsonObject[] = [{ ...sample, unknown: 'field' }]
  for (const name of Object.keys(sample)) {
    const { [name]: part, ...rest } = sample
    found.push(rest)
    for (const odd of ODD) found.push({ ...rest, [name]: odd })
    for (const inner of partsOf(part, depth)) found.push({ ...rest, [name]: inner })
  }
  return found
}

function partsOf(part: JsonValue | undefined, depth: number): JsonValue[] {
  if (depth === 0 || part === undefined) return []
  if (typeof part === 'string') return [part.slice(0, Math.floor(part.length / 2))]
  if (Array.isArray(part)) return partsOf(part[0], depth - 1).map((first) => [first, ...part.slice(1)])
  return isJsonObject(part) ? variationsOfObject(part, depth - 1) : []
}
