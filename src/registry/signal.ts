// Signals: fusing two without leaving a listener behind on either.

export interface Fused {
  readonly signal: AbortSignal
  /** Takes the listeners off again. */
  release(): void
}

const nothing = (): void => undefined

/** One signal that aborts when either does; the same object when both are the same. */
export function fuseSignals(caller: AbortSignal, installed: AbortSignal): Fused {
  if (caller === installed) return { signal: caller, release: nothing }
  const controller = new AbortController()
  const sources = [caller, installed]
  const forward = (): void => controller.abort(sources.find((source) => source.aborted)?.reason)
  if (caller.aborted || installed.aborted) {
    forward()
    return { signal: controller.signal, release: nothing }
  }
  for (const source of sources) source.addEventListener('abort', forward, { once: true })
  return {
    signal: controller.signal,
    release: () => {
      for (const source of sources) source.removeEventListener('abort', forward)
    },
  }
}
