// The events of a session: a closed union. What is logged, what is live only.
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { AssistantMessage, UserMessage } from '#model/message.ts'
import type { FinishReason, Usage } from '#model/port.ts'
import type { CodeMode, Observation, Snapshot, Todo, ToolFailure } from '#registry/types.ts'
import type { FileDiff, ToolCallView, ToolResultView } from '#registry/view.ts'

export type StopReason = 'end_turn' | 'max_tokens' | 'max_turn_requests' | 'refusal' | 'cancelled'

/** Why a turn failed. `code` is a `ModelErrorCode`, or `internal`. */
export interface TurnError {
  code: string
  message: string
  status?: number
}

export interface ToolResultEvent {
  type: 'tool_result'
  callId: string
  isError: boolean
  content: ContentBlock[]
  meta?: JsonValue
  error?: ToolFailure
  /** Stored for tools that may be absent on replay (MCP, plug-ins); null: the generic card. */
  view?: ToolResultView | null
}

export type ApprovalDecision =
  | { outcome: 'allowed-once' }
  | { outcome: 'allowed-always'; label: string }
  | { outcome: 'rejected'; reason?: string }
  | { outcome: 'cancelled' }
  | { outcome: 'unavailable' }

/** A card with which a command asked before it changed files. */
export interface CommandCard {
  callId: string
  title: string
  diffs: FileDiff[]
  status: 'completed' | 'failed'
  /** Why it failed. */
  text?: string
}

/** Events that are appended to the log. Calls refer to their assistant message: arguments are stored once. */
export type SessionEvent =
  | { type: 'turn_start'; turnId: string }
  /** `shown`: the prompt as the person sent it, where the model is sent something else. */
  | { type: 'user_message'; message: UserMessage; shown?: ContentBlock[] }
  | { type: 'step_start'; step: number; model: string }
  | { type: 'assistant_message'; message: AssistantMessage; interrupted?: true }
  | {
      type: 'step_end'
      step: number
      finish: FinishReason | 'error' | 'cancelled'
      usage?: Usage
      contextWindow?: number
    }
  | { type: 'tool_call'; callId: string; name: string; messageId: string }
  /** A call of an interrupted message: shown, never run, never seen by the model. */
  | { type: 'call_withdrawn'; callId: string; name: string; messageId: string; reason: string }
  | { type: 'tool_preview'; callId: string; view: ToolCallView }
  | { type: 'approval_asked'; callId: string; toolName: string; reason?: string; label?: string }
  | { type: 'approval_decided'; callId: string; decision: ApprovalDecision }
  | { type: 'tool_started'; callId: string }
  | { type: 'tool_output'; callId: string; data: string }
  | ToolResultEvent
  /** A nested call of Code Mode, with its own arguments. */
  | { type: 'code_call'; callId: string; parentId: string; name: string; arguments: JsonValue }
  | { type: 'todos'; todos: Todo[] }
  | ({ type: 'observed' } & Observation)
  | ({ type: 'snapshot'; turnId: string } & Snapshot)
  | { type: 'title'; title: string }
  | { type: 'mode'; modeId: string }
  | { type: 'model'; model: string }
  | { type: 'cwd'; cwd: string; roots: string[] }
  | { type: 'retry'; attempt: number; delayMs: number; reason: string }
  | { type: 'notice'; severity: 'info' | 'warning' | 'error'; title: string; description?: string }
  | { type: 'thought_level'; level: string }
  | { type: 'code_mode'; mode: CodeMode }
  /** From here on the model is sent `summary` in place of everything up to and including event `through`. */
  | {
      type: 'compaction'
      compactionId: string
      through: number
      summary: string
      /** Estimated tokens of the conversation before and after. */
      before: number
      after: number
    }
  /** From here on the model is sent a note in place of the long tool results up to and including event `through`. */
  | { type: 'pruned'; through: number }
  /** The files that these turns changed are as they were before them, but for what somebody else has changed since. */
  | { type: 'rewound'; turnIds: string[]; paths: string[] }
  /** A command that the person gave (blank: none that they see) and what it said to them; not for the model. */
  | { type: 'command'; id: string; text: string; output: string; cards?: CommandCard[] }
  | { type: 'turn_end'; turnId: string; stopReason: StopReason }
  | { type: 'turn_failed'; turnId: string; error: TurnError }

/** What the person gave as a command, and what it showed and said. */
export type CommandSaid = Omit<EventOf<'command'>, 'type' | 'id'>

/** Events that people see while they happen and that the log does not need: what they add up to is logged. */
export type LiveEvent =
  | { type: 'text_delta'; messageId: string; text: string }
  | { type: 'thought_delta'; messageId: string; text: string }
  | { type: 'call_start'; messageId: string; callId: string; name: string }
  | { type: 'call_delta'; callId: string; delta: string }
  | {
      type: 'compaction_state'
      compactionId: string
      status: 'in_progress' | 'failed' | 'cancelled'
      error?: string
    }
  | { type: 'tool_progress'; callId: string; message?: string; done?: number; total?: number }

export type AnyEvent = SessionEvent | LiveEvent

/** The events of one kind. */
export type EventOf<T extends AnyEvent['type']> = Extract<AnyEvent, { type: T }>

/** The first line of a log. */
export interface SessionHeader {
  type: 'session'
  version: 1
  id: string
  cwd: string
  /** Real workspace roots: cwd first, then additional directories. */
  roots: string[]
  createdAt: string
}

/** A line of a log behind the header: the event, when (ISO 8601), and its number (from 1, without gaps). */
export type LoggedEvent = SessionEvent & { seq: number; at: string }
