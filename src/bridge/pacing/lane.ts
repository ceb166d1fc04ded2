// Which updates may be held back and joined: lanes by chat message and by call.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { pieces } from '#bridge/updates/chat.ts'

export type Stream = 'chat' | 'output' | 'replace'

/** Where an update runs: in a lane of its own kind, or, without `stream`, at once. `owner` is the call it belongs to. */
export interface Route {
  key: string
  stream?: Stream
  owner?: string
}

/** Characters of one output update: in UTF-8 at most 64 KiB, whatever they are. */
const OUTPUT_PIECE = 16 * 1024

export function routeOf(update: SessionUpdate): Route {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
    case 'agent_thought_chunk':
      if (update.content.type !== 'text') return { key: '' }
      return { key: `${update.sessionUpdate}:${update.messageId ?? ''}`, stream: 'chat' }
    case 'tool_call':
      return { key: '', owner: update.toolCallId }
    case 'tool_call_update':
      return callRoute(update)
    default:
      return { key: '' }
  }
}

function callRoute(update: Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>): Route {
  const { sessionUpdate: _kind, toolCallId: owner, _meta: meta, ...fields } = update
  const names = Object.keys(fields)
  const metas = Object.keys(meta ?? {})
  if (names.length === 0 && metas.length === 1 && outputOf(update))
    return { key: `output:${owner}`, stream: 'output', owner }
  const replaces =
    metas.length === 0 && names.length > 0 && names.every((name) => name === 'content' || name === 'title')
  return replaces ? { key: `replace:${owner}`, stream: 'replace', owner } : { key: '', owner }
}

/** What waits in a lane after one more update. */
export function join(
  stream: Stream,
  waiting: readonly SessionUpdate[],
  update: SessionUpdate,
): SessionUpdate[] {
  const last = waiting.at(-1)
  if (stream === 'output') return joinOutput(waiting, update)
  if (!last) return [update]
  return [
    ...waiting.slice(0, -1),
    stream === 'chat' ? joinText(last, update) : ({ ...last, ...update } as SessionUpdate),
  ]
}

function joinText(before: SessionUpdate, update: SessionUpdate): SessionUpdate {
  const first = textOf(before)
  const second = textOf(update)
  return { ...before, content: { type: 'text', text: first + second } } as SessionUpdate
}

function textOf(update: SessionUpdate): string {
  const chunk =
    update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk'
  return chunk && update.content.type === 'text' ? update.content.text : ''
}

function joinOutput(waiting: readonly SessionUpdate[], update: SessionUpdate): SessionUpdate[] {
  const last = waiting.at(-1)
  const output = outputOf(update)
  if (!output) return [...waiting, update]
  const data = (last ? (outputOf(last)?.data ?? '') : '') + output.data
  const joined = pieces(data, OUTPUT_PIECE).map(
    (piece) => ({ ...update, _meta: { terminal_output: { ...output, data: piece } } }) as SessionUpdate,
  )
  return [...waiting.slice(0, -1), ...joined]
}

function outputOf(update: SessionUpdate): { terminal_id: unknown; data: string } | undefined {
  const output: unknown = update._meta?.['terminal_output']
  const known = typeof output === 'object' && output !== null && 'data' in output && 'terminal_id' in output
  return known && typeof output.data === 'string'
    ? { terminal_id: output.terminal_id, data: output.data }
    : undefined
}
