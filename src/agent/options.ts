// What a host gives to the agent: limits, and the equipment of each session.
import type { AskForm } from '#registry/form.ts'
import type { AssistantToolCall, UserMessage } from '#model/message.ts'
import type { Scope } from '#registry/scope.ts'
import type { LoggedEvent } from '#session/event.ts'
import type { HistoryFiles } from './file-history.ts'
import type {
  PlanAnswer,
  PlanQuestion,
  Presenters,
  ProjectTrust,
  RememberedGrant,
  SessionServers,
} from './port.ts'

export interface Limits {
  /** Model requests a turn. */
  modelRequests: number
  /** Bodies of tools at a time. */
  parallel: number
  /** Tries of a step after a failure that another try may mend. */
  retries: number
  /** Tries once something of the step was seen by the person. */
  visibleRetries: number
  /** Milliseconds before the first retry; doubled up to `maxRetryDelayMs`. */
  retryDelayMs: number
  maxRetryDelayMs: number
  /** Milliseconds after a cancel at which a body that does not stop is given up. */
  abandonAfterMs: number
}

export const DEFAULT_LIMITS: Limits = {
  modelRequests: 200,
  parallel: 10,
  retries: 5,
  visibleRetries: 2,
  retryDelayMs: 500,
  maxRetryDelayMs: 10_000,
  abandonAfterMs: 2500,
}

/** What a session itself can say about its equipment. */
export interface SessionInput {
  sessionId: string
  scope: Scope
  cwd: string
  roots: readonly string[]
  history: readonly LoggedEvent[]
  /** The mode at the time of the call. */
  modeId(): string
  /** Calls back with the mode now and at each change. Listeners must not throw. */
  onMode(listener: (modeId: string) => void): void
  /** Asks the person, and switches the mode on approval. Rejects when nobody could be asked. */
  askPlan(question: PlanQuestion): Promise<PlanAnswer>
  /** Calls back with who shows forms to the person, undefined for nobody: now and at each change. */
  onForm(listener: (form: AskForm | undefined) => void): void
}

export interface EquipInput extends SessionInput {
  /** MCP servers of the client, as it sent them; not looked at yet. */
  mcpServers: readonly unknown[]
  /** Tells the person something, in the log too. */
  notice(title: string, description?: string): void
}

/** What a session got: its tools and policy are registered in its scope. */
export interface Equipment {
  /** Project instructions and facts about the place, for the system prompt; asked for once a turn. */
  instructions(): Promise<string>
  /** Messages for the model about what happened beside its calls; asked for before each step. */
  news(): UserMessage[]
  /** Told of the calls of a batch before the first of them is judged: what they need can be looked up side by side. */
  foresee?(calls: readonly AssistantToolCall[]): void
  files: HistoryFiles
  servers?: SessionServers
  /** Presenters of a tool that is not registered just now, so that its calls are drawn as they were. */
  presenters?(toolName: string): Presenters | undefined
  /** What "always" has remembered for this project. */
  grants(): Promise<RememberedGrant[]>
  revoke(grantId: string): Promise<boolean>
  projectTrust: ProjectTrust
  /** Ends everything that the tools of this session still run. */
  dispose(): Promise<void>
}

/** Registers tools and policy in the scope of a session, when it is first needed. */
export type Equip = (input: EquipInput) => Equipment
