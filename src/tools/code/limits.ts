// The limits of one run. Each is a positive number; a program that reaches one ends with the kind named here.

export interface RunLimits {
  /** Bytes of the guest's heap (`crash`). */
  memoryBytes: number
  /** Milliseconds that the guest may compute, waits left out (`timeout`). */
  busyMs: number
  /** Milliseconds from start to end, the preparation of nested calls left out: never while a person is asked (`timeout`). */
  wallMs: number
  /** Bytes of printed lines and of the result together (`output-limit`). */
  outputBytes: number
  /** Nested calls; one more is refused with a `ToolCallError`. */
  calls: number
}

export const RUN_LIMITS: RunLimits = {
  memoryBytes: 64 * 1024 * 1024,
  busyMs: 60_000,
  wallMs: 10 * 60_000,
  outputBytes: 1024 * 1024,
  calls: 1000,
}

/** Bytes of a program's text. */
export const MAX_PROGRAM_BYTES = 512 * 1024
