// Structured content without what no reader of JSON wants: base64, and text beyond what an answer may bring.
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { Allowance } from './content-block.ts'

const BINARY = /^(?:data:[^,]{0,200},)?[A-Za-z0-9+/_-]{1024,}={0,2}$/
const DEEPEST = 500

export function withoutBinary(value: JsonValue, allowance: Allowance, depth = 0): JsonValue {
  if (typeof value === 'string') {
    return BINARY.test(value) ? `(${value.length} characters of base64 left out)` : allowance.text(value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > DEEPEST) return '(nested too deeply)'
  if (Array.isArray(value)) return value.map((item) => withoutBinary(item, allowance, depth + 1))
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withoutBinary(item, allowance, depth + 1)] as const),
  )
}
