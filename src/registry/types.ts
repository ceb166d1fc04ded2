// The vocabulary of an execution: decisions, identities, reports and results (registry.md §3).
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { UserMessage } from '#model/message.ts'
import type { Scope } from './scope.ts'

/** The identity of a scope in inputs and approvals: the scope itself. */
export type ScopeKey = Scope

declare const tokenBrand: unique symbol
/** Names one execution; unforgeable. A nested call carries its parent's. */
export type ToolExecutionToken = symbol & { readonly [tokenBrand]: true }

/** What "always" would remember. Formed by policy; `remember` is awaited by whoever asks. */
export interface Grant {
  /** States exactly what is remembered, and where. */
  label: string
  remember(): Promise<void>
}

export type PreToolDecision =
  | { kind: 'allow' }
  | { kind: 'deny'; reason: string }
  | { kind: 'ask'; reason?: string; grant?: Grant }

export type PostToolDecision =
  | { kind: 'accept'; content?: ContentBlock[]; value?: never; additionalContexts?: UserMessage[] }
  | { kind: 'accept'; value: JsonValue; content?: never; additionalContexts?: UserMessage[] }
  | { kind: 'block'; feedback: ContentBlock[]; additionalContexts?: UserMessage[] }

/** Synchronous; a text denies the call with that reason. */
export type ToolGuard = (exec: Readonly<ToolExecution>) => string | undefined

export type ApprovalOutcome =
  | 'allowed-once'
  | 'rejected'
  | 'cancelled'
  | 'unavailable'
  | { outcome: 'rejected'; reason: string }

/** Never carries the arguments: the card shows them already, and a second copy could drift. */
export interface ApprovalRequest {
  scope: ScopeKey
  toolName: string
  callId: string
  reason?: string
  grant?: Grant
  signal: AbortSignal
}
export interface ApprovalService {
  request(request: ApprovalRequest): Promise<ApprovalOutcome>
}

export interface ToolExecutionInput {
  readonly callId: string
  /** The outermost call that this one descends from; defaults to `callId`. */
  readonly rootCallId?: string
  readonly name: string
  readonly arguments: unknown
  readonly scope?: ScopeKey
  readonly parent?: ToolExecutionToken
  readonly signal: AbortSignal
}

export interface ToolExecution extends ToolExecutionInput {
  readonly rootCallId: string
  readonly token: ToolExecutionToken
  /** Deep-frozen lossless JSON; undefined when what the caller gave was none. */
  readonly arguments: JsonValue | undefined
}

/** An execution inside `tools/execute`: a wrapper may replace `signal` (not remove it) and must restore it. */
export interface ToolDispatchExecution extends Omit<ToolExecution, 'signal'> {
  signal: AbortSignal
}

export type TodoStatus = 'pending' | 'in_progress' | 'completed'
export interface Todo {
  content: string
  status: TodoStatus
  priority: 'high' | 'medium' | 'low'
}

/** Lines of a file version that the session has seen: all of it, or one window (1-based, inclusive). */
export interface Observation {
  path: string
  /** Content hash of the file as it was. */
  version: string
  lines: 'all' | readonly [first: number, last: number]
}

/** A file before this session first changed it in a turn; null when it did not exist. */
export interface Snapshot {
  path: string
  before: string | null
  /** The version that the change leaves, of a file that the session need not have read. */
  left?: string
}

/** Live news from a running body on its way to the log and the bridge. */
export type ToolReport =
  | { kind: 'output'; data: string }
  | { kind: 'progress'; message?: string; done?: number; total?: number }
  | { kind: 'todos'; todos: Todo[] }
  | ({ kind: 'observed' } & Observation)
  | ({ kind: 'snapshot' } & Snapshot)
  /** A call inside this one gets a card of its own: told before it may ask anybody or run. */
  | { kind: 'nested_call'; callId: string; name: string; arguments: JsonValue }
  /** Its result as it is stored, with the data for its card. */
  | {
      kind: 'nested_result'
      callId: string
      isError: boolean
      content: ContentBlock[]
      meta?: JsonValue
      error?: ToolFailure
    }

/** What a body is handed. `signal` aborts when the caller or a wrapper gives up. */
export interface ToolRunContext extends ToolExecution {
  /** Adds a message for the model behind the batch. */
  deferContext(message: UserMessage): void
  /** Ends the turn after this batch, if this call succeeds. */
  concludeTurn(): void
  /** Observe-only; settles when the report is delivered; ignored once the body has settled. */
  report(report: ToolReport): Promise<void>
}

export interface ToolErrorInfo {
  name: string
  code: string
}
export interface ToolFailure {
  message: string
  /** Only typed errors carry it. */
  info?: ToolErrorInfo
}

export interface ToolExecutionSuccess {
  isError: false
  value: JsonValue
  content: ContentBlock[]
  meta?: JsonValue
  additionalContexts?: UserMessage[]
  concludesTurn?: true
}
export interface ToolExecutionFailure {
  isError: true
  error: ToolFailure
  content: ContentBlock[]
  meta?: JsonValue
  additionalContexts?: UserMessage[]
}
export type ToolExecutionResult = ToolExecutionSuccess | ToolExecutionFailure

/** The stored copy of a nested result, on its way to the log. */
export interface CodeDispatchLog {
  exec: ToolExecution
  scope?: ScopeKey
  subCallId: string
  name: string
  isError: boolean
  content: ContentBlock[]
}

export type CodeMode = 'native' | 'code' | 'both'
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'
export type Log = (level: LogLevel, message: string, data?: unknown) => void
