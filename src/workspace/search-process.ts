// A searching process whose records are read as they come, under a cap of time and of output.
import { execa } from 'execa'

export interface SearchProgram {
  file: string
  args: readonly string[]
  cwd: string
  /** What ends a record. */
  separator: '\0' | '\n'
  signal: AbortSignal
}

export interface SearchRun {
  exitCode: number | undefined
  /** False when a cap ended it, or a record was too long to be held. */
  complete: boolean
  /** At least one record came. */
  produced: boolean
  /** The beginning of it. */
  stderr: string
}

const TIME_CAP_MS = 30_000
const OUTPUT_CAP = 20_000_000
const STDERR_CAP = 16_384

/**
 * Calls `onRecord` with each whole record; an answer of `false` keeps its bytes off the cap.
 * Rejects with the signal's reason, or with what `onRecord` throws; the process is gone then.
 */
export async function runCapped(
  { file, args, cwd, separator, signal }: SearchProgram,
  onRecord: (record: Buffer) => boolean | void,
): Promise<SearchRun> {
  signal.throwIfAborted()
  const run = execa(file, args, {
    cwd,
    stdin: 'ignore',
    encoding: 'buffer',
    buffer: { stdout: false, stderr: true },
    maxBuffer: { stderr: STDERR_CAP },
    reject: false,
    timeout: TIME_CAP_MS,
    killSignal: 'SIGKILL',
    cancelSignal: signal,
  })
  let bytes = 0
  let produced = false
  let skipped = false
  try {
    for await (const record of records(run.stdout, separator)) {
      produced = true
      if (record === undefined) skipped = true
      else if (onRecord(record) !== false) bytes += record.length + 1
      if (bytes > OUTPUT_CAP) break
    }
  } catch (error) {
    run.kill()
    await run
    signal.throwIfAborted()
    throw error
  }
  if (bytes > OUTPUT_CAP) run.kill()
  const { exitCode, timedOut, stderr, originalMessage } = await run
  signal.throwIfAborted()
  if (run.pid === undefined) throw new Error(`${file} did not start: ${originalMessage ?? 'unknown reason'}`)
  const complete = !timedOut && !skipped && bytes <= OUTPUT_CAP
  return { exitCode, complete, produced, stderr: Buffer.from(stderr).toString('utf8') }
}

/** `undefined` stands for a record too long to be held. */
async function* records(
  stream: AsyncIterable<Uint8Array>,
  separator: '\0' | '\n',
): AsyncGenerator<Buffer | undefined> {
  const mark = separator.charCodeAt(0)
  let parts: Buffer[] = []
  let held = 0
  for await (const chunk of stream) {
    let rest = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let at = rest.indexOf(mark); at !== -1; at = rest.indexOf(mark)) {
      yield held > OUTPUT_CAP ? undefined : Buffer.concat([...parts, rest.subarray(0, at)])
      parts = []
      held = 0
      rest = rest.subarray(at + 1)
    }
    held += rest.length
    if (held > OUTPUT_CAP) parts = []
    else parts.push(rest)
  }
}
