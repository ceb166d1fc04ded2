// The turns of one session, one at a time; a cancel reaches the running one and those that wait behind it.
import type { StopReason } from '#session/event.ts'
import { AgentError } from '#agent/error.ts'
import type { AgentSession, PromptInput } from '#agent/port.ts'

interface Turn {
  cancelled: boolean
  readonly over: PromiseWithResolvers<void>
}

export class Turns {
  readonly #session: Pick<AgentSession, 'prompt' | 'cancel'>
  readonly #flush: () => void
  readonly #waiting = new Set<Turn>()
  #running: Turn | undefined

  /** `flush` sends what a turn showed, before its end is told. */
  constructor(session: Pick<AgentSession, 'prompt' | 'cancel'>, flush: () => void) {
    this.#session = session
    this.#flush = flush
  }

  /** Runs a turn, or rejects as busy; waits for one that is being cancelled. Aborting `signal` cancels. */
  async run(input: PromptInput, signal: AbortSignal, starting: () => void): Promise<StopReason> {
    const turn: Turn = { cancelled: signal.aborted, over: Promise.withResolvers<void>() }
    const onAbort = (): void => this.#stop(turn)
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      await this.#comeFirst(turn)
      if (turn.cancelled) return 'cancelled'
      starting()
      return await this.#play(turn, input)
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
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

  async #play(turn: Turn, input: PromptInput): Promise<StopReason> {
    this.#running = turn
    try {
      return await this.#session.prompt(input)
    } catch (error) {
      if (turn.cancelled) return 'cancelled'
      throw error
    } finally {
      this.#flush()
      this.#running = undefined
      turn.over.resolve()
    }
  }

  #stop(turn: Turn): void {
    turn.cancelled = true
    if (this.#running === turn) this.#session.cancel()
  }
}
