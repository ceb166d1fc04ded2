// The pacer: fewer, larger updates where things stream, and everything in order before anything else.
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { systemClock, type Clock } from '#bridge/pacing/clock.ts'
import { join, routeOf, type Stream } from '#bridge/pacing/lane.ts'

/** Milliseconds between two updates of one lane. */
const INTERVAL: Record<Stream, number> = { chat: 34, output: 50, replace: 500 }

export interface PacerOptions {
  clock?: Clock
  /** False: every update passes at once, unless the way out is congested. */
  coalesce?: boolean
  /** Whether the client does not keep up: lanes then wait and join until `wake`. */
  congested?(): boolean
}

interface Lane {
  readonly key: string
  readonly stream: Stream
  readonly owner: string | undefined
  lastSent: number
  waiting: SessionUpdate[]
  stop: (() => void) | undefined
}

/**
 * `send` is called in order and must not throw. Lanes: a chat message, and per call its live output and its replaced
 * content or title. The first update of a lane passes at once. What belongs to no lane passes at once too, behind
 * the chat and behind all that waits of its call.
 */
export class Pacer {
  readonly #send: (update: SessionUpdate) => void
  readonly #clock: Clock
  readonly #options: PacerOptions
  readonly #lanes = new Map<string, Lane>()
  #disposed = false

  constructor(send: (update: SessionUpdate) => void, options: PacerOptions = {}) {
    this.#send = send
    this.#clock = options.clock ?? systemClock
    this.#options = options
  }

  push(update: SessionUpdate): void {
    if (this.#disposed) return
    const { key, stream, owner } = routeOf(update)
    this.#empty(
      (lane) => lane.key !== key && (lane.stream === 'chat' || (owner !== undefined && lane.owner === owner)),
    )
    if (stream !== undefined) {
      if (stream === 'chat') this.#forget((lane) => lane.stream === 'chat' && lane.key !== key)
      this.#wait(this.#lane(key, stream, owner), update)
      return
    }
    this.#send(update)
    if (endsCall(update)) this.#forget((lane) => lane.owner === owner)
  }

  /** Sends everything that waits, in the order in which it began to wait. */
  flush(): void {
    this.#empty(() => true)
  }

  /** The way out is free again: lanes that waited for it go on. */
  wake(): void {
    for (const lane of this.#lanes.values()) {
      if (lane.waiting.length > 0 && !lane.stop) this.#next(lane)
    }
  }

  /** Drops what waits and stops. */
  dispose(): void {
    this.#disposed = true
    for (const lane of this.#lanes.values()) lane.stop?.()
    this.#lanes.clear()
  }

  #lane(key: string, stream: Stream, owner: string | undefined): Lane {
    const known = this.#lanes.get(key)
    if (known) return known
    const lane: Lane = { key, stream, owner, lastSent: -Infinity, waiting: [], stop: undefined }
    this.#lanes.set(key, lane)
    return lane
  }

  #wait(lane: Lane, update: SessionUpdate): void {
    if (lane.waiting.length === 0) {
      this.#lanes.delete(lane.key)
      this.#lanes.set(lane.key, lane)
    }
    lane.waiting = join(lane.stream, lane.waiting, update)
    if (lane.stop) return
    const early = this.#interval(lane.stream) - (this.#clock.now() - lane.lastSent)
    if (early <= 0) this.#next(lane)
    else lane.stop = this.#clock.after(early, () => this.#next(lane))
  }

  #interval(stream: Stream): number {
    return this.#options.coalesce === false ? 0 : INTERVAL[stream]
  }

  #next(lane: Lane): void {
    lane.stop = undefined
    if (this.#options.congested?.()) return
    const update = lane.waiting.shift()
    if (!update) return
    lane.lastSent = this.#clock.now()
    this.#send(update)
    if (lane.waiting.length === 0) return
    lane.stop = this.#clock.after(this.#interval(lane.stream), () => this.#next(lane))
  }

  #empty(matches: (lane: Lane) => boolean): void {
    if (this.#lanes.size === 0) return
    for (const lane of [...this.#lanes.values()].filter(matches)) {
      lane.stop?.()
      lane.stop = undefined
      if (lane.waiting.length > 0) lane.lastSent = this.#clock.now()
      for (const update of lane.waiting.splice(0)) this.#send(update)
    }
  }

  #forget(matches: (lane: Lane) => boolean): void {
    for (const lane of this.#lanes.values()) if (matches(lane)) this.#lanes.delete(lane.key)
  }
}

function endsCall(update: SessionUpdate): boolean {
  return 'status' in update && (update.status === 'completed' || update.status === 'failed')
}
