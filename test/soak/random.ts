// Random choices that a seed repeats.
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 on, below `limit`. */
  below(limit: number): number {
    // mulberry32
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit
  }

  /** A whole number. */
  int(limit: number): number {
    return Math.floor(this.below(limit))
  }

  pick<T>(values: readonly T[]): T {
    return values[this.int(values.length)] as T
  }

  chance(share: number): boolean {
    return this.below(1) < share
  }
}
