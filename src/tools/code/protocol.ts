// The messages between our process and the worker that the guest lives in. Only text and numbers cross.
import type { RunLimits } from './limits.ts'
import type { RunFailure } from './outcome.ts'

/** A module of WebAssembly: nothing is done with it but handing it on. */
export type CompiledWasm = object

export interface WorkerData {
  wasm: CompiledWasm
  /** Counts up when the guest begins to compute and again when it stops: odd means busy. */
  pulse: SharedArrayBuffer
}

export type ToWorker =
  | {
      type: 'run'
      run: number
      code: string
      toolNames: readonly string[]
      limits: Omit<RunLimits, 'wallMs'>
    }
  /** `text`: the value as JSON, or the message of the failure. */
  | { type: 'answer'; run: number; call: number; ok: boolean; text: string }

export type FromWorker =
  | { type: 'ready' }
  | { type: 'logs'; run: number; lines: string[] }
  /** `json`: the arguments. */
  | { type: 'call'; run: number; call: number; name: string; json: string }
  | { type: 'end'; run: number; end: GuestEnd }

/** `json` is absent when the program returned nothing. `spent`: the worker must not be used again. */
export type GuestEnd = ({ ok: true; json?: string } | { ok: false; failure: RunFailure }) & { spent: boolean }
