// A key that can be used but not printed.
import { inspect } from 'node:util'
import { conceal, HIDDEN } from './concealed.ts'

/** Holds a key. Printing or serializing it shows `[hidden]`; only `reveal` gives it, and the log hides it even then. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
    conceal(value)
  }

  /** The key itself, for a request header. Never put it into a message, a log or an event. */
  reveal(): string {
    return this.#value
  }

  toString(): string {
    return HIDDEN
  }

  toJSON(): string {
    return HIDDEN
  }

  [inspect.custom](): string {
    return HIDDEN
  }
}
