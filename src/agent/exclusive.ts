// One piece of work at a time: a turn, or a compaction. It can be cancelled and waited for.

export class Exclusive {
  #current: { controller: AbortController; done: Promise<void> } | undefined

  /** Cleared before the promise of `run` settles. */
  get busy(): boolean {
    return this.#current !== undefined
  }

  /** The caller has checked that nothing runs. The signal also aborts when the work is over, for what runs beside it. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const done = Promise.withResolvers<void>()
    this.#current = { controller, done: done.promise }
    try {
      return await work(controller.signal)
    } finally {
      this.#current = undefined
      controller.abort()
      done.resolve()
    }
  }

  cancel(): void {
    this.#current?.controller.abort()
  }

  /** Settles when what runs now has ended. */
  async ended(): Promise<void> {
    await this.#current?.done
  }
}
