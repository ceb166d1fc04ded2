// Work that is not waited for any longer than the signal lets it.

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
