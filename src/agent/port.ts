// What the agent offers to a bridge: sessions to prompt, watch and answer for.
import type { ContentBlock } from '#model/content.ts'
import type { ApprovalRequest } from '#registry/types.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import type { AnyEvent, ApprovalDecision, LoggedEvent, StopReason } from '#session/event.ts'

export type Presenters = Pick<ToolDefinition, 'presentCall' | 'presentResult'>

/** Asks the person. Must answer; a throw counts as unavailable. Aborting `request.signal` retracts the question. */
export type Asker = (request: ApprovalRequest) => Promise<ApprovalDecision>

export interface SessionOptions {
  /** Absolute path of an existing directory. */
  cwd: string
  additionalDirectories: readonly string[]
}

export interface PromptInput {
  /** What the model is sent. */
  content: ContentBlock[]
  /** What the person sent, for replay. */
  shown: ContentBlock[]
}

export interface AgentSession {
  readonly id: string
  readonly cwd: string
  readonly roots: readonly string[]
  /** `ask`, `accept-edits`, `plan` or `bypass`. */
  readonly modeId: string
  readonly title: string | undefined
  /** Whether a turn is running. Cleared before `prompt` settles. */
  readonly busy: boolean
  /** Everything that is in the log now, in order. */
  history(): readonly LoggedEvent[]
  /** Events as they happen, in order, live-only ones included. Listeners must not throw. */
  subscribe(listener: (event: AnyEvent) => void): () => void
  /** The one who asks the person; the last set wins. */
  setAsker(asker: Asker): void
  /** Presenters of a tool that is visible in this session. */
  presenters(toolName: string): Presenters | undefined
  setMode(modeId: string): void
  /**
   * Runs a turn. Rejects with `AgentError` (`busy`, `auth`, `model`, `internal`); everything that happened is logged
   * and was given to subscribers before it settles.
   */
  prompt(input: PromptInput): Promise<StopReason>
  /** Cancels the running turn; a no-op when idle. */
  cancel(): void
  /** Cancels, waits for the end of the turn, kills what still runs, flushes and closes the log. */
  close(): Promise<void>
}

export interface Agent {
  /** The model in use, or undefined when no provider is usable (`session/new` then asks for authentication). */
  readonly model: string | undefined
  create(options: SessionOptions): Promise<AgentSession>
  /** Opens a stored session, rebinding it when `cwd` differs. Rejects with `AgentError('not_found')`. */
  open(id: string, options: SessionOptions): Promise<AgentSession>
  /** An open session. */
  get(id: string): AgentSession | undefined
  /** Closes all sessions. */
  dispose(): Promise<void>
}
