// Tool calls as a client keeps them: updates folded into the last known state of each.
import type { ToolCallUpdate } from '@agentclientprotocol/sdk'
import { isCommand } from '#bridge/fold.ts'
import type { TerminalState } from './terminal.ts'

export interface Call {
  readonly id: string
  readonly title: string
  readonly kind: string
  readonly status: string
  /** Its title is a command. */
  readonly isCommand: boolean
  /** What it is given. */
  readonly input: unknown
  readonly content: NonNullable<ToolCallUpdate['content']>
  readonly locations: NonNullable<ToolCallUpdate['locations']>
  /** The card was drawn because a question came first. */
  readonly shown: boolean
  /** Set while the terminal's frame is open. */
  readonly terminal?: TerminalState
}

/** A field that an update leaves out keeps its value. */
export function fold(call: Call | undefined, update: ToolCallUpdate): Call {
  const kind = update.kind ?? call?.kind ?? 'other'
  const input: unknown = update.rawInput ?? call?.input
  return {
    id: update.toolCallId,
    title: update.title ?? call?.title ?? '',
    kind,
    status: update.status ?? call?.status ?? 'pending',
    content: update.content ?? call?.content ?? [],
    locations: update.locations ?? call?.locations ?? [],
    isCommand: isCommand({ kind, rawInput: input }),
    input,
    shown: call?.shown ?? false,
    ...(call?.terminal && { terminal: call.terminal }),
  }
}

export const isTerminal = (call: Call): boolean => call.content.some((part) => part.type === 'terminal')
export const isOver = (call: Call): boolean => call.status === 'completed' || call.status === 'failed'

/** Output and exit of an agent-owned terminal, from an update's `_meta`. */
export function terminalNews(update: ToolCallUpdate): {
  data: string
  exit?: { exitCode: number | null; signal: string | null }
} {
  const output = record(update._meta?.['terminal_output'])
  const exit = record(update._meta?.['terminal_exit'])
  const data = typeof output?.['data'] === 'string' ? output['data'] : ''
  if (!exit) return { data }
  const exitCode = typeof exit['exit_code'] === 'number' ? exit['exit_code'] : null
  const signal = typeof exit['signal'] === 'string' ? exit['signal'] : null
  return { data, exit: { exitCode, signal } }
}

function record(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
}
