// Our messages → the prompt of the AI SDK's language models.
import type {
  LanguageModelV4Message as SdkMessage,
  LanguageModelV4ToolResultOutput as ToolOutput,
  LanguageModelV4ToolResultPart as SentResult,
} from '@ai-sdk/provider'
import { arrange } from './arrange.ts'
import type { ContentBlock } from './content.ts'
import type { ModelMessage, ToolAnswer } from './message.ts'
import type { Origin } from './provider-data.ts'
import type { ModelTraits } from './provider.ts'
import { SentCallIds, toolName } from './sent-names.ts'
import { toAssistantMessage } from './to-assistant.ts'
import { toSentPart, type SentPart } from './to-content.ts'

/** Only a model's own opaque data is sent back to it. */
export interface PromptTarget extends Origin {
  traits: ModelTraits
}

type UserPart = Extract<SdkMessage, { role: 'user' }>['content'][number]

/** The history as the target may be sent it: it begins and ends with what is not the model's. Pure. */
export function toPrompt(messages: readonly ModelMessage[], target: PromptTarget): SdkMessage[] {
  const out: SdkMessage[] = []
  const ids = new SentCallIds(target.traits.strictCallIds === true)
  let images: UserPart[] = []
  for (const message of arrange(messages, target)) {
    if (message.role !== 'user' && images.length > 0) out.push({ role: 'user', content: images.splice(0) })
    switch (message.role) {
      case 'user': {
        const content = message.content.map((block) => userPart(toSentPart(block, target.traits.images)))
        out.push({ role: 'user', content: [...images.splice(0), ...content] })
        break
      }
      case 'assistant':
        out.push(toAssistantMessage(message.parts, ids.next(message.parts), target))
        break
      case 'tool':
        out.push({ role: 'tool', content: toResults(message.results, ids.current, target) })
        if (target.traits.toolResults === 'text')
          images = message.results.flatMap((result) => shown(result, target))
    }
  }
  if (images.length > 0) out.push({ role: 'user', content: images })
  return withBreakpoints(framed(out), target)
}

/** Providers want a conversation to begin with a user, and answer only when the last word is not their own. */
function framed(messages: SdkMessage[]): SdkMessage[] {
  const first = messages[0]?.role === 'user' ? [] : [user('(The conversation begins here.)')]
  const last = messages.at(-1)?.role === 'assistant' ? [user('Continue.')] : []
  return [...first, ...messages, ...last]
}

function user(text: string): SdkMessage {
  return { role: 'user', content: [{ type: 'text', text }] }
}

function userPart(part: SentPart): UserPart {
  return part.type === 'text' ? part : filePart(part)
}

function filePart({ data, mediaType }: Extract<SentPart, { type: 'image' }>) {
  return { type: 'file' as const, data: { type: 'data' as const, data }, mediaType }
}

/** Results stand in the order of their calls, and so do the ids. */
function toResults(
  results: readonly ToolAnswer[],
  ids: readonly string[],
  target: PromptTarget,
): SentResult[] {
  return results.map((result, index) => ({
    type: 'tool-result',
    toolCallId: ids[index] ?? result.callId,
    toolName: toolName(result.name),
    output: sentOutput(result, target),
  }))
}

/** Contents are never changed, and each is sent again with every request behind it. */
const sentOutputs = new WeakMap<
  readonly ContentBlock[],
  { isError: boolean; target: Origin; output: ToolOutput }
>()

function sentOutput(result: ToolAnswer, target: PromptTarget): ToolOutput {
  const { content, isError } = result
  const known = sentOutputs.get(content)
  if (known?.target === target && known.isError === isError) return known.output
  const output = toolOutput(result, target)
  sentOutputs.set(content, { isError, target, output })
  return output
}

function toolOutput(result: ToolAnswer, { traits }: PromptTarget): ToolOutput {
  const parts = result.content.map((block) => toSentPart(block, traits.images))
  const marked = traits.toolResults === 'rich' && result.isError
  if (traits.toolResults !== 'text' && !marked && parts.some((part) => part.type === 'image')) {
    return {
      type: 'content',
      value: parts.map((part) => (part.type === 'text' ? part : filePart(part))),
    }
  }
  const seen = traits.toolResults === 'text' ? 'follows in the next message' : 'is left out'
  const lines = parts.map((part) =>
    part.type === 'text' ? part.text : `[An image (${part.mediaType}) ${seen}.]`,
  )
  return { type: marked ? 'error-text' : 'text', value: orNothing(lines.join('\n')) }
}

/** Providers refuse blank results. */
function orNothing(text: string): string {
  return text.trim() === '' ? '(no output)' : text
}

/** The images of a result, as the user message that follows shows them. */
function shown(result: ToolAnswer, { traits }: PromptTarget): UserPart[] {
  const parts = result.content.map((block) => toSentPart(block, traits.images))
  const images = parts.filter((part) => part.type === 'image')
  if (images.length === 0) return []
  return [{ type: 'text', text: `From the result of ${toolName(result.name)}:` }, ...images.map(userPart)]
}

/** On the newest message, and on the one that was newest at the request before: a large batch may lie between. */
function withBreakpoints(messages: SdkMessage[], { traits }: PromptTarget): SdkMessage[] {
  const { cacheBreakpoint } = traits
  if (cacheBreakpoint === undefined) return messages
  const last = messages.length - 1
  const before = messages.findLastIndex(({ role }, index) => index < last - 1 && role !== 'assistant')
  return messages.map((message, index) =>
    index === last || index === before ? { ...message, providerOptions: cacheBreakpoint } : message,
  )
}
