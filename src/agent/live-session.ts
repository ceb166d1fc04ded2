// A live session: its log, its listeners, and at most one turn at a time.
import { randomUUID } from 'node:crypto'
import type { ModelSource } from '#model/port.ts'
import type { Registry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'
import type { AnyEvent, LoggedEvent, SessionEvent, StopReason } from '#session/event.ts'
import type { SessionSummary } from '#session/catalogue.ts'
import { repairEvents } from '#session/repair.ts'
import { type LogFile, SessionLog } from '#session/log.ts'
import { AgentError } from './error.ts'
import type { Equip, Equipment, Limits } from './options.ts'
import type { AgentSession, Asker, Presenters, PromptInput } from './port.ts'
import { recordCalls } from './record.ts'
import { titleOf } from './title.ts'
import { runTurn } from './turn.ts'
import { turnFailure } from './turn-failure.ts'

export interface LiveSessionInit {
  file: LogFile
  registry: Registry
  models: ModelSource
  equip: Equip
  limits: Limits
  modeId: string
  /** Where a stored session is opened now; the model and the log are told when that is another place. */
  place?: { cwd: string; roots: readonly string[] }
  /** Renews what the list of sessions says. Never rejects. */
  note(summary: SessionSummary): Promise<void>
  /** Called once, when the session is closed. */
  onClose(session: LiveSession): void
}

export class LiveSession implements AgentSession {
  readonly id: string
  readonly scope: Scope
  cwd: string
  roots: readonly string[]
  modeId: string
  title: string | undefined
  asker: Asker | undefined
  /** The turn that runs, or ran last. */
  turnId = ''
  readonly #init: LiveSessionInit
  readonly #log: SessionLog
  readonly #listeners = new Set<(event: AnyEvent) => void>()
  readonly #equipment: Equipment
  readonly #committed = new Set<string>()
  readonly #callIds = new Set<string>()
  #turn: { controller: AbortController; done: Promise<void> } | undefined
  #closing: Promise<void> | undefined

  constructor(init: LiveSessionInit) {
    const { header, events } = init.file
    this.#init = init
    this.id = header.id
    this.cwd = header.cwd
    this.roots = header.roots
    this.modeId = init.modeId
    this.#log = new SessionLog(init.file, (error) => this.#reportDiskFailure(error))
    this.#restore(events)
    if (init.place !== undefined) [this.cwd, this.roots] = [init.place.cwd, init.place.roots]
    this.scope = init.registry.scope(undefined, { sessionId: this.id, cwd: this.cwd, roots: this.roots })
    this.#equipment = init.equip({
      scope: this.scope,
      cwd: this.cwd,
      roots: this.roots,
      history: events,
      modeId: () => this.modeId,
    })
    recordCalls(this.scope, this)
    for (const event of repairEvents(events)) this.record(event)
    if (init.place !== undefined) this.record({ type: 'cwd', cwd: this.cwd, roots: [...this.roots] })
  }

  get busy(): boolean {
    return this.#turn !== undefined
  }

  /** The day of the first event, `YYYY-MM-DD`. */
  get startedOn(): string {
    return this.#log.header.createdAt.slice(0, 10)
  }

  history(): readonly LoggedEvent[] {
    return this.#log.events
  }

  subscribe(listener: (event: AnyEvent) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  setAsker(asker: Asker): void {
    this.asker = asker
  }

  presenters(toolName: string): Presenters | undefined {
    return this.#init.registry.get(toolName, this.scope)
  }

  setMode(modeId: string): void {
    if (modeId === this.modeId) return
    this.modeId = modeId
    this.record({ type: 'mode', modeId })
  }

  /** Logs an event and tells everybody. */
  record(event: SessionEvent): LoggedEvent {
    const logged = this.#log.append(event)
    this.show(logged)
    return logged
  }

  /** Tells everybody of an event that is not logged. */
  show(event: AnyEvent): void {
    for (const listener of this.#listeners) listener(event)
  }

  /** Settles when everything recorded so far has left this process. */
  written(): Promise<void> {
    return this.#log.written()
  }

  /** The id that a call goes by here: the provider's, unless that is empty or was used before. */
  uniqueCallId(given: string): string {
    const callId =
      given !== '' && !this.#callIds.has(given) ? given : `${given || 'call'}_${randomUUID().slice(0, 8)}`
    this.#callIds.add(callId)
    return callId
  }

  /** From now on the call has its result; what its body may still report is dropped. */
  commitCall(callId: string): void {
    this.#committed.add(callId)
  }

  isCommitted(callId: string): boolean {
    return this.#committed.has(callId)
  }

  async prompt(input: PromptInput): Promise<StopReason> {
    const { selected } = this.#init.models
    if (this.#closing !== undefined) throw new AgentError('not_found', 'this session is closed')
    if (this.busy)
      throw new AgentError('busy', 'a turn is running in this session: wait for its end, or cancel it')
    if (selected === undefined) throw new AgentError('auth', 'no model is configured')
    const controller = new AbortController()
    const done = Promise.withResolvers<void>()
    this.#turn = { controller, done: done.promise }
    try {
      return await this.#run(input, selected, controller.signal)
    } finally {
      this.#turn = undefined
      done.resolve()
    }
  }

  async #run(input: PromptInput, modelName: string, signal: AbortSignal): Promise<StopReason> {
    const turnId = randomUUID()
    this.turnId = turnId
    this.record({ type: 'turn_start', turnId })
    this.record({
      type: 'user_message',
      message: { id: randomUUID(), content: input.content, source: { kind: 'user' } },
      shown: input.shown,
    })
    if (this.title === undefined) this.#setTitle(titleOf(input.shown))
    try {
      const { registry, models, limits } = this.#init
      const { instructions } = this.#equipment
      const stopReason = await runTurn({
        session: this,
        registry,
        models,
        limits,
        modelName,
        instructions,
        signal,
        turnId,
      })
      this.record({ type: 'turn_end', turnId, stopReason })
      return stopReason
    } catch (thrown) {
      const failure = turnFailure(thrown)
      this.record({ type: 'turn_failed', turnId, error: failure.logged })
      throw failure.error
    } finally {
      await Promise.all([this.#log.flush(), this.#note()])
    }
  }

  cancel(): void {
    this.#turn?.controller.abort()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    this.cancel()
    await this.#turn?.done
    await this.#equipment.dispose()
    this.scope.dispose()
    await this.#log.close()
    this.#listeners.clear()
    this.#init.onClose(this)
  }

  async #note(): Promise<void> {
    const { id, cwd, title } = this
    const updatedAt = this.#log.events.at(-1)?.at ?? this.#log.header.createdAt
    await this.#init.note({
      id,
      cwd,
      roots: [...this.roots],
      updatedAt,
      ...(title !== undefined && { title }),
    })
  }

  #setTitle(title: string): void {
    if (title === '') return
    this.title = title
    this.record({ type: 'title', title })
  }

  #restore(events: readonly LoggedEvent[]): void {
    for (const event of events) {
      if (event.type === 'title') this.title = event.title
      else if (event.type === 'mode') this.modeId = event.modeId
      else if (event.type === 'tool_call' || event.type === 'call_withdrawn') this.#callIds.add(event.callId)
      else if (event.type === 'cwd') [this.cwd, this.roots] = [event.cwd, event.roots]
    }
  }

  #reportDiskFailure(error: Error): void {
    this.show({
      type: 'notice',
      severity: 'warning',
      title: 'This session can’t be saved',
      description: `Its log could not be written (${error.message}). The session goes on in memory and is lost when the editor closes it.`,
    })
  }
}
