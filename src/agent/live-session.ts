// A live session: its log, its listeners, and at most one turn at a time.
import type { AskForm } from '#registry/form.ts'
import { randomUUID } from 'node:crypto'
import type { AssistantToolCall } from '#model/message.ts'
import type { Model } from '#model/port.ts'
import type { Scope } from '#registry/scope.ts'
import type { AnyEvent, CommandSaid, LoggedEvent, SessionEvent, StopReason } from '#session/event.ts'
import { placeIn } from '#session/log.ts'
import { repairEvents } from '#session/repair.ts'
import { AgentError } from './error.ts'
import { betterTitle } from './better-title.ts'
import { CallIds } from './call-ids.ts'
import { Choices } from './choices.ts'
import { summarize } from './compaction.ts'
import { Exclusive } from './exclusive.ts'
import { rewindTurns, sessionChanges } from './file-history.ts'
import { Journal } from './journal.ts'
import { LateEquipment } from './late-equipment.ts'
import type { LiveSessionInit } from './live-session-init.ts'
import { OfferedTools } from './offered-tools.ts'
import { Person } from './person.ts'
import type {
  AgentSession,
  Asker,
  CompactionOutcome,
  FileChange,
  PlanAsker,
  Presenters,
  ProjectTrust,
  PromptInput,
  RememberedGrant,
  SessionOption,
  SessionUsage,
} from './port.ts'
import { recordCalls } from './record.ts'
import { systemPrompt } from './system-prompt.ts'
import { titleOf } from './title.ts'
import { runTurn, type Turn } from './turn.ts'
import { turnFailure } from './turn-failure.ts'
import { usageOf } from './usage.ts'

export class LiveSession implements AgentSession {
  readonly id: string
  readonly scope: Scope
  readonly cwd: string
  readonly roots: readonly string[]
  title: string | undefined
  asker: Asker | undefined
  /** The turn that runs, or ran last. */
  turnId = ''
  readonly calls: CallIds
  readonly tools: OfferedTools
  readonly #init: LiveSessionInit
  readonly #journal: Journal
  readonly #equipment: LateEquipment
  readonly #choices: Choices
  readonly #person = new Person(this)
  readonly #steering: PromptInput[] = []
  readonly #work = new Exclusive()
  #closing: Promise<void> | undefined

