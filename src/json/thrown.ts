// Thrown values of any kind, read without being hurt by them.

/** A sentence about a thrown value. Total: also for proxies and objects whose accessors throw. */
export function thrownMessage(thrown: unknown): string {
  try {
    if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
      const { message } = thrown
      if (typeof message === 'string' && message !== '') return message
      if (thrown instanceof Error) return thrown.name
    }
    const text = String(thrown)
    return text === '' ? 'unknown error' : text
  } catch {
    return 'an error that could not be printed'
  }
}

/** The code that an error of the system (`ENOENT`) or of the runtime (`ERR_…`) has; undefined for everything else. */
export function systemCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined
  return typeof thrown.code === 'string' ? thrown.code : undefined
}
