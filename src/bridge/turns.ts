// The turns of one session, one at a time; a cancel reaches the running one and those that wait behind it.
import type { StopReason } from '#session/event.ts'
import { AgentError } from '#agent/error.ts'

interface Turn {
  cancelled: boolean
  readonly controller: AbortController
  readonly over: PromiseWithResolvers<void>
}

/** What a turn does. `signal` aborts when it is cancelled. */
export type TurnWork = (signal: AbortSignal) => Promise<StopReason>

export class Turns {
  readonly #flush: () => Promise<void>
  readonly #waiting = new Set<Turn>()
  #running: Turn | undefined

  /** `flush` sends what a turn showed, before its end is told. */
  constructor(flush: () => Promise<void>) {
    this.#flush = flush
  }

  /** Runs a turn, or rejects as busy; waits for one that is being cancelled. Aborting `signal` cancels. */
  async run(signal: AbortSignal, work: TurnWork): Promise<StopReason> {
    const turn: Turn = {
      cancelled: signal.aborted,
      controller: new AbortController(),
      over: Promise.withResolvers<void>(),
    }
    const onAbort = (): void => this.#stop(turn)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await this.#comeFirst(turn)
      if (turn.cancelled) return 'cancelled'
      return await this.#play(turn, work)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  get busy(): boolean {
    return this.#running !== undefined || this.#waiting.size > 0
  }

  cancel(): void {
    for (const turn of this.#waiting) turn.cancelled = true
    if (this.#running) this.#stop(this.#running)
  }

  /** Settles when the turn that runs now is over. */
  async idle(): Promise<void> {
    await this.#running?.over.promise
  }

  async #comeFirst(turn: Turn): Promise<void> {
    this.#waiting.add(turn)
    try {
      while (this.#running) {
        if (!this.#running.cancelled) {
          throw new AgentError('busy', 'a turn is running in this session: cancel it, or wait for its end')
        }
        await this.#running.over.promise
      }
    } finally {
      this.#waiting.delete(turn)
    }
  }

  async #play(turn: Turn, work: TurnWork): Promise<StopReason> {
    this.#running = turn
    try {
      return await work(turn.controller.signal)
    } catch (error) {
      if (turn.cancelled) return 'cancelled'
      throw error
    } finally {
      await this.#flush()
      this.#running = undefined
      turn.over.resolve()
    }
  }

  #stop(turn: Turn): void {
    turn.cancelled = true
    if (this.#running === turn) turn.controller.abort()
  }
}
