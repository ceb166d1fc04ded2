// A session's equipment, made when something needs it: who opens a session does not wait for its tools.
import { AgentError } from './error.ts'
import type { Equipment } from './options.ts'

export class LateEquipment {
  readonly #make: () => Equipment
  #made: Equipment | undefined
  #ended = false

  constructor(make: () => Equipment) {
    this.#make = make
  }

  /** Throws what making it throws, and `not_found` when the session was closed before it was needed. */
  get(): Equipment {
    if (this.#made !== undefined) return this.#made
    if (this.#ended) throw new AgentError('not_found', 'this session is closed')
    return (this.#made = this.#make())
  }

  async dispose(): Promise<void> {
    this.#ended = true
    await this.#made?.dispose()
  }
}
