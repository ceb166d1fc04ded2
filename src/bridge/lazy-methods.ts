// The methods of sessions, loaded behind the answer to `initialize`: nobody waits for their code before they are used.
import type * as methods from './session-methods.ts'

export type SessionMethods = typeof methods

let loaded: SessionMethods | undefined

/** At once when they are loaded: what follows on the wire can't overtake. */
export function withSessionMethods<T>(use: (methods: SessionMethods) => T | Promise<T>): T | Promise<T> {
  return loaded === undefined ? load().then(use) : use(loaded)
}

/** Begins to load now, without anybody waiting. */
export function warmSessionMethods(): void {
  load().catch(() => undefined)
}

async function load(): Promise<SessionMethods> {
  return (loaded = await import('./session-methods.ts'))
}
