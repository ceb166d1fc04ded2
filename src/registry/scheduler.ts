// The scheduler: only bodies overlap. Policy and commits keep the order of submission (agent.md §3).
import type { PreparedCall } from './pipeline.ts'
import type { Registry } from './registry.ts'
import type { ToolExecutionInput, ToolExecutionResult } from './types.ts'

export interface SchedulerOptions {
  /** Bodies at a time; default 10. */
  parallel?: number
  /**
   * Milliseconds after the abort of a call's signal at which its body is given up: its result is then `ABORTED`, and
   * what it still does is never settled. Default: never.
   */
  abandonAfterMs?: number
  /** Awaited for each result, one at a time, in the order of submission. A throw rejects that call's promise. */
  commit?(input: ToolExecutionInput, result: ToolExecutionResult): void | Promise<void>
}

export interface Scheduler {
  /** Settles when the call is committed. Rejects only when its input is malformed or its commit threw. */
  submit(input: ToolExecutionInput): Promise<ToolExecutionResult>
}

interface Job {
  readonly input: ToolExecutionInput
  readonly done: PromiseWithResolvers<ToolExecutionResult>
}
interface Running extends Job {
  readonly call: PreparedCall
  readonly exclusive: boolean
  /** Whether the body is over: settled, given up, or never there. */
  over: boolean
  abandoned: boolean
  readonly ended: PromiseWithResolvers<void>
}

export function createScheduler(registry: Registry, options: SchedulerOptions = {}): Scheduler {
  return new Queue(registry, options)
}

/** One lane for everything but bodies: it commits what is next in order, else starts what may start. */
class Queue implements Scheduler {
  readonly #registry: Registry
  readonly #options: SchedulerOptions
  readonly #waiting: Job[] = []
  /** Started and not yet committed, in order. */
  readonly #running: Running[] = []
  #active = false

  constructor(registry: Registry, options: SchedulerOptions) {
    this.#registry = registry
    this.#options = options
  }

  submit(input: ToolExecutionInput): Promise<ToolExecutionResult> {
    const job: Job = { input, done: Promise.withResolvers() }
    this.#waiting.push(job)
    this.#wake()
    return job.done.promise
  }

  #wake(): void {
    if (this.#active) return
    this.#active = true
    queueMicrotask(() => void this.#work())
  }

  async #work(): Promise<void> {
    for (;;) {
      const first = this.#running[0]
      if (first?.over) await this.#commit(first)
      else if (this.#mayStart()) await this.#start()
      else break
    }
    this.#active = false
  }

  #mayStart(): boolean {
    const next = this.#waiting[0]
    if (next === undefined) return false
    if (this.#running.length === 0) return true
    // After a cancel nothing starts before what has started is committed.
    if (next.input?.signal?.aborted) return false
    const bodies = this.#running.filter((job) => !job.over).length
    return (
      bodies < (this.#options.parallel ?? 10) &&
      !this.#running.some((job) => job.exclusive) &&
      this.#registry.executionMode(next.input) === 'parallel'
    )
  }

  async #start(): Promise<void> {
    const job = this.#waiting.shift()
    if (job === undefined) return
    const alone = this.#running.length === 0
    try {
      // Beside others only what has just been asked may start.
      let exclusive = alone && this.#registry.executionMode(job.input) !== 'parallel'
      const call = await this.#registry.prepare(job.input)
      // Policy may have taken its time: the class that counts is the one just before the body starts.
      exclusive ||= this.#registry.executionMode(job.input) !== 'parallel'
      const running: Running = {
        ...job,
        call,
        exclusive,
        over: !call.runs,
        abandoned: false,
        ended: Promise.withResolvers(),
      }
      this.#running.push(running)
      if (running.over) return
      if (exclusive && !alone) await this.#drainBefore(running)
      this.#run(running)
    } catch (thrown) {
      job.done.reject(thrown)
    }
  }

  /** A call that turned exclusive while it was prepared waits here until all earlier ones are committed. */
  async #drainBefore(running: Running): Promise<void> {
    for (let first = this.#running[0]; first !== undefined && first !== running; first = this.#running[0]) {
      if (!first.over) await first.ended.promise
      await this.#commit(first)
    }
  }

  #run(job: Running): void {
    const finish = (): void => {
      release()
      job.over = true
      job.ended.resolve()
      this.#wake()
    }
    const release = onAbandon(job.input.signal, this.#options.abandonAfterMs, () => {
      job.abandoned = !job.over
      if (job.abandoned) job.call.abandon()
      finish()
    })
    void job.call.dispatch().then(finish, finish)
  }

  async #commit(job: Running): Promise<void> {
    try {
      const result = job.abandoned ? job.call.abandon() : await job.call.settle()
      await this.#options.commit?.(job.input, result)
      job.done.resolve(result)
    } catch (thrown) {
      job.done.reject(thrown)
    } finally {
      this.#running.shift()
    }
  }
}

/** Calls `giveUp` so long after the abort of the signal, unless released before. */
function onAbandon(signal: AbortSignal, afterMs: number | undefined, giveUp: () => void): () => void {
  if (afterMs === undefined) return () => undefined
  let timer: NodeJS.Timeout | undefined
  const begin = (): void => {
    timer = setTimeout(giveUp, afterMs)
  }
  if (signal.aborted) begin()
  else signal.addEventListener('abort', begin, { once: true })
  return () => {
    clearTimeout(timer)
    signal.removeEventListener('abort', begin)
  }
}
