// The wall clock of a run: it stands still while somebody holds it.

export interface WallClock {
  /** Stops the time until the returned function is called; nested holds add up. */
  hold(): () => void
  stop(): void
}

/** Calls `expire` once, after so many milliseconds in which nobody held the clock. */
export function startWallClock(limitMs: number, expire: () => void): WallClock {
  let [left, since, holds] = [limitMs, performance.now(), 0]
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  const go = (): void => {
    since = performance.now()
    // A timer takes no more than 2^31 - 1 ms; a limit beyond that is none.
    if (left <= 0x7fffffff) timer = setTimeout(expire, left)
  }
  go()
  return {
    hold: () => {
      if (holds === 0) {
        clearTimeout(timer)
        left -= performance.now() - since
      }
      holds += 1
      let held = true
      return () => {
        if (!held) return
        held = false
        holds -= 1
        if (holds === 0 && !stopped) go()
      }
    },
    stop: () => {
      stopped = true
      clearTimeout(timer)
    },
  }
}
