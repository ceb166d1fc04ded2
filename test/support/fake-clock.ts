// A clock that moves when told.
import type { Clock } from '#bridge/pacing/clock.ts'

export class FakeClock implements Clock {
  #now = 0
  #timers: { at: number; work: () => void }[] = []

  now(): number {
    return this.#now
  }
  after(ms: number, work: () => void): () => void {
    const timer = { at: this.#now + ms, work }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer)
    }
  }
  advance(ms: number): void {
    const end = this.#now + ms
    for (;;) {
      const next = this.#timers.filter((timer) => timer.at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (!next) break
      this.#timers = this.#timers.filter((timer) => timer !== next)
      this.#now = Math.max(this.#now, next.at)
      next.work()
    }
    this.#now = end
  }
  get waiting(): number {
    return this.#timers.length
  }
}
