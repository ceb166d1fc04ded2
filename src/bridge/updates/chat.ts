// Text and thoughts: streamed as they come, completed by the message that is logged.
import { assertNever } from '#registry/view.ts'
import type { ContentBlock } from '#model/content.ts'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { confirmCard, confirmEnd } from '#bridge/cards/confirm-card.ts'
import type { CommandCard, EventOf } from '#session/event.ts'
import { readArguments } from './presenting.ts'
import type { State } from './state.ts'

export type ChatEvent = EventOf<
  'user_message' | 'command' | 'assistant_message' | 'text_delta' | 'thought_delta'
>
type Spoken = 'user_message_chunk' | 'agent_message_chunk' | 'agent_thought_chunk'

/** Characters of one chunk. */
const PIECE = 64 * 1024

export function pushChat(state: State, event: ChatEvent): SessionUpdate[] {
  switch (event.type) {
    case 'user_message':
      return userMessage(state, event)
    case 'command':
      return command(state, event)
    case 'assistant_message':
      return assistantMessage(state, event)
    case 'text_delta':
      return delta(state, event.messageId, 'text', event.text)
    case 'thought_delta':
      return delta(state, event.messageId, 'thought', event.text)
    default:
      return assertNever(event)
  }
}

/** Text as chunks, cut between characters where it is long. */
export function chunks(kind: Spoken, text: string, messageId?: string): SessionUpdate[] {
  return pieces(text, PIECE).map((piece) => ({
    sessionUpdate: kind,
    content: { type: 'text', text: piece },
    ...(messageId !== undefined && { messageId }),
  }))
}

/** `text` in parts of at most `size` characters; surrogate pairs stay whole. */
export function pieces(text: string, size: number): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length;) {
    const last = text.charCodeAt(at + size - 1)
    const split = at + size < text.length && last >= 0xd800 && last < 0xdc00
    const end = at + size - (split ? 1 : 0)
    parts.push(text.slice(at, end))
    at = end
  }
  return parts
}

function delta(state: State, messageId: string, part: 'text' | 'thought', text: string): SessionUpdate[] {
  if (state.ended) return []
  const streamed = state.streamed.get(messageId) ?? { text: '', thought: '', half: '' }
  state.streamed.set(messageId, streamed)
  const joined = streamed.half + text
  streamed.half = /[\ud800-\udbff]$/.test(joined) ? joined.slice(-1) : ''
  const now = streamed.half === '' ? joined : joined.slice(0, -1)
  streamed[part] += now
  return chunks(
    part === 'text' ? 'agent_message_chunk' : 'agent_thought_chunk',
    now.toWellFormed(),
    messageId,
  )
}

function userMessage(state: State, event: EventOf<'user_message'>): SessionUpdate[] {
  if (!state.replay || event.message.source.kind !== 'user') return []
  const messageId = event.message.id
  return (event.shown ?? event.message.content).map((content: ContentBlock) => ({
    sessionUpdate: 'user_message_chunk',
    content,
    messageId,
  }))
}

/** Live the client knows the prompt, and was shown the cards while the command asked. */
function command(state: State, { id, text, output, cards = [] }: EventOf<'command'>): SessionUpdate[] {
  const said = chunks('agent_message_chunk', output.toWellFormed(), id)
  if (!state.replay) return said
  const prompt = chunks('user_message_chunk', text, `${id}-prompt`)
  return [...prompt, ...cards.flatMap((card) => askedBefore(card, state.cwd)), ...said]
}

function askedBefore(asked: CommandCard, cwd: string): SessionUpdate[] {
  const card = confirmCard(asked, cwd)
  return [{ sessionUpdate: 'tool_call', ...card }, confirmEnd(card, asked)]
}

function assistantMessage(state: State, event: EventOf<'assistant_message'>): SessionUpdate[] {
  const { id, parts } = event.message
  const left = state.streamed.get(id) ?? { text: '', thought: '', half: '' }
  state.streamed.delete(id)
  return parts.flatMap((part) => {
    switch (part.type) {
      case 'text':
        return chunks('agent_message_chunk', unsent(left, 'text', part.text), id)
      case 'thought':
        return chunks('agent_thought_chunk', unsent(left, 'thought', part.text), id)
      case 'tool_call':
        state.arguments.set(part.callId, readArguments(part.arguments, part.malformed === true))
        return []
      default:
        return assertNever(part)
    }
  })
}

/** The rest of a part behind what was streamed; text that continues nothing streamed was shown otherwise already. */
function unsent(left: { text: string; thought: string }, kind: 'text' | 'thought', text: string): string {
  const before = left[kind]
  if (before.startsWith(text)) {
    left[kind] = before.slice(text.length)
    return ''
  }
  left[kind] = ''
  return text.startsWith(before) ? text.slice(before.length) : ''
}
