// Watches one request: ends it on the caller's signal and when nothing is received for too long.
import { ModelError } from './error.ts'
import { untilAborted } from './until-aborted.ts'

/** Owns a timer and a listener on the caller's signal until `stop` is called. */
export class Watch {
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal
  readonly #idleMs: number
  readonly #title: string
  /** One for the whole request: it is set anew for each item, and an old one is let pass. */
  #timer: NodeJS.Timeout | undefined
  #waits = false
  #ended = false

  /** `idleMs`: longest silence, in milliseconds. */
  constructor(caller: AbortSignal, idleMs: number, title: string) {
    this.#caller = caller
    this.#idleMs = idleMs
    this.#title = title
    if (caller.aborted) this.#onAbort()
    else caller.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Aborts with a `ModelError` (`aborted` or `idle`) as its reason. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Something was received. Counts only while somebody waits for more. */
  readonly touch = (): void => {
    if (this.#waits) this.#timer?.refresh()
  }

  /** Ends the request, unless all of it was received, and lets go of the caller's signal. */
  stop(): void {
    this.#forgetTime()
    this.#caller.removeEventListener('abort', this.#onAbort)
    if (this.#ended) return
    this.#controller.abort(new ModelError('aborted', 'The request was cancelled.'))
  }

  /** The items of `source`, given up as soon as the signal aborts, however long the source takes to notice. */
  guard<T>(source: AsyncIterable<T>): AsyncIterableIterator<T> {
    const items = untilAborted(source, this.signal, () => this.signal.reason)
    let left = false
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: async () => {
        const result = await this.#wait(items.next())
        if (result.done === true && !left) this.#ended = true
        if (result.done === true) this.#forgetTime()
        return result
      },
      return: () => {
        left = true
        this.#forgetTime()
        return items.return()
      },
    }
  }

  async #wait<T>(next: Promise<T>): Promise<T> {
    this.#waits = true
    if (this.#timer) this.#timer.refresh()
    else this.#timer = setTimeout(this.#onIdle, this.#idleMs)
    try {
      return await next
    } catch (error) {
      this.#forgetTime()
      throw error
    } finally {
      this.#waits = false
    }
  }

  #forgetTime(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  readonly #onAbort = (): void => {
    this.#controller.abort(
      new ModelError('aborted', 'The request was cancelled.', { cause: this.#caller.reason }),
    )
  }

  readonly #onIdle = (): void => {
    if (!this.#waits) return
    const seconds = Math.round(this.#idleMs / 100) / 10
    this.#controller.abort(new ModelError('idle', `${this.#title} sent nothing for ${seconds} s; try again.`))
  }
}
