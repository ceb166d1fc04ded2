// Signals that end a command: the first asks it to end in order, a second one ends the process.

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Gives back what takes the listener away. It stays until then: where a library listens too, one that goes with its
 * first signal would leave the library alone with it, and end the process at once.
 */
export function onInterrupt(listener: () => void): () => void {
  let asked = false
  const receive = (signal: NodeJS.Signals): void => {
    if (asked) {
      remove()
      process.kill(process.pid, signal)
    } else {
      asked = true
      listener()
    }
  }
  const remove = (): void => {
    for (const signal of SIGNALS) process.off(signal, receive)
  }
  for (const signal of SIGNALS) process.on(signal, receive)
  return remove
}
