// Names and ids as every provider takes them: what a model made up must not make later requests invalid.
import type { AssistantPart } from './message.ts'

/** Every provider takes names up to this length. */
const LONGEST_NAME = 64
/** OpenAI's Chat Completions refuses longer ids. */
const LONGEST_ID = 40

const USUAL_NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

/** Letters, digits, `_` and `-`, a letter or `_` first, at most 64 characters. */
export function toolName(name: string): string {
  if (USUAL_NAME.test(name)) return name
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_')
  if (plain === '') return 'unnamed'
  return (/^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`).slice(0, LONGEST_NAME)
}

/** Gives each call of a conversation an id that no other call has. */
export class SentCallIds {
  readonly #strict: boolean
  readonly #used = new Set<string>()
  /** Of the calls of the newest message, in order. */
  current: readonly string[] = []

  /** `strict`: only letters, digits, `_` and `-`. */
  constructor(strict: boolean) {
    this.#strict = strict
  }

  next(parts: readonly AssistantPart[]): readonly string[] {
    this.current = parts.flatMap((part) => (part.type === 'tool_call' ? [this.#fresh(part.callId)] : []))
    return this.current
  }

  #fresh(callId: string): string {
    const plain = (this.#strict ? callId.replace(/[^a-zA-Z0-9_-]/g, '_') : callId.toWellFormed()) || 'call'
    let id = plain.slice(0, LONGEST_ID).toWellFormed()
    for (let n = 2; this.#used.has(id); n++) {
      const suffix = `_${n}`
      id = plain.slice(0, LONGEST_ID - suffix.length).toWellFormed() + suffix
    }
    this.#used.add(id)
    return id
  }
}
