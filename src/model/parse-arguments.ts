// The argument text of a tool call → lossless JSON, or the text itself.
import { isDeeper } from '#json/depth.ts'
import { MAX_LEVELS } from '#json/materialize.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'

export interface ParsedArguments {
  arguments: JsonValue
  malformed?: true
}

/**
 * No text at all counts as `{}` (models without arguments to give send that). Anything else that is no JSON object,
 * nests too deeply, or holds a number that JSON can't carry, stays as it was sent. `-0` becomes `0`. Never throws.
 */
export function parseArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { arguments: {} }
  try {
    const value: JsonValue = JSON.parse(text, (_key, item: unknown) => carryable(item))
    if (isJsonObject(value) && !isDeeper(value, MAX_LEVELS)) return { arguments: value }
  } catch {
    // Told by the result.
  }
  return { arguments: text, malformed: true }
}

function carryable(item: unknown): unknown {
  if (typeof item !== 'number') return item
  if (!Number.isFinite(item)) throw new RangeError('number out of range')
  return item === 0 ? 0 : item
}
