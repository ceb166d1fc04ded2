// An async iteration that ends with the signal, whether or not its source notices.
import { ModelError } from './error.ts'

/** Yields what the source yields; throws `ModelError('aborted')`, or what `reason` gives, as soon as the signal aborts. */
export function untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  reason: () => unknown = () => new ModelError('aborted', 'the request was cancelled'),
): AsyncIterableIterator<T> {
  return new UntilAborted(source[Symbol.asyncIterator](), signal, reason)
}

/** No generator, and no race with a promise that outlives every item: both cost more than most items do. */
class UntilAborted<T> implements AsyncIterableIterator<T> {
  readonly #source: AsyncIterator<T>
  readonly #signal: AbortSignal
  readonly #reason: () => unknown
  #giveUp: ((reason: unknown) => void) | undefined
  #over = false

  constructor(source: AsyncIterator<T>, signal: AbortSignal, reason: () => unknown) {
    this.#source = source
    this.#signal = signal
    this.#reason = reason
    signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  next(): Promise<IteratorResult<T>> {
    if (this.#over) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve, reject) => {
      this.#giveUp = reject
      if (this.#signal.aborted) return this.#onAbort()
      this.#source.next().then(
        (result) => {
          this.#giveUp = undefined
          if (result.done === true) this.#end()
          resolve(result)
        },
        (error: unknown) => {
          this.#end()
          reject(error)
        },
      )
    })
  }

  /** Does not wait for the source: one that does not notice the abort must not hold anybody. */
  return(): Promise<IteratorResult<T>> {
    this.#leave()
    return Promise.resolve({ done: true, value: undefined })
  }

  readonly #onAbort = (): void => {
    const giveUp = this.#giveUp
    // Between two items nobody is there to be told: the next one who asks is.
    if (giveUp === undefined) return
    this.#leave()
    giveUp(this.#reason())
  }

  #leave(): void {
    if (this.#over) return
    this.#end()
    void this.#source.return?.().catch(() => undefined)
  }

  #end(): void {
    this.#over = true
    this.#signal.removeEventListener('abort', this.#onAbort)
  }
}
