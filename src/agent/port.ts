// What the agent offers to a bridge: sessions to prompt, watch and answer for.
import type { AskForm } from '#registry/form.ts'
import type { ContentBlock } from '#model/content.ts'
import type { ApprovalRequest } from '#registry/types.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import type { SessionPage } from '#session/store.ts'
import type { TraceCarrier } from '#telemetry/span.ts'
import type {
  AnyEvent,
  ApprovalDecision,
  CommandSaid,
  LoggedEvent,
  SessionHeader,
  StopReason,
} from '#session/event.ts'

/**
 * `preview`: present when the call view may still be replaced before anybody is asked. `external`: the log keeps the
 * views.
 */
export type Presenters = Pick<ToolDefinition, 'presentCall' | 'presentResult' | 'preview' | 'external'>

/** What a stored session is drawn with while its log is read: its own tools are not there yet. */
export interface StoredDrawing {
  header: SessionHeader
  presenters(toolName: string): Presenters | undefined
}
/** Is given the events of a log while it is read, some at a time; the next are read when it settles. */
export type HistoryWatcher = (events: readonly LoggedEvent[], drawing: StoredDrawing) => Promise<void>

/** Asks the person. Must answer; a throw counts as unavailable. Aborting `request.signal` retracts the question. */
export type Asker = (request: ApprovalRequest) => Promise<ApprovalDecision>

/** A plan that is to be carried out, about a call that was announced. */
export interface PlanQuestion {
  callId: string
  /** Markdown. */
  plan: string
  /** Aborting it retracts the question. */
  signal: AbortSignal
}
export type PlanAnswer =
  /** `mode`: the mode to go on in. */
  { kind: 'approved'; mode: string } | { kind: 'rejected'; reason?: string } | { kind: 'cancelled' }
/** Asks the person for leave to carry a plan out. Rejects when they could not be asked. */
export type PlanAsker = (question: PlanQuestion) => Promise<PlanAnswer>

export interface SessionOptions {
  /** Absolute path of an existing directory. */
  cwd: string
  additionalDirectories: readonly string[]
  /** MCP servers of the client, as it sent them; not looked at yet. */
  mcpServers?: readonly unknown[]
}

/** A command that the servers of a session bring along. */
export interface SessionCommand {
  /** What stands behind the slash. */
  name: string
  description: string
  /** What may be written behind the name. */
  hint?: string
  /** What the model is to be sent. Rejects with an error whose message is for the person. */
  run(argument: string, signal: AbortSignal): Promise<ContentBlock[]>
}

export interface ServerStatus {
  name: string
  /** The command line or the address. */
  target: string
  state: 'starting' | 'authorizing' | 'ready' | 'reconnecting' | 'failed' | 'stopped'
  /** Why it is not ready. */
  problem?: string
  /** What is wrong with it although it works. */
  warnings: string[]
  tools: { name: string; title: string }[]
  prompts: string[]
  resources: boolean
  startMs?: number
  /** What a person has to open to authorize it. */
  authorizationUrl?: string
  /** The end of what it wrote on stderr. */
  stderr: string
}

/** The MCP servers of a session. */
export interface SessionServers {
  /** Waits for the first try of each, a bounded time and once in a session. Never rejects. */
  ready(): Promise<void>
  status(): ServerStatus[]
  commands(): SessionCommand[]
  /** Called when status or commands are others. */
  onChange(listener: () => void): () => void
  /** Who asks the person for servers that are connected from now on; undefined: nobody can. */
  setForm(form: AskForm | undefined): void
}

export interface PromptInput {
  /** What the model is sent. */
  content: ContentBlock[]
  /** What the person sent, for replay. */
  shown: ContentBlock[]
  /** The client's span that the turn belongs to. */
  trace?: TraceCarrier | undefined
}

/** One thing that a person can choose for a session: mode, model, thought level, Code Mode. */
export interface SessionOption {
  /** `mode`, `model`, `thought_level` or `code_mode`. */
  id: string
  name: string
  category: 'mode' | 'model' | 'thought_level' | 'model_config'
  current: string
  choices: { value: string; name: string; description?: string }[]
}

