// Questions to one person: one at a time, in the order of asking.

/** Asks when its turn has come; undefined when the signal was aborted while it waited. */
export type Queue = <T>(signal: AbortSignal, ask: () => Promise<T>) => Promise<T | undefined>

export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (signal, ask) => {
    const before = last
    const answer = turnComes(before, signal).then((came) => (came ? ask() : undefined))
    last = Promise.allSettled([before, answer])
    return answer
  }
}

async function turnComes(before: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false
  await new Promise<void>((resolve) => {
    const go = (): void => resolve()
    signal.addEventListener('abort', go, { once: true })
    void before.then(() => {
      signal.removeEventListener('abort', go)
      resolve()
    })
  })
  return !signal.aborted
}
