// Emits: observers are told, never obeyed. What they throw is logged and contained.
import type { EmitEvent, Listeners } from './events.ts'
import type { Layer } from './layer.ts'
import { thrownMessage } from '#json/thrown.ts'
import type { Log } from './types.ts'

/**
 * Tells every observer. Returns a promise that settles (never rejects) when all asynchronous ones have, or undefined
 * when there is nothing to wait for.
 */
export function emit<E extends EmitEvent>(
  layer: Layer,
  log: Log,
  event: E,
  ...args: Parameters<Listeners[E]>
): Promise<void> | undefined {
  const contain = (thrown: unknown): void =>
    log('error', `a listener of ${event} failed: ${thrownMessage(thrown)}`)
  const pending: Promise<void>[] = []
  for (const listener of layer.chain(event)) {
    try {
      const returned = (listener as (...given: Parameters<Listeners[E]>) => unknown)(...args)
      if (isThenable(returned)) pending.push(Promise.resolve(returned).then(() => undefined, contain))
    } catch (thrown) {
      contain(thrown)
    }
  }
  return pending.length === 0 ? undefined : Promise.all(pending).then(() => undefined)
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}

/** Takes the answer of a callback that should have been synchronous: a promise of it must not reject unheard. */
export function silence(answer: unknown): void {
  if (answer instanceof Promise) answer.catch(() => undefined)
}
