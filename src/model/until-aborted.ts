// An async iteration that ends with the signal, whether or not its source notices.
import { ModelError } from './error.ts'

/** Yields what the source yields; throws `ModelError('aborted')`, or what `reason` gives, as soon as the signal aborts. */
export function untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
  reason: () => unknown = () => new ModelError('aborted', 'the request was cancelled'),
): UntilAborted<T> {
  return new UntilAborted(source, signal, reason)
}

/** No generator, and no race with a promise that outlives every item: both cost more than most items do. */
class UntilAborted<T> implements AsyncIterableIterator<T> {
  readonly #iterable: AsyncIterable<T>
  readonly #signal: AbortSignal
  readonly #reason: () => unknown
  #source: AsyncIterator<T> | undefined
  /** Of whoever waits for the next item. */
  #waiting: PromiseWithResolvers<IteratorResult<T>> | undefined
  #over = false

  constructor(iterable: AsyncIterable<T>, signal: AbortSignal, reason: () => unknown) {
    this.#iterable = iterable
    this.#signal = signal
    this.#reason = reason
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  /** One at a time. */
  next(): Promise<IteratorResult<T>> {
    if (this.#over) return Promise.resolve({ done: true, value: undefined })
    const waiting = Promise.withResolvers<IteratorResult<T>>()
    this.#waiting = waiting
    if (this.#signal.aborted) this.#onAbort()
    else this.#ask(waiting)
    return waiting.promise
  }

  /** Does not wait for the source: one that does not notice the abort must not hold anybody. */
  return(): Promise<IteratorResult<T>> {
    this.#leave()
    this.#waiting?.resolve({ done: true, value: undefined })
    return Promise.resolve({ done: true, value: undefined })
  }

  #ask({ resolve, reject }: PromiseWithResolvers<IteratorResult<T>>): void {
    const fail = (error: unknown): void => {
      this.#end()
      reject(error)
    }
    try {
      if (this.#source === undefined) {
        this.#source = this.#iterable[Symbol.asyncIterator]()
        this.#signal.addEventListener('abort', this.#onAbort, { once: true })
      }
      this.#source.next().then((result) => {
        this.#waiting = undefined
        if (result.done === true) this.#end()
        resolve(result)
      }, fail)
    } catch (error) {
      fail(error)
    }
  }

  /** Between two items nobody is there to be told: the next one who asks is. */
  readonly #onAbort = (): void => {
    if (this.#waiting === undefined) return
    this.#waiting.reject(this.#reason())
    this.#leave()
  }

  #leave(): void {
    if (this.#over) return
    this.#end()
    try {
      this.#source?.return?.().catch(() => undefined)
    } catch {
      // It has been left all the same.
    }
  }

  #end(): void {
    this.#over = true
    this.#signal.removeEventListener('abort', this.#onAbort)
  }
}