/** Tokens of this session so far, as the providers counted them. */
export interface SessionUsage {
  /** Those that were answered. */
  requests: number
  /** How many of them the provider reported no tokens for. */
  uncounted: number
  inputTokens: number
  outputTokens: number
  cachedInputTokens: number
  /** Tokens in the context at the last request, and the size of the window; absent before the first. */
  context?: { used: number; size: number }
  cost?: { amount: number; currency: string }
}

/** A file that this session has changed. Texts are whole; null where the file does not exist. */
export interface FileChange {
  path: string
  before: string | null
  after: string | null
}

export interface RememberedGrant {
  id: string
  /** What is remembered, and where. */
  label: string
}

/** A configuration file that lies in the project, where everybody who can write there can change it. */
export interface ProjectFile {
  path: string
  /** What it has run and the project holds: trusted with it. */
  files: readonly string[]
  /** Of all these contents. */
  hash: string
  trusted: boolean
  /** What it would do beyond forbidding, a line each. */
  effects: readonly string[]
}

export interface ProjectTrust {
  /** As it is now; undefined where the project has none. */
  file(): Promise<ProjectFile | undefined>
  /** Trusts this very content, or takes trust back. False when the file is another by now. */
  decide(hash: string, trusted: boolean): Promise<boolean>
}

export type CompactionOutcome =
  | { kind: 'compacted'; before: number; after: number }
  | { kind: 'nothing' }
  | { kind: 'failed'; message: string }

export interface AgentSession {
  /** Undefined where the host has none. */
  readonly servers?: SessionServers | undefined
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
  /** The one who asks for leave to carry out a plan; the last set wins. Approval switches the session's mode. */
  setPlanAsker(asker: PlanAsker): void
  /** Who shows the forms of the agent itself; undefined: nobody can. */
  setForm(form: AskForm | undefined): void
  /** Presenters of a tool that is visible in this session. */
  presenters(toolName: string): Presenters | undefined
  setMode(modeId: string): void
  /** In the order in which they are shown. */
  options(): SessionOption[]
  /** Throws `AgentError('invalid')` on an unknown option or value. Setting `mode` is `setMode`. */
  setOption(id: string, value: string): void
  /** Logs a command of the person and what it said to them; the model never sees either. Blank text: no prompt. */
  recordCommand(said: CommandSaid): void
  /** Puts a message into the running turn at its next step; false when no turn runs. */
  steer(input: PromptInput): boolean
  /** Shortens what the model is sent; what people see stays. Rejects with `AgentError('busy')` during a turn. */
  compact(): Promise<CompactionOutcome>
  usage(): SessionUsage
  /** Against the state before this session first touched each file. Unchanged files are left out. */
  changes(): Promise<FileChange[]>
  /**
   * Puts the files back that the last `turns` turns changed; returns what was undone. Files that somebody else has
   * changed since are left alone and returned in `skipped`. Rejects with `AgentError('busy')` during a turn.
   */
  rewind(turns: number): Promise<{ undone: FileChange[]; skipped: string[] }>
  /** What "always" has remembered for this project. */
  grants(): Promise<RememberedGrant[]>
  /** False when there is no such grant. */
  revoke(grantId: string): Promise<boolean>
  readonly projectTrust: ProjectTrust
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
  /**
   * Opens a stored session, rebinding it when `cwd` differs. `watch` is not called for one that is open already. Rejects
   * with `AgentError` (`not_found`, `busy`, `internal`), and with what `watch` rejects with; nothing is open then.
   */
  open(id: string, options: SessionOptions, watch?: HistoryWatcher): Promise<AgentSession>
  /** An open session. */
  get(id: string): AgentSession | undefined
  /** Stored sessions, newest first. */
  list(query: { cwd?: string; cursor?: string }): Promise<SessionPage>
  /** Closes the session if it is open and removes everything of it; unknown ids succeed quietly. */
  remove(id: string): Promise<void>
  /** Closes all sessions. */
  dispose(): Promise<void>
}
