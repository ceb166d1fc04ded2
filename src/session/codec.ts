// The codec of the log: one event a line, checked on the way in.
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { contentFault } from '#registry/content.ts'
import type { LoggedEvent, SessionEvent, SessionHeader } from './event.ts'

type FieldType = 'string' | 'number' | 'boolean' | 'object' | 'array'
type Shape = Readonly<Record<string, FieldType>>

/** The fields that the reader of an event relies on. A type that is missing here does not compile. */
const SHAPES: { readonly [Type in SessionEvent['type']]: Shape } = {
  turn_start: { turnId: 'string' },
  user_message: { message: 'object' },
  step_start: { step: 'number', model: 'string' },
  assistant_message: { message: 'object' },
  step_end: { step: 'number', finish: 'string' },
  tool_call: { callId: 'string', name: 'string', messageId: 'string' },
  call_withdrawn: { callId: 'string', name: 'string', messageId: 'string', reason: 'string' },
  tool_preview: { callId: 'string', view: 'object' },
  approval_asked: { callId: 'string', toolName: 'string' },
  approval_decided: { callId: 'string', decision: 'object' },
  tool_started: { callId: 'string' },
  tool_output: { callId: 'string', data: 'string' },
  tool_result: { callId: 'string', isError: 'boolean', content: 'array' },
  code_call: { callId: 'string', parentId: 'string', name: 'string' },
  todos: { todos: 'array' },
  observed: { path: 'string', version: 'string' },
  snapshot: { turnId: 'string', path: 'string' },
  title: { title: 'string' },
  mode: { modeId: 'string' },
  model: { model: 'string' },
  cwd: { cwd: 'string', roots: 'array' },
  retry: { attempt: 'number', delayMs: 'number', reason: 'string' },
  notice: { severity: 'string', title: 'string' },
  thought_level: { level: 'string' },
  code_mode: { mode: 'string' },
  compaction: { compactionId: 'string', through: 'number', summary: 'string' },
  pruned: { through: 'number' },
  rewound: { turnIds: 'array', paths: 'array' },
  command: { id: 'string', text: 'string', output: 'string' },
  turn_end: { turnId: 'string', stopReason: 'string' },
  turn_failed: { turnId: 'string', error: 'object' },
}

/** The same by type, with what every event has. */
const FIELDS: ReadonlyMap<string, readonly (readonly [string, FieldType])[]> = new Map(
  Object.entries(SHAPES).map(([type, shape]) => [
    type,
    Object.entries({ ...shape, seq: 'number', at: 'string' } as Shape),
  ]),
)
const HEADER_FIELDS = Object.entries({
  id: 'string',
  cwd: 'string',
  roots: 'array',
  createdAt: 'string',
} as Shape)

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
  const fault = contentsFault(type, value)
  if (fault !== undefined) return { kind: 'bad', reason: `${type}: ${fault}` }
  return { kind: 'event', event: value as unknown as LoggedEvent }
}

/** What is wrong inside the messages and contents that the model is sent again. */
function contentsFault(type: string, value: JsonObject): string | undefined {
  if (type === 'tool_result') return contentFault(value['content'] ?? null)
  const { message } = value
  if (type === 'user_message') return contentFault((message as JsonObject)['content'] ?? null)
  if (type !== 'assistant_message') return undefined
  const { parts } = message as JsonObject
  return Array.isArray(parts) && parts.every(isPart) ? undefined : 'a part of the message is of no known kind'
}

function isPart(part: JsonValue): boolean {
  if (!isJsonObject(part)) return false
  const strings = part['type'] === 'tool_call' ? ['callId', 'name'] : ['text']
  const known = part['type'] === 'text' || part['type'] === 'thought' || Object.hasOwn(part, 'arguments')
  return known && strings.every((field) => typeof part[field] === 'string')
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

/** undefined when it is no JSON. */
export function parseLine(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line) as JsonValue
  } catch {
    return undefined
  }
}

function misfit(value: JsonObject, fields: readonly (readonly [string, FieldType])[]): string | undefined {
  for (const [field, type] of fields) {
    const given = value[field]
    const found = Array.isArray(given) ? 'array' : given === null ? 'null' : typeof given
    if (found !== type || !Object.hasOwn(value, field)) return field
  }
  return undefined
}
