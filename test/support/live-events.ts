// What a log was live: the deltas that its messages were streamed in. The log keeps only what they add up to.
import type { AnyEvent, EventOf } from '#session/event.ts'

/** The events with every assistant message and call streamed ahead, in pieces of `size` characters. Pure. */
export function streamed(events: readonly AnyEvent[], size: number): AnyEvent[] {
  const result: AnyEvent[] = []
  events.forEach((event, index) => {
    if (event.type === 'assistant_message') {
      const withdrawn = events.slice(index + 1).filter((later) => later.type === 'call_withdrawn')
      result.push(...ahead(event, withdrawn, size))
    }
    if (event.type === 'compaction') {
      const { compactionId } = event
      result.push({ type: 'compaction_state', compactionId, status: 'in_progress' })
    }
    result.push(event)
  })
  return result
}

function ahead(
  { message }: EventOf<'assistant_message'>,
  withdrawn: readonly EventOf<'call_withdrawn'>[],
  size: number,
): AnyEvent[] {
  const { id: messageId, parts } = message
  const own = parts.flatMap((part): AnyEvent[] => {
    if (part.type === 'text')
      return pieces(part.text, size).map((text) => ({ type: 'text_delta', messageId, text }))
    if (part.type === 'thought') {
      return pieces(part.text, size).map((text) => ({ type: 'thought_delta', messageId, text }))
    }
    const { callId, name } = part
    const raw = typeof part.arguments === 'string' ? part.arguments : JSON.stringify(part.arguments)
    return [
      { type: 'call_start', messageId, callId, name },
      ...pieces(raw, size).map((delta): AnyEvent => ({ type: 'call_delta', callId, delta })),
    ]
  })
  const begun = withdrawn
    .filter((call) => call.messageId === messageId)
    .flatMap(({ callId, name }): AnyEvent[] => [
      { type: 'call_start', messageId, callId, name },
      { type: 'call_delta', callId, delta: '{"file_path": "half-a-pa' },
    ])
  return [...own, ...begun]
}

function pieces(text: string, size: number): string[] {
  const parts: string[] = []
  for (let at = 0; at < text.length; at += size) parts.push(text.slice(at, at + size))
  return parts
}
