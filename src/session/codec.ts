// The codec of the log: one event a line, checked on the way in.
import { isDeeper } from '#json/depth.ts'
import { MAX_LEVELS } from '#json/materialize.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { LoggedEvent, SessionHeader } from './event.ts'
import { SHAPES } from './event-shapes.ts'
import { type Check, count, list, misfit, string } from './shape.ts'

/** By type, with what every event has. */
const FIELDS: ReadonlyMap<string, readonly (readonly [string, Check])[]> = new Map(
  Object.entries(SHAPES).map(([type, shape]) => [type, Object.entries({ ...shape, seq: count, at: string })]),
)
const HEADER_FIELDS = Object.entries({ id: string, cwd: string, roots: list(string), createdAt: string })

export type DecodedLine =
  | { kind: 'event'; event: LoggedEvent }
  /** Well-formed, of a type that this version does not know. */
  | { kind: 'unknown'; type: string; ignorable: boolean }
  | { kind: 'bad'; reason: string }

/** A parsed line as an event. Total. */
export function decodeEvent(value: JsonValue | undefined): DecodedLine {
  if (!isJsonObject(value)) return { kind: 'bad', reason: 'no JSON object' }
  const { type } = value
  if (typeof type !== 'string') return { kind: 'bad', reason: 'an event without a type' }
  if (!FIELDS.has(type)) return { kind: 'unknown', type, ignorable: value['ignorable'] === true }
  const wrong = misfit(value, FIELDS.get(type) ?? [])
  if (wrong !== undefined) return { kind: 'bad', reason: `${type}: "${wrong}" is missing or of another type` }
  return { kind: 'event', event: value as unknown as LoggedEvent }
}

/** The header, or why there is none. */
export function decodeHeader(line: string): SessionHeader | string {
  const value = parseLine(line)
  if (!isJsonObject(value) || value['type'] !== 'session') return 'the first line is no session header'
  if (typeof value['version'] !== 'number' || value['version'] > 1) {
    return `it was written by a newer version of Deckhand (log version ${JSON.stringify(value['version'])})`
  }
  const wrong = misfit(value, HEADER_FIELDS)
  return wrong === undefined ? (value as unknown as SessionHeader) : `its header has no usable "${wrong}"`
}

/** What an event may nest: the arguments of a call, and what they stand in. */
const DEEPEST = MAX_LEVELS + 20

/** undefined when it is no JSON, or nests deeper than anything that was ever written. */
export function parseLine(line: string): JsonValue | undefined {
  try {
    const value = JSON.parse(line) as JsonValue
    return line.length > 2 * DEEPEST && isDeeper(value, DEEPEST) ? undefined : value
  } catch {
    return undefined
  }
}
