// Messages: the conversation as it is stored and as a model is sent it.
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock } from './content.ts'

/** A message that did not come from the model: a person, or a tool, policy or plug-in speaking to it. */
export interface UserMessage {
  id: string
  content: ContentBlock[]
  source: { kind: 'user' | 'tool' | 'policy' | 'plugin'; name?: string }
  meta?: JsonValue
}

/** `provider` is opaque data (thought signatures, item ids) that goes back to the same provider unchanged. */
export type AssistantPart =
  | { type: 'text'; text: string; provider?: JsonValue }
  | { type: 'thought'; text: string; provider?: JsonValue }
  | AssistantToolCall

export interface AssistantToolCall {
  type: 'tool_call'
  callId: string
  name: string
  /** What the model sent; the raw text, with `malformed`, when that was no JSON object. */
  arguments: JsonValue
  malformed?: true
  provider?: JsonValue
}

export interface AssistantMessage {
  id: string
  parts: AssistantPart[]
}

/** One tool's answer as the model reads it. */
export interface ToolAnswer {
  callId: string
  name: string
  content: ContentBlock[]
  isError: boolean
}

export type ModelMessage =
  | { role: 'user'; content: ContentBlock[] }
  | { role: 'assistant'; parts: AssistantPart[] }
  | { role: 'tool'; results: ToolAnswer[] }
