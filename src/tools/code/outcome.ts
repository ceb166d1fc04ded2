// What came of a run: orthogonal facts, never a throw.
import type { JsonValue } from '#json/value.ts'

export type FailureKind = 'exception' | 'timeout' | 'abort' | 'output-limit' | 'invalid-output' | 'crash'

export interface RunFailure {
  kind: FailureKind
  /** For the model, without the kind. */
  message: string
  /** In the program, from 1. */
  line?: number
}

/** The guest computed for longer than it may. */
export function overBusy(busyMs: number): RunFailure {
  const message = `the program computed for more than ${busyMs.toLocaleString('en-US')} ms without an end`
  return { kind: 'timeout', message }
}

/** `result` is absent when the program returned nothing. `logs` hold what was printed until the end, one entry a call. */
export type RunOutcome =
  | { ok: true; logs: string[]; result?: JsonValue }
  | { ok: false; logs: string[]; failure: RunFailure }
