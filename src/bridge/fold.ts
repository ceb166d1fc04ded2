// The fold of updates into what an editor shows: live and replayed conversations are equal after it.
import type {
  CompactionUpdate,
  ContentBlock,
  Cost,
  SessionUpdate,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { assertNever } from '#registry/view.ts'

export interface ShownChat {
  kind: 'user' | 'agent' | 'thought'
  messageId?: string
  content: ContentBlock[]
}
export interface ShownCall {
  kind: 'call'
  /** The fields as last sent, `_meta` apart; empty lists are absent. */
  fields: Record<string, unknown>
  meta: Record<string, unknown>
  /** The text of the card's terminal, and how it ended. */
  terminal?: { output: string; exit?: unknown }
}
/** Whether the card is that of a command: its title is the command itself, and no Markdown. */
export function isCommand({ kind, rawInput }: ShownCall['fields']): boolean {
  return kind === 'execute' && typeof rawInput === 'object' && rawInput !== null && 'cwd' in rawInput
}

export interface ShownCompaction {
  kind: 'compaction'
  compactionId: string
  status: string
  summary?: ContentBlock[]
}
export interface ShownNotice {
  kind: 'notice'
  severity: string
  title: string
  description?: string
}
export interface Shown {
  entries: (ShownChat | ShownCall | ShownCompaction | ShownNotice)[]
  plan?: unknown
  title?: string
  mode?: string
  usage?: { used: number; size: number; cost?: Cost }
}

/** Pure. Kinds that the bridge does not send yet are left out. */
export function foldUpdates(updates: readonly SessionUpdate[]): Shown {
  const shown: Shown = { entries: [] }
  for (const update of updates) apply(shown, update)
  return shown
}

function apply(shown: Shown, update: SessionUpdate): void {
  switch (update.sessionUpdate) {
    case 'user_message_chunk':
      return say(shown, 'user', update.content, update.messageId)
    case 'agent_message_chunk':
      return say(shown, 'agent', update.content, update.messageId)
    case 'agent_thought_chunk':
      return say(shown, 'thought', update.content, update.messageId)
    case 'tool_call':
    case 'tool_call_update':
      return draw(shown, update)
    case 'plan':
      shown.plan = update.entries
      return
    case 'session_info_update':
      if (typeof update.title === 'string') shown.title = update.title
      return
    case 'current_mode_update':
      shown.mode = update.currentModeId
      return
    case 'usage_update':
      shown.usage = { used: update.used, size: update.size, ...(update.cost && { cost: update.cost }) }
      return
    case 'notice': {
      const { severity, title, description } = update
      shown.entries.push({ kind: 'notice', severity, title, ...(description && { description }) })
      return
    }
    case 'compaction_update':
      return compact(shown, update as CompactionUpdate)
    case 'available_commands_update':
    case 'config_option_update':
    case 'compaction_summary_chunk':
      return
    default:
      assertNever(update)
  }
}

/** Joins text to the last chat entry when that is of the same message and kind; what stands in between doesn't matter. */
function say(
  shown: Shown,
  kind: ShownChat['kind'],
  content: ContentBlock,
  id: string | null | undefined,
): void {
  const last = shown.entries.findLast((entry) => 'content' in entry)
  const block = last?.content.at(-1)
  const same = last?.kind === kind && (last.messageId ?? null) === (id ?? null)
  if (!last || !same) {
    shown.entries.push({ kind, ...(id != null && { messageId: id }), content: [{ ...content }] })
  } else if (block?.type === 'text' && content.type === 'text') {
    block.text += content.text
  } else {
    last.content.push({ ...content })
  }
}

/** One that failed or was cancelled left the conversation as it was: it leaves nothing here. */
function compact(shown: Shown, update: CompactionUpdate): void {
  const { compactionId, status, summary } = update
  const at = shown.entries.findIndex(
    (entry) => entry.kind === 'compaction' && entry.compactionId === compactionId,
  )
  const entry = { kind: 'compaction' as const, compactionId, status, ...(summary && { summary }) }
  if (status === 'failed' || status === 'cancelled') {
    if (at >= 0) shown.entries.splice(at, 1)
  } else if (at >= 0) shown.entries[at] = { ...shown.entries[at], ...entry }
  else shown.entries.push(entry)
}

function draw(
  shown: Shown,
  update: ToolCallUpdate & { sessionUpdate: 'tool_call' | 'tool_call_update' },
): void {
  const { sessionUpdate, _meta: meta, ...fields } = update
  const known = shown.entries.findLast(
    (entry) => entry.kind === 'call' && entry.fields['toolCallId'] === update.toolCallId,
  )
  let call: ShownCall
  if (sessionUpdate === 'tool_call_update' && known?.kind === 'call') call = known
  else shown.entries.push((call = { kind: 'call', fields: {}, meta: {} }))
  for (const [key, value] of Object.entries(fields)) {
    if (Array.isArray(value) && value.length === 0) delete call.fields[key]
    else if (value !== undefined && value !== null) call.fields[key] = value
  }
  applyMeta(call, meta ?? {})
}

function applyMeta(call: ShownCall, meta: Record<string, unknown>): void {
  const { terminal_output: output, terminal_exit: exit, ...rest } = meta
  Object.assign(call.meta, rest)
  if (output === undefined && exit === undefined) return
  call.terminal ??= { output: '' }
  if (hasData(output)) call.terminal.output += output.data
  if (exit !== undefined) call.terminal.exit = exit
}

function hasData(output: unknown): output is { data: string } {
  return typeof output === 'object' && output !== null && 'data' in output && typeof output.data === 'string'
}
