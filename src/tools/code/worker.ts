// The worker: one guest after the other. It has no environment, and its standard streams go nowhere.
import { parentPort, workerData } from 'node:worker_threads'
import { Guest } from './guest.ts'
import type { FromWorker, ToWorker, WorkerData } from './protocol.ts'
import { stripProgram } from './strip.ts'

const { wasm, pulse } = workerData as WorkerData
const beats = new Int32Array(pulse)
/** Lines that are gathered into one message. */
const BATCH = 64

let current: { run: number; guest: Guest } | undefined
let lines: string[] = []

function post(message: FromWorker): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is about windows
  parentPort?.postMessage(message)
}

function flush(run: number): void {
  if (lines.length === 0) return
  post({ type: 'logs', run, lines })
  lines = []
}

function start(message: Extract<ToWorker, { type: 'run' }>): void {
  const { run } = message
  const guest = new Guest(
    {
      wasm,
      beat: () => {
        // Between two beats the guest waits: what it has printed is due.
        if (Atomics.add(beats, 0, 1) % 2 !== 0) flush(run)
      },
      log: (line) => {
        lines.push(line)
        if (lines.length >= BATCH) flush(run)
      },
      call: (call, name, json) => post({ type: 'call', run, call, name, json }),
      end: (end) => {
        flush(run)
        current = undefined
        post({ type: 'end', run, end })
      },
    },
    message,
  )
  current = { run, guest }
  void guest.start()
}

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'run') start(message)
  else if (current?.run === message.run) current.guest.answer(message.call, message.ok, message.text)
})
// The first use of the stripper costs more than a run.
stripProgram('')
post({ type: 'ready' })
