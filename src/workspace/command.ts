// A command line that is to be run, and how it ended.
import type { OutputConsumer } from './command-output.ts'

export interface ShellCommand extends OutputConsumer {
  command: string
  /** Absolute. */
  cwd: string
  /** From the start until everything is asked to end; no limit where it is absent. */
  timeoutMs?: number
  /** Ends the command the same way. */
  signal: AbortSignal
}

/** How the command ended: independent facts. */
export interface ShellResult {
  /** null when a signal ended the shell. */
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  aborted: boolean
  /** Clean text: head and tail (`INLINE_OUTPUT`). */
  output: string
  /** Bytes of clean text between head and tail that were let go. */
  omitted: number
  /** Absolute path of the file with all of the output, up to `MAX_OUTPUT_FILE`, where it was too long. */
  outputFile?: string
  /** Processes that the shell left behind, and that were ended. */
  leftBehind: number
}

/** The shell could not be started, or not be confined as configured. */
export class ShellStartError extends Error {
  override readonly name = 'ShellStartError'
}
