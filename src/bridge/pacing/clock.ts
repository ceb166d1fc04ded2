// Time as the pacer sees it: injected, so that tests never sleep.

export interface Clock {
  /** Milliseconds; monotonic. */
  now(): number
  /** Runs `work` once after `ms`; returns what calls it off. */
  after(ms: number, work: () => void): () => void
}

/** The clock of the process; its timers keep nothing alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms)
    timer.unref()
    return () => clearTimeout(timer)
  },
}