  constructor(init: LiveSessionInit) {
    const { header, events } = init.file
    this.#init = init
    this.id = header.id
    const place = init.place ?? placeIn(init.file)
    this.cwd = place.cwd
    this.roots = place.roots
    this.title = events.findLast((event) => event.type === 'title')?.title
    this.#journal = new Journal(init.file)
    this.calls = new CallIds(events)
    this.#choices = new Choices({ ...init, record: (event) => void this.record(event) }, events)
    this.scope = init.registry.scope(undefined, { sessionId: this.id, cwd: this.cwd, roots: this.roots })
    this.tools = new OfferedTools(init.registry, this.scope)
    this.#choices.presentIn(this.scope)
    const { id: sessionId, scope, cwd, roots } = this
    this.#equipment = new LateEquipment(() => {
      const person = this.#person.forEquipment()
      const equipment = init.equip({ sessionId, scope, cwd, roots, history: events, ...person })
      recordCalls(scope, this)
      return equipment
    })
    for (const event of repairEvents(events)) this.record(event)
    if (init.place !== undefined) this.record({ type: 'cwd', cwd: this.cwd, roots: [...this.roots] })
  }

  get busy(): boolean {
    return this.#work.busy
  }

  /** The day of the first event, `YYYY-MM-DD`. */
  get startedOn(): string {
    return this.#journal.header.createdAt.slice(0, 10)
  }

  history(): readonly LoggedEvent[] {
    return this.#journal.events
  }

  subscribe(listener: (event: AnyEvent) => void): () => void {
    return this.#journal.subscribe(listener)
  }

  setAsker(asker: Asker): void {
    this.asker = asker
  }

  setPlanAsker(asker: PlanAsker): void {
    this.#person.planAsker = asker
  }

  setForm(form: AskForm | undefined): void {
    this.#person.setForm(form)
  }

  get servers(): AgentSession['servers'] {
    return this.#equipment.get().servers
  }

  presenters(toolName: string): Presenters | undefined {
    const { presenters } = this.#equipment.get()
    return this.#init.registry.get(toolName, this.scope) ?? presenters?.(toolName)
  }

  get modeId(): string {
    return this.#choices.modeId
  }

  setMode(modeId: string): void {
    this.#choices.set('mode', modeId)
  }

  options(): SessionOption[] {
    return this.#choices.options()
  }

  setOption(id: string, value: string): void {
    this.#choices.set(id, value)
  }

  usage(): SessionUsage {
    return usageOf(this.history())
  }

  recordCommand(said: CommandSaid): void {
    this.record({ type: 'command', id: randomUUID(), ...said })
  }

  steer(input: PromptInput): boolean {
    if (!this.busy) return false
    this.#steering.push(input)
    return true
  }

  /** Whether the model has something to be told before the turn may end. */
  get hasNews(): boolean {
    return this.#steering.length > 0
  }

  /** Logs what the person has said, and what has happened beside the calls, since the last step. */
  takeNews(): void {
    for (const input of this.#steering.splice(0)) this.#logPrompt(input)
    for (const message of this.#equipment.get().news()) this.record({ type: 'user_message', message })
  }

  foresee(calls: readonly AssistantToolCall[]): void {
    this.#equipment.get().foresee?.(calls)
  }

  changes(): Promise<FileChange[]> {
    return sessionChanges(this.history(), this.#equipment.get().files)
  }

  async rewind(turns: number): Promise<{ undone: FileChange[]; skipped: string[] }> {
    this.#mustBeIdle()
    return rewindTurns(this, turns, this.#equipment.get().files)
  }

  grants(): Promise<RememberedGrant[]> {
    return this.#equipment.get().grants()
  }

  revoke(grantId: string): Promise<boolean> {
    return this.#equipment.get().revoke(grantId)
  }

  get projectTrust(): ProjectTrust {
    return this.#equipment.get().projectTrust
  }

  compact(): Promise<CompactionOutcome> {
    return this.#exclusively(async (signal) => {
      const model = await this.#loadModel()
      const system = await systemPrompt(this, () => this.#equipment.get().instructions())
      return summarize({ session: this, model, system, tools: this.tools.schemas, signal })
    })
  }

  /** Logs an event and tells everybody. */
  record(event: SessionEvent): LoggedEvent {
    return this.#journal.record(event)
  }

  /** Tells everybody of an event that is not logged. */
  show(event: AnyEvent): void {
    this.#journal.show(event)
  }

  /** Settles when everything recorded so far has left this process. */
  written(): Promise<void> {
    return this.#journal.written()
  }

  prompt(input: PromptInput): Promise<StopReason> {
    return this.#exclusively((signal) => this.#run(input, signal))
  }

  /** One turn, or compaction, at a time. */
  async #exclusively<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (this.#closing !== undefined) throw new AgentError('not_found', 'this session is closed')
    const { readOnly } = this.#init.file
    if (readOnly !== undefined) throw new AgentError('internal', readOnly)
    this.#mustBeIdle()
    if (this.#choices.model === undefined) throw new AgentError('auth', 'no model is configured')
    return this.#work.run(work)
  }

  #mustBeIdle(): void {
    if (!this.busy) return
    throw new AgentError('busy', 'a turn is running in this session: wait for its end, or cancel it')
  }

  #loadModel(): Promise<Model> {
    const { thoughtLevel, model = '' } = this.#choices
    return this.#init.models.load(model, thoughtLevel === undefined ? {} : { thoughtLevel })
  }

  #logPrompt({ content, shown }: PromptInput): void {
    const message = { id: randomUUID(), content, source: { kind: 'user' as const } }
    this.record({ type: 'user_message', message, shown })
  }

  async #run({ trace, ...input }: PromptInput, signal: AbortSignal): Promise<StopReason> {
    const turnId = randomUUID()
    this.turnId = turnId
    this.record({ type: 'turn_start', turnId })
    this.#logPrompt(input)
    if (this.title === undefined) this.#setTitle(titleOf(input.shown))
    else void betterTitle(this.#init.models, this.history(), signal).then((title) => this.#setTitle(title))
    try {
      const { registry, limits } = this.#init
      const instructions = (): Promise<string> => this.#equipment.get().instructions()
      const loadModel = (): Promise<Model> => this.#loadModel()
      const turn: Turn = { session: this, registry, limits, loadModel, instructions, signal, turnId, trace }
      const stopReason = await runTurn(turn)
      // A disk that refuses is told of inside the turn.
      await this.written()
      this.record({ type: 'turn_end', turnId, stopReason })
      return stopReason
    } catch (thrown) {
      const failure = turnFailure(thrown)
      this.record({ type: 'turn_failed', turnId, error: failure.logged })
      throw failure.error
    } finally {
      this.#steering.length = 0
      await Promise.all([this.#journal.flush(), this.#note()])
    }
  }

  cancel(): void {
    this.#work.cancel()
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close())
  }

  async #close(): Promise<void> {
    this.cancel()
    // At once: what runs is given less time now, and its results are still to be logged.
    const disposed = this.#equipment.dispose()
    await this.#work.ended()
    await disposed
    this.scope.dispose()
    await this.#journal.close()
    this.#init.onClose(this)
  }

  #note(): Promise<void> {
    const { id, cwd, roots, title } = this
    const updatedAt = this.#journal.events.at(-1)?.at ?? this.#journal.header.createdAt
    return this.#init.note({ id, cwd, roots: [...roots], updatedAt, ...(title !== undefined && { title }) })
  }

  #setTitle(title: string): void {
    if (title === '' || title === this.title) return
    this.title = title
    this.record({ type: 'title', title })
  }
}
