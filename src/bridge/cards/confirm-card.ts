// The card with which a command asks before it changes files: what it would change, and how that ended. Pure.
import type { SessionUpdate, ToolCall } from '@agentclientprotocol/sdk'
import type { CommandCard } from '#session/event.ts'
import { textContent } from './card.ts'
import { diffContent } from './clip.ts'
import { absolutePath } from './path.ts'

/** The card as it is announced. */
export function confirmCard({ callId, title, diffs }: Omit<CommandCard, 'status'>, cwd: string): ToolCall {
  const locations = diffs.map(({ path }) => ({ path: absolutePath(path, cwd) }))
  return {
    toolCallId: callId,
    title,
    kind: 'edit',
    status: 'pending',
    content: diffContent(diffs, (path) => absolutePath(path, cwd)),
    locations,
    rawInput: { paths: locations.map(({ path }) => path) },
  }
}

/** Its last update. */
export function confirmEnd(
  card: ToolCall,
  { status, text }: Pick<CommandCard, 'status' | 'text'>,
): SessionUpdate {
  const content = text === undefined ? {} : { content: [...(card.content ?? []), textContent(text)] }
  return { sessionUpdate: 'tool_call_update', toolCallId: card.toolCallId, status, ...content }
}
