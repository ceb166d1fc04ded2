// The shapes of the events of a log: what whoever reads them relies on, to the bottom.
import { contentFault } from '#registry/content.ts'
import type { SessionEvent } from './event.ts'
import {
  any,
  boolean,
  type Check,
  count,
  either,
  fields,
  list,
  number,
  object,
  one,
  optional,
  string,
} from './shape.ts'

const content: Check = (value) => value !== undefined && contentFault(value) === undefined
const text = (type: string): Check => fields({ type: one(type), text: string })
const call = fields({ type: one('tool_call'), callId: string, name: string, arguments: any })
const parts = list(either(text('text'), text('thought'), call))
const userMessage = fields({ id: string, content, source: fields({ kind: string }) })
const usage = fields({
  inputTokens: optional(count),
  outputTokens: optional(count),
  cachedInputTokens: optional(count),
  cost: optional(fields({ amount: number, currency: string })),
})
const todo = fields({
  content: string,
  status: one('pending', 'in_progress', 'completed'),
  priority: one('high', 'medium', 'low'),
})
const failure = fields({ message: string, info: optional(fields({ name: string, code: string })) })
const window: Check = (value) => Array.isArray(value) && value.length === 2 && value.every(count)
const stopReason = one('end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled')
const decision = fields({
  outcome: one('allowed-once', 'allowed-always', 'rejected', 'cancelled', 'unavailable'),
  label: optional(string),
  reason: optional(string),
})
const strings = list(string)
const card = fields({
  callId: string,
  title: string,
  diffs: list(fields({ path: string, oldText: either(string, one(null)), newText: string })),
  status: one('completed', 'failed'),
  text: optional(string),
})
const calls = { callId: string, name: string, messageId: string }

/** The fields of each event beside those that every event has. A type that is missing here does not compile. */
export const SHAPES: { readonly [Type in SessionEvent['type']]: Readonly<Record<string, Check>> } = {
  turn_start: { turnId: string },
  user_message: { message: userMessage, shown: optional(content) },
  step_start: { step: number, model: string },
  assistant_message: { message: fields({ id: string, parts }), interrupted: optional(boolean) },
  step_end: { step: number, finish: string, usage: optional(usage), contextWindow: optional(count) },
  tool_call: calls,
  call_withdrawn: { ...calls, reason: string },
  tool_preview: { callId: string, view: object },
  approval_asked: { callId: string, toolName: string, reason: optional(string), label: optional(string) },
  approval_decided: { callId: string, decision },
  tool_started: { callId: string },
  tool_output: { callId: string, data: string },
  tool_result: {
    callId: string,
    isError: boolean,
    content,
    error: optional(failure),
    view: optional(either(object, one(null))),
  },
  code_call: { callId: string, parentId: string, name: string, arguments: any },
  todos: { todos: list(todo) },
  observed: { path: string, version: string, lines: either(one('all'), window) },
  snapshot: { turnId: string, path: string, before: either(string, one(null)), left: optional(string) },
  title: { title: string },
  mode: { modeId: string },
  model: { model: string },
  cwd: { cwd: string, roots: strings },
  retry: { attempt: number, delayMs: number, reason: string },
  notice: { severity: one('info', 'warning', 'error'), title: string, description: optional(string) },
  thought_level: { level: string },
  code_mode: { mode: one('native', 'code', 'both') },
  compaction: { compactionId: string, through: number, summary: string, before: number, after: number },
  pruned: { through: number },
  rewound: { turnIds: strings, paths: strings },
  command: { id: string, text: string, output: string, cards: optional(list(card)) },
  turn_end: { turnId: string, stopReason },
  turn_failed: { turnId: string, error: fields({ code: string, message: string, status: optional(number) }) },
}
