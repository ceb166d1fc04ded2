// An agent in memory whose turns are played by a script of the test.
import type { AskForm } from '#registry/form.ts'
import { AgentError } from '#agent/error.ts'
import type {
  Agent,
  AgentSession,
  Asker,
  CompactionOutcome,
  FileChange,
  PlanAnswer,
  PlanAsker,
  Presenters,
  PromptInput,
  RememberedGrant,
  SessionOption,
  SessionOptions,
  SessionUsage,
} from '#agent/port.ts'
import type { ApprovalRequest, Grant } from '#registry/types.ts'
import type { SessionSummary } from '#session/catalogue.ts'
import type { SessionPage } from '#session/store.ts'
import type {
  AnyEvent,
  ApprovalDecision,
  CommandSaid,
  LoggedEvent,
  SessionEvent,
  StopReason,
} from '#session/event.ts'

export interface FakeTurn {
  readonly number: number
  readonly input: PromptInput
  /** Aborts on cancel and close. */
  readonly signal: AbortSignal
  emit(...events: AnyEvent[]): void
  ask(callId: string, toolName: string, grant?: Grant): Promise<ApprovalDecision>
  askPlan(callId: string, plan: string): Promise<PlanAnswer>
  /** Settles when the turn is cancelled. */
  cancelled(): Promise<void>
}
export type Script = (turn: FakeTurn) => Promise<StopReason> | StopReason

const LIVE = new Set([
  'text_delta',
  'thought_delta',
  'call_start',
  'call_delta',
  'tool_progress',
  'compaction_state',
])
const MODES = ['ask', 'accept-edits', 'plan', 'bypass']
const MODELS = ['scripted/demo', 'scripted/other']

export class FakeSession implements AgentSession {
  readonly id: string
  readonly cwd: string
  readonly roots: readonly string[]
  title: string | undefined
  modeId = 'ask'
  model = 'scripted/demo'
  /** What the session answers to commands; tests set it. */
  compaction: CompactionOutcome = { kind: 'nothing' }
  spent: SessionUsage = { requests: 0, uncounted: 0, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }
  changed: FileChange[] = []
  remembered: RememberedGrant[] = []
  readonly steered: PromptInput[] = []
  readonly rewound: number[] = []
  busy = false
  closed = false
  readonly log: LoggedEvent[] = []
  readonly prompts: PromptInput[] = []
  readonly #listeners = new Set<(event: AnyEvent) => void>()
  readonly #script: Script
  readonly #presenters: (name: string) => Presenters | undefined
  #asker: Asker = () => Promise.resolve({ outcome: 'unavailable' })
  #planAsker: PlanAsker | undefined
  /** Who shows forms. */
  form: AskForm | undefined
  #controller = new AbortController()

  constructor(
    id: string,
    options: SessionOptions,
    script: Script,
    presenters: (name: string) => Presenters | undefined,
  ) {
    this.id = id
    this.cwd = options.cwd
    this.roots = [options.cwd, ...options.additionalDirectories]
    this.#script = script
    this.#presenters = presenters
  }

