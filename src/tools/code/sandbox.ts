// The port of the sandbox: a program runs behind a real boundary and can do nothing but print, return and call.
import type { JsonValue } from '#json/value.ts'
import type { RunLimits } from './limits.ts'
import type { RunOutcome } from './outcome.ts'

export type CallAnswer = { ok: true; value: JsonValue } | { ok: false; message: string }

export interface Program {
  /** TypeScript: the body of an async function. */
  code: string
  /** The names that `tools` has of its own; others can be called, and are answered like any call. */
  toolNames: readonly string[]
  limits: Omit<RunLimits, 'wallMs'>
  /** Aborting it ends the run at once (`abort`). */
  signal: AbortSignal
  /**
   * A call of the program; its arguments are lossless JSON. Must not reject. Called in the order in which the program
   * calls; what it answers after the end of the run is dropped, and what it started is the caller's to stop.
   */
  call(name: string, args: JsonValue): Promise<CallAnswer>
}

export interface Sandbox {
  /** Never rejects. Runs may overlap; each has a heap of its own, and none sees anything of another. */
  run(program: Program): Promise<RunOutcome>
  /** Starts what the first run would have to wait for. */
  warm(): void
  /** Ends what runs (`crash`) and what is kept warm. */
  dispose(): Promise<void>
}
