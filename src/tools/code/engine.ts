// The engine: where the worker's code is, the compiled WebAssembly, and a worker that is ready to run a guest.
import { readFile } from 'node:fs/promises'
import { Worker } from 'node:worker_threads'
import type { CompiledWasm, FromWorker, ToWorker, WorkerData } from './protocol.ts'

/** The standard's, which the types of Node describe without declaring it. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<CompiledWasm> }

/** In the bundle, worker and WebAssembly lie beside the chunk that this module is in. */
const BUNDLED = !import.meta.url.endsWith('.ts')

let compiled: Promise<CompiledWasm> | undefined

/** Once a process: workers share the compiled code. */
function compile(): Promise<CompiledWasm> {
  return (compiled ??= readFile(
    new URL(
      BUNDLED ? new URL('./quickjs.wasm', import.meta.url) : import.meta.resolve('quickjs-wasi/quickjs.wasm'),
    ),
  ).then((bytes) => WebAssembly.compile(bytes)))
}

export interface Engine {
  readonly pulse: Int32Array
  /** False once the worker has gone. */
  readonly alive: boolean
  post(message: ToWorker): void
  /** Replaces the listener; undefined silences the worker, which then keeps no process alive. */
  listen(listener: EngineListener | undefined): void
  stop(): Promise<void>
}

export interface EngineListener {
  message(message: FromWorker): void
  /** `why` is a sentence for the model. */
  gone(why: string): void
}

/** Settles when the worker is ready. Rejects when it could not be started. */
export async function startEngine(): Promise<Engine> {
  const shared = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const worker = spawn({ wasm: await compile(), pulse: shared })
  let listener: EngineListener | undefined
  let gone: string | undefined
  const ready = Promise.withResolvers<void>()
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'ready') ready.resolve()
    else listener?.message(message)
  })
  worker.on('error', (error) => {
    gone = outOfMemory(error) ? 'the program ran out of memory' : `the sandbox failed: ${error.message}`
  })
  worker.on('exit', () => {
    gone ??= 'the sandbox stopped'
    ready.reject(new Error(gone))
    listener?.gone(gone)
  })
  await ready.promise
  worker.unref()
  return {
    pulse: new Int32Array(shared),
    get alive() {
      return gone === undefined
    },
    post: (message) => {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is about windows
      worker.postMessage(message)
    },
    listen: (next) => {
      listener = next
      if (next === undefined) worker.unref()
      else worker.ref()
    },
    stop: async () => void (await worker.terminate()),
  }
}

function spawn(data: WorkerData): Worker {
  const worker = new Worker(new URL(BUNDLED ? './code-worker.js' : './worker.ts', import.meta.url), {
    workerData: data,
    name: 'deckhand-code',
    env: {},
    argv: [],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdin: false,
    // Taken from the process, and read into nothing: no byte of a guest may reach our own streams.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  })
  worker.stdout.resume()
  worker.stderr.resume()
  return worker
}

function outOfMemory(error: Error & { code?: string }): boolean {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
}