  history(): readonly LoggedEvent[] {
    return this.log
  }
  subscribe(listener: (event: AnyEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
  setAsker(asker: Asker): void {
    this.#asker = asker
  }
  setPlanAsker(asker: PlanAsker): void {
    this.#planAsker = asker
  }
  setForm(form: AskForm | undefined): void {
    this.form = form
  }
  recordCommand(said: CommandSaid): void {
    this.emit({ type: 'command', id: `command-${this.log.length + 1}`, ...said })
  }
  presenters(toolName: string): Presenters | undefined {
    return this.#presenters(toolName)
  }
  setMode(modeId: string): void {
    this.modeId = modeId
    this.emit({ type: 'mode', modeId })
  }
  options(): SessionOption[] {
    return [
      {
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        current: this.modeId,
        choices: MODES.map((value) => ({ value, name: value })),
      },
      {
        id: 'model',
        name: 'Model',
        category: 'model',
        current: this.model,
        choices: MODELS.map((value) => ({ value, name: value })),
      },
    ]
  }
  setOption(id: string, value: string): void {
    const option = this.options().find((candidate) => candidate.id === id)
    if (!option?.choices.some((choice) => choice.value === value)) {
      throw new AgentError('invalid', `no option ${id} with the value ${value}`)
    }
    if (id === 'mode') return this.setMode(value)
    this.model = value
    this.emit({ type: 'model', model: value })
  }
  steer(input: PromptInput): boolean {
    if (this.busy) this.steered.push(input)
    return this.busy
  }
  compact(): Promise<CompactionOutcome> {
    return Promise.resolve(this.compaction)
  }
  usage(): SessionUsage {
    return this.spent
  }
  changes(): Promise<FileChange[]> {
    return Promise.resolve(this.changed)
  }
  rewind(turns: number): Promise<{ undone: FileChange[]; skipped: string[] }> {
    this.rewound.push(turns)
    const undone = this.changed
    this.changed = []
    return Promise.resolve({ undone, skipped: [] })
  }
  grants(): Promise<RememberedGrant[]> {
    return Promise.resolve(this.remembered)
  }
  readonly projectTrust = { file: async () => undefined, decide: async () => false }
  revoke(grantId: string): Promise<boolean> {
    const before = this.remembered.length
    this.remembered = this.remembered.filter((grant) => grant.id !== grantId)
    return Promise.resolve(this.remembered.length < before)
  }
  emit(...events: AnyEvent[]): void {
    for (const event of events) {
      if (!LIVE.has(event.type)) {
        this.log.push({
          ...(event as SessionEvent),
          seq: this.log.length + 1,
          at: '2026-01-01T00:00:00.000Z',
        })
      }
      for (const listener of this.#listeners) listener(event)
    }
  }

  async prompt(input: PromptInput): Promise<StopReason> {
    if (this.busy) throw new AgentError('busy', 'a turn is running')
    this.busy = true
    this.prompts.push(input)
    const controller = new AbortController()
    this.#controller = controller
    const { signal } = controller
    const number = this.prompts.length
    const turnId = `turn-${number}`
    const message = { id: `user-${number}`, content: input.content, source: { kind: 'user' as const } }
    this.emit({ type: 'turn_start', turnId }, { type: 'user_message', message, shown: input.shown })
    try {
      const stopReason = await this.#script({
        number,
        input,
        signal,
        emit: (...events) => this.emit(...events),
        ask: (callId, toolName, grant) => this.#ask({ callId, toolName, signal, ...(grant && { grant }) }),
        askPlan: (callId, plan) => this.#askPlan({ callId, plan, signal }),
        cancelled: () =>
          new Promise((resolve) =>
            signal.aborted ? resolve() : signal.addEventListener('abort', () => resolve()),
          ),
      })
      this.emit({ type: 'turn_end', turnId, stopReason })
      return stopReason
    } catch (error) {
      this.emit({ type: 'turn_failed', turnId, error: { code: 'internal', message: String(error) } })
      throw error
    } finally {
      this.busy = false
    }
  }

  #ask(request: Omit<ApprovalRequest, 'scope'>): Promise<ApprovalDecision> {
    return this.#asker(request as ApprovalRequest)
  }
  /** As a session does: approval switches the mode. */
  async #askPlan(question: Parameters<PlanAsker>[0]): Promise<PlanAnswer> {
    if (!this.#planAsker) throw new Error('nobody asks')
    const answer = await this.#planAsker(question)
    if (answer.kind === 'approved') this.setMode(answer.mode)
    return answer
  }
  cancel(): void {
    this.#controller.abort()
  }
  async close(): Promise<void> {
    this.closed = true
    this.cancel()
    while (this.busy) await new Promise((resolve) => setImmediate(resolve))
  }
}

export interface FakeAgentOptions {
  script?: Script
  presenters?: (name: string) => Presenters | undefined
  model?: string | null
}

export class FakeAgent implements Agent {
  readonly model: string | undefined
  readonly sessions = new Map<string, FakeSession>()
  readonly stored = new Map<string, FakeSession>()
  pageSize = 50
  readonly #options: FakeAgentOptions

  constructor(options: FakeAgentOptions = {}) {
    this.#options = options
    this.model = options.model === null ? undefined : (options.model ?? 'scripted/demo')
  }

  create(options: SessionOptions): Promise<AgentSession> {
    return Promise.resolve(this.add(`session-${this.sessions.size + 1}`, options))
  }
  add(id: string, options: SessionOptions): FakeSession {
    const session = new FakeSession(
      id,
      options,
      this.#options.script ?? (() => 'end_turn'),
      this.#options.presenters ?? (() => undefined),
    )
    this.sessions.set(id, session)
    return session
  }
  open(id: string): Promise<AgentSession> {
    const session = this.sessions.get(id) ?? this.stored.get(id)
    if (!session) return Promise.reject(new AgentError('not_found', `no session ${id}`))
    this.sessions.set(id, session)
    return Promise.resolve(session)
  }
  get(id: string): AgentSession | undefined {
    return this.sessions.get(id)
  }
  list({ cwd, cursor }: { cwd?: string; cursor?: string }): Promise<SessionPage> {
    const all = [...this.sessions.values()].filter((session) => cwd === undefined || session.cwd === cwd)
    const from = cursor === undefined ? 0 : Number(cursor)
    const sessions = all
      .slice(from, from + this.pageSize)
      .map(({ id, cwd: place, roots, title }): SessionSummary => ({
        id,
        cwd: place,
        roots: [...roots],
        ...(title !== undefined && { title }),
        updatedAt: '2026-01-01T00:00:00.000Z',
      }))
    const next = from + this.pageSize
    return Promise.resolve({ sessions, ...(next < all.length && { nextCursor: String(next) }) })
  }
  async remove(id: string): Promise<void> {
    await this.sessions.get(id)?.close()
    this.sessions.delete(id)
    this.stored.delete(id)
  }
  async dispose(): Promise<void> {
    await Promise.all([...this.sessions.values()].map((session) => session.close()))
  }
}
