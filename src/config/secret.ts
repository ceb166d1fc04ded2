// A key that can be used but not printed.
import { inspect } from 'node:util'

const HIDDEN = '[hidden]'

/** Holds a key. Printing, logging or serializing it shows `[hidden]`; only `reveal` gives it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
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
