// One run in a heap of its own: QuickJS in WebAssembly, fed with answers, stopped at its limits.
import { thrownMessage } from '#json/thrown.ts'
import { Buffer } from 'node:buffer'
import {
  type Deferred,
  EvalFlags,
  JSException,
  type JSValueHandle,
  MAX_STACK_SIZE,
  QuickJS,
} from 'quickjs-wasi'
import { overBusy, type RunFailure } from './outcome.ts'
import { PRELUDE, PROGRAM_FILE } from './prelude.ts'
import type { CompiledWasm, GuestEnd, ToWorker } from './protocol.ts'
import { stripProgram } from './strip.ts'

export interface GuestHost {
  wasm: CompiledWasm
  /** The guest begins or stops to compute. */
  beat(): void
  log(line: string): void
  call(call: number, name: string, json: string): void
  end(end: GuestEnd): void
}

/** Lines of output are given to our process at the latest after so many characters of a message. */
const MAX_MESSAGE = 16 * 1024
const NEVER =
  'the program waits for a promise that nothing can settle: there are no timers, and no call of a tool is open'

type RunMessage = Extract<ToWorker, { type: 'run' }>

export class Guest {
  readonly #host: GuestHost
  readonly #message: RunMessage
  readonly #open = new Map<number, Deferred>()
  #vm: QuickJS | undefined
  #calls = 0
  #outputBytes = 0
  #busyMs = 0
  #since = 0
  /** Why the guest must stop, whatever it does. */
  #stop: RunFailure | undefined
  #ended = false

  constructor(host: GuestHost, message: RunMessage) {
    this.#host = host
    this.#message = message
  }

  /** Settles when the guest has computed for the first time. Never rejects. */
  async start(): Promise<void> {
    const stripped = stripProgram(this.#message.code)
    if (!stripped.ok) return this.#end({ ok: false, failure: stripped.failure, spent: stripped.spent })
    const vm = await QuickJS.create({
      wasm: this.#host.wasm,
      memoryLimit: this.#message.limits.memoryBytes,
      maxStackSize: MAX_STACK_SIZE,
      interruptHandler: () => this.#mustStop(),
      // What the engine itself would print belongs to nobody.
      wasi: () => ({ fd_write: () => 0 }),
    })
    this.#vm = vm
    this.#compute(vm, () => this.#begin(vm, stripped.source))
  }

  answer(call: number, ok: boolean, text: string): void {
    const [vm, open] = [this.#vm, this.#open.get(call)]
    this.#open.delete(call)
    if (vm === undefined || open === undefined) return
    this.#compute(vm, () => {
      using answer = vm.newString(`${ok ? '+' : '-'}${text}`)
      open.resolve(answer)
    })
  }

  #begin(vm: QuickJS, source: string): void {
    using prelude = vm.evalCode(PRELUDE, 'host')
    using program = vm.evalCode(source, PROGRAM_FILE, EvalFlags.STRICT)
    using host = this.#hostObject(vm)
    using names = vm.hostToHandle([...this.#message.toolNames])
    using run = vm.callFunction(prelude, vm.undefined, host, names)
    vm.callFunction(run, vm.undefined, program).dispose()
  }

  #hostObject(vm: QuickJS): JSValueHandle {
    const object = vm.newObject()
    const add = (name: string, work: (...texts: string[]) => JSValueHandle): void => {
      using made = vm.newFunction(name, (...args) => work(...args.map((arg) => arg.toString())))
      vm.setProp(object, name, made)
    }
    const done = (end: GuestEnd): JSValueHandle => {
      this.#finish(end)
      return vm.undefined
    }
    const failed = (failure: RunFailure): JSValueHandle => done({ ok: false, failure, spent: false })
    add('call', (name = '', json = '') => this.#call(vm, name, json))
    add('log', (line = '') => {
      if (this.#fits(line)) this.#host.log(line)
      return vm.undefined
    })
    add('fail', (message = '', stack = '') => failed(exception(message, stack)))
    add('invalid', (message = '') =>
      failed({ kind: 'invalid-output', message: `what the program returned can’t leave it: ${message}` }),
    )
    add('done', (json) =>
      json === undefined || this.#fits(json)
        ? done({ ok: true, spent: false, ...(json !== undefined && { json }) })
        : vm.undefined,
    )
    return object
  }

  #call(vm: QuickJS, name: string, json: string): JSValueHandle {
    const { calls } = this.#message.limits
    if (this.#calls >= calls) {
      return vm.newString(
        `-this run has made ${calls.toLocaleString('en-US')} calls, and more are not allowed`,
      )
    }
    this.#calls += 1
    const deferred = vm.newPromise()
    deferred.settled.catch(() => undefined)
    this.#open.set(this.#calls, deferred)
    this.#host.call(this.#calls, name, json)
    return deferred.handle
  }

  /** Whether the text still fits into the output; if not, the guest is stopped. */
  #fits(text: string): boolean {
    const { outputBytes } = this.#message.limits
    this.#outputBytes += Buffer.byteLength(text) + 1
    if (this.#outputBytes <= outputBytes) return true
    const message = `the program printed and returned more than ${outputBytes.toLocaleString('en-US')} bytes`
    this.#stop ??= { kind: 'output-limit', message }
    return false
  }

  #mustStop(): boolean {
    const { busyMs } = this.#message.limits
    if (this.#busyMs + (performance.now() - this.#since) > busyMs) this.#stop ??= overBusy(busyMs)
    return this.#stop !== undefined
  }

  /** Lets the guest compute until it waits, and ends the run when it is over. */
  #compute(vm: QuickJS, work: () => void): void {
    this.#since = performance.now()
    this.#host.beat()
    try {
      work()
      vm.executePendingJobs()
    } catch (thrown) {
      this.#finish({ ok: false, failure: fault(thrown), spent: false })
    } finally {
      this.#busyMs += performance.now() - this.#since
      this.#host.beat()
    }
    if (this.#stop !== undefined) this.#end({ ok: false, failure: this.#stop, spent: false })
    else if (this.#result !== undefined) this.#end(this.#result)
    else if (this.#open.size === 0)
      this.#end({ ok: false, failure: { kind: 'timeout', message: NEVER }, spent: false })
  }

  #result: GuestEnd | undefined

  #finish(end: GuestEnd): void {
    this.#result ??= end
  }

  #end(end: GuestEnd): void {
    if (this.#ended) return
    this.#ended = true
    this.#open.clear()
    const vm = this.#vm
    this.#vm = undefined
    try {
      vm?.dispose()
      this.#host.end(end)
    } catch {
      this.#host.end({ ...end, spent: true })
    }
  }
}

function exception(message: string, stack: string): RunFailure {
  const text = message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE)}…` : message
  if (text.startsWith('InternalError: out of memory'))
    return { kind: 'crash', message: 'the program ran out of memory' }
  const line = new RegExp(`${PROGRAM_FILE}:(\\d+)`).exec(stack)?.[1]
  return { kind: 'exception', message: text, ...(line !== undefined && { line: Number(line) }) }
}

/** What the engine threw at us: an error of the program, memory that is gone, or the engine itself. */
function fault(thrown: unknown): RunFailure {
  try {
    if (thrown instanceof JSException)
      return exception(`${thrown.name}: ${thrown.message}`, thrown.stack ?? '')
    return {
      kind: 'crash',
      message: `the sandbox failed: ${thrownMessage(thrown)}`,
    }
  } catch {
    return { kind: 'crash', message: 'the sandbox failed' }
  }
}
