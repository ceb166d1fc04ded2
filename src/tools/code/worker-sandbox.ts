// The sandbox over worker threads: one run a worker at a time, one worker kept warm between runs.
import { Buffer } from 'node:buffer'
import type { JsonValue } from '#json/value.ts'
import { type Engine, startEngine } from './engine.ts'
import { MAX_PROGRAM_BYTES } from './limits.ts'
import { overBusy, type RunFailure, type RunOutcome } from './outcome.ts'
import type { FromWorker, GuestEnd } from './protocol.ts'
import type { Program, Sandbox } from './sandbox.ts'

/** Milliseconds that a guest may compute beyond its limit, in one go that the engine can't interrupt. */
const GRACE_MS = 1000
const LOOK_MS = 200

export function createSandbox(): Sandbox {
  return new WorkerSandbox()
}

class WorkerSandbox implements Sandbox {
  readonly #engines = new Set<Engine>()
  #idle: Promise<Engine | undefined> | undefined
  #runs = 0
  #disposed = false

  async run(program: Program): Promise<RunOutcome> {
    const bytes = Buffer.byteLength(program.code)
    if (bytes > MAX_PROGRAM_BYTES) {
      const message = `the program has ${bytes.toLocaleString('en-US')} bytes; at most ${MAX_PROGRAM_BYTES.toLocaleString('en-US')} are run`
      return { ok: false, logs: [], failure: { kind: 'exception', message } }
    }
    if (program.signal.aborted) return { ok: false, logs: [], failure: ABORTED }
    const engine = await this.#take()
    if (engine === undefined || program.signal.aborted) {
      if (engine !== undefined) this.#giveBack(engine)
      const failure = program.signal.aborted ? ABORTED : NO_ENGINE
      return { ok: false, logs: [], failure }
    }
    const { outcome, spent } = await runOn(engine, (this.#runs += 1), program)
    if (spent) {
      await this.#retire(engine)
      this.warm()
    } else this.#giveBack(engine)
    return outcome
  }

  warm(): void {
    if (!this.#disposed) this.#idle ??= this.#start()
  }

  async dispose(): Promise<void> {
    this.#disposed = true
    await this.#idle
    this.#idle = undefined
    await Promise.all([...this.#engines].map((engine) => this.#retire(engine)))
  }

  async #take(): Promise<Engine | undefined> {
    if (this.#disposed) return undefined
    const idle = this.#idle
    this.#idle = undefined
    const engine = await idle
    if (engine?.alive) return engine
    if (engine !== undefined) this.#engines.delete(engine)
    return this.#start()
  }

  #giveBack(engine: Engine): void {
    if (this.#idle !== undefined || this.#disposed) void this.#retire(engine)
    else this.#idle = Promise.resolve(engine)
  }

  async #start(): Promise<Engine | undefined> {
    try {
      const engine = await startEngine()
      if (!this.#disposed) {
        this.#engines.add(engine)
        return engine
      }
      await engine.stop()
      return undefined
    } catch {
      return undefined
    }
  }

  async #retire(engine: Engine): Promise<void> {
    this.#engines.delete(engine)
    await engine.stop()
  }
}

const ABORTED: RunFailure = { kind: 'abort', message: 'the run was cancelled' }
const NO_ENGINE: RunFailure = { kind: 'crash', message: 'the sandbox could not be started' }

/** One run on one worker. Never rejects; `spent` says that the worker is gone or must go. */
function runOn(
  engine: Engine,
  run: number,
  program: Program,
): Promise<{ outcome: RunOutcome; spent: boolean }> {
  const { promise, resolve } = Promise.withResolvers<{ outcome: RunOutcome; spent: boolean }>()
  const logs: string[] = []
  const finish = (outcome: RunOutcome, spent: boolean): void => {
    clearInterval(watch)
    program.signal.removeEventListener('abort', abort)
    engine.listen(undefined)
    resolve({ outcome, spent })
  }
  const fail = (failure: RunFailure): void => finish({ ok: false, logs, failure }, true)
  const abort = (): void => fail(ABORTED)
  const watch = watchdog(engine.pulse, program.limits.busyMs, fail)
  const message = (received: FromWorker): void => {
    if (received.type === 'ready' || received.run !== run) return
    if (received.type === 'logs') logs.push(...received.lines)
    else if (received.type === 'end') finish(outcomeOf(received.end, logs), received.end.spent)
    else void answer(engine, run, program, received)
  }
  engine.listen({ message, gone: (why) => fail({ kind: 'crash', message: why }) })
  program.signal.addEventListener('abort', abort, { once: true })
  const { code, toolNames, limits } = program
  const { memoryBytes, busyMs, outputBytes, calls } = limits
  engine.post({ type: 'run', run, code, toolNames, limits: { memoryBytes, busyMs, outputBytes, calls } })
  return promise
}

/** Ends a guest that computes in one go for longer than it may at all: native code that the engine can't interrupt. */
function watchdog(pulse: Int32Array, busyMs: number, fail: (failure: RunFailure) => void): NodeJS.Timeout {
  let [beat, since] = [Atomics.load(pulse, 0), performance.now()]
  return setInterval(() => {
    const now = Atomics.load(pulse, 0)
    if (now !== beat || now % 2 === 0) [beat, since] = [now, performance.now()]
    else if (performance.now() - since > busyMs + GRACE_MS) fail(overBusy(busyMs))
  }, LOOK_MS)
}

async function answer(
  engine: Engine,
  run: number,
  program: Program,
  { call, name, json }: Extract<FromWorker, { type: 'call' }>,
): Promise<void> {
  const answered = await program.call(name, JSON.parse(json) as JsonValue)
  const text = answered.ok ? JSON.stringify(answered.value) : answered.message
  engine.post({ type: 'answer', run, call, ok: answered.ok, text })
}

function outcomeOf(end: GuestEnd, logs: string[]): RunOutcome {
  if (!end.ok) return { ok: false, logs, failure: end.failure }
  return { ok: true, logs, ...(end.json !== undefined && { result: JSON.parse(end.json) as JsonValue }) }
}
