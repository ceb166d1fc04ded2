// Waterfalls: awaited chains of listeners around a core, each deciding whether to go on.

type Next<R> = () => Promise<R>

/**
 * Runs `listeners`, the first being the outermost, around `core`. A listener that does not call `next` short-circuits;
 * a second `next()`, or one after the listener has settled, is an error. Settles only when everything that was started
 * has settled: a listener that forgets to await `next()` can't leave the core running behind its back.
 */
export function runWaterfall<A extends readonly unknown[], R>(
  listeners: readonly ((...args: [...A, Next<R>]) => R | Promise<R>)[],
  args: A,
  core: Next<R>,
): Promise<R> {
  const runFrom = async (index: number): Promise<R> => {
    const listener = listeners[index]
    if (listener === undefined) return core()
    let inner: Promise<R> | undefined
    let open = true
    let misused: Error | undefined
    const next: Next<R> = () => {
      if (inner === undefined && open) return (inner = runFrom(index + 1))
      misused = new Error(
        open ? 'next() was called twice' : 'next() was called after the listener had settled',
      )
      const refused = Promise.reject(misused)
      // The error is the listener's outcome as well: whoever ignores this promise must not bring the process down.
      refused.catch(() => undefined)
      return refused
    }
    try {
      const result = await listener(...args, next)
      if (misused !== undefined) throw misused
      return result
    } finally {
      open = false
      await inner?.catch(() => undefined)
    }
  }
  return runFrom(0)
}
