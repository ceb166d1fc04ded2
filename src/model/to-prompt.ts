// Our messages → those of the AI SDK.
import type {
  AssistantContent,
  AssistantModelMessage,
  ModelMessage as SdkMessage,
  ToolModelMessage,
  UserContent,
} from 'ai'
import { isJsonObject, type JsonObject, type JsonValue } from '#json/value.ts'
import { arrange } from './arrange.ts'
import type { AssistantPart, AssistantToolCall, ModelMessage, ToolAnswer } from './message.ts'
import { dataFor } from './provider-data.ts'
import type { ModelTraits } from './provider.ts'
import { toSentPart, type SentPart } from './to-content.ts'

export interface PromptTarget {
  /** Provider id: only its own opaque data is sent back to it. */
  provider: string
  traits: ModelTraits
}

type UserPart = Exclude<UserContent, string>[number]
type SentAssistantPart = Exclude<AssistantContent, string>[number]
type ToolOutput = Extract<ToolModelMessage['content'][number], { type: 'tool-result' }>['output']

/** The history as the target may be sent it. Never empty. Pure. */
export function toPrompt(messages: readonly ModelMessage[], target: PromptTarget): SdkMessage[] {
  const out: SdkMessage[] = []
  let images: UserPart[] = []
  for (const message of arrange(messages, target.provider)) {
    if (message.role !== 'user' && images.length > 0) out.push({ role: 'user', content: images.splice(0) })
    switch (message.role) {
      case 'user': {
        const content = message.content.map((block) => userPart(toSentPart(block, target.traits.images)))
        out.push({ role: 'user', content: [...images.splice(0), ...content] })
        break
      }
      case 'assistant':
        out.push(assistantMessage(message.parts, target))
        break
      case 'tool':
        out.push({ role: 'tool', content: message.results.map((result) => toolResult(result, target)) })
        if (target.traits.toolResults === 'text')
          images = message.results.flatMap((result) => shown(result, target))
    }
  }
  if (images.length > 0) out.push({ role: 'user', content: images })
  if (out.length === 0) out.push({ role: 'user', content: '(empty)' })
  return withBreakpoint(out, target)
}

function userPart(part: SentPart): UserPart {
  return part.type === 'text' ? part : { type: 'file', data: part.data, mediaType: part.mediaType }
}

function assistantMessage(parts: readonly AssistantPart[], target: PromptTarget): AssistantModelMessage {
  return { role: 'assistant', content: parts.map((part) => assistantPart(part, target)) }
}

function assistantPart(part: AssistantPart, target: PromptTarget): SentAssistantPart {
  const data = dataFor(target.provider, part.provider)
  // The SDK's type wants an object per provider name; that is what it gave us.
  const own = data !== undefined &&
    Object.keys(data).length > 0 && { providerOptions: data as Record<string, JsonObject> }
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text.toWellFormed(), ...own }
    case 'thought':
      return { type: 'reasoning', text: part.text, ...own }
    case 'tool_call':
      return {
        type: 'tool-call',
        toolCallId: callId(part.callId, target),
        toolName: toolName(part.name),
        input: sentArguments(part),
        ...own,
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

/** A name that a model made up must not make every later request invalid. */
function toolName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unnamed'
}

function callId(id: string, target: PromptTarget): string {
  return target.traits.strictCallIds ? id.replace(/[^a-zA-Z0-9_-]/g, '_') : id
}

function toolResult(result: ToolAnswer, target: PromptTarget): ToolModelMessage['content'][number] {
  return {
    type: 'tool-result',
    toolCallId: callId(result.callId, target),
    toolName: toolName(result.name),
    output: toolOutput(result, target),
  }
}

function toolOutput(result: ToolAnswer, { traits }: PromptTarget): ToolOutput {
  const parts = result.content.map((block) => toSentPart(block, traits.images))
  const hasImage = parts.some((part) => part.type === 'image')
  if (traits.toolResults === 'rich' && hasImage && !result.isError) {
    return {
      type: 'content',
      value: parts.map((part) =>
        part.type === 'text'
          ? part
          : { type: 'file', data: { type: 'data', data: part.data }, mediaType: part.mediaType },
      ),
    }
  }
  const seen = traits.toolResults === 'rich' ? 'is left out' : 'follows in the next message'
  const lines = parts.map((part) =>
    part.type === 'text' ? part.text : `[An image (${part.mediaType}) ${seen}.]`,
  )
  const value = lines.join('\n') || '(no output)'
  return { type: result.isError && traits.toolResults === 'rich' ? 'error-text' : 'text', value }
}

/** The images of a result, as the user message that follows shows them. */
function shown(result: ToolAnswer, { traits }: PromptTarget): UserPart[] {
  const parts = result.content.map((block) => toSentPart(block, traits.images))
  const images = parts.filter((part) => part.type === 'image')
  if (images.length === 0) return []
  return [{ type: 'text', text: `From the result of ${toolName(result.name)}:` }, ...images.map(userPart)]
}

function withBreakpoint(messages: SdkMessage[], { traits }: PromptTarget): SdkMessage[] {
  const last = messages.at(-1)
  if (traits.cacheBreakpoint === undefined || last === undefined) return messages
  return [...messages.slice(0, -1), { ...last, providerOptions: traits.cacheBreakpoint }]
}
