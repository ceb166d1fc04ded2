// An async iteration that ends with the signal, whether or not its source notices.
import { ModelError } from '#model/error.ts'

/** Yields what the source yields; throws `ModelError('aborted')` as soon as the signal aborts. */
export async function* untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void, void> {
  const stopped = Promise.withResolvers<never>()
  stopped.promise.catch(() => undefined)
  const stop = (): void => stopped.reject(new ModelError('aborted', 'the request was cancelled'))
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  const iterator = source[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = iterator.next()
      next.catch(() => undefined)
      const result = await Promise.race([next, stopped.promise])
      if (result.done) return
      yield result.value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // Not awaited: a source that does not notice the abort must not hold us.
    void iterator.return?.()?.catch(() => undefined)
  }
}

/** What the work gives, or undefined as soon as the signal aborts; the work itself goes on. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  work.catch(() => undefined)
  const stopped = Promise.withResolvers<undefined>()
  const stop = (): void => stopped.resolve(undefined)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
