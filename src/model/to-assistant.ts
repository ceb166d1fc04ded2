// What the model said and called → the AI SDK's assistant message.
import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import type { AssistantPart, AssistantToolCall } from './message.ts'
import { dataFor, type Origin } from './provider-data.ts'
import { toolName } from './sent-names.ts'

type SentMessage = Extract<LanguageModelV4Message, { role: 'assistant' }>
type SentPart = SentMessage['content'][number]

/** `callIds`: one for each call, in order. Pure. */
export function toAssistantMessage(
  parts: readonly AssistantPart[],
  callIds: readonly string[],
  target: Origin,
): SentMessage {
  let calls = 0
  const content = parts.map((part) => {
    const callId = part.type === 'tool_call' ? (callIds[calls++] ?? part.callId) : ''
    const known = sentParts.get(part)
    if (known?.callId === callId && known.target === target) return known.sent
    const sent = toSent(part, callId, target)
    sentParts.set(part, { callId, target, sent })
    return sent
  })
  return { role: 'assistant', content }
}

/** Parts are never changed, and each is sent again with every request behind it. */
const sentParts = new WeakMap<AssistantPart, { callId: string; target: Origin; sent: SentPart }>()

function toSent(part: AssistantPart, callId: string, target: Origin): SentPart {
  const sent = bare(part, callId)
  const data = dataFor(target, part.provider)
  if (data === undefined || Object.keys(data).length === 0) return sent
  // The SDK's type wants an object per provider name; that is what it gave us.
  return { ...sent, providerOptions: data as Record<string, JsonObject> }
}

function bare(part: AssistantPart, callId: string): SentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text.toWellFormed() }
    case 'thought':
      return { type: 'reasoning', text: part.text.toWellFormed() }
    case 'tool_call':
      return {
        type: 'tool-call',
        toolCallId: callId,
        toolName: toolName(part.name),
        input: sentArguments(part),
      }
  }
}

/** Providers refuse arguments that are no object: those go back as `{}`. */
function sentArguments(call: AssistantToolCall): JsonValue {
  return call.malformed || !isJsonObject(call.arguments) ? {} : wellFormed(call.arguments)
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key.toWellFormed(), wellFormed(item)]),
  )
}
