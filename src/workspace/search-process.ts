// A searching process whose records are read as they come, under a cap of time and of output.
import { StringDecoder } from 'node:string_decoder'
import type { execa as Execa } from 'execa'

export interface SearchProgram {
  file: string
  args: readonly string[]
  cwd: string
  /** What ends a record. */
  separator: '\0' | '\n'
  signal: AbortSignal
  /** What is left of the caps, where earlier programs have used some. */
  caps?: SearchCaps
}

export interface SearchCaps {
  /** Milliseconds. */
  time: number
  /** Characters; what ripgrep prints is mostly ASCII. */
  output: number
}

export interface SearchRun {
  exitCode: number | undefined
  /** False when a cap ended it, or a record was too long to be held. */
  complete: boolean
  /** What it took of the caps. */
  used: SearchCaps
  /** At least one record came. */
  produced: boolean
  /** What stood behind the last record. */
  rest: string
  /** The beginning of it. */
  stderr: string
}

/** The program can't be started at all. */
export class SearchStartError extends Error {
  override readonly name = 'SearchStartError'
}

export const SEARCH_CAPS: SearchCaps = { time: 30_000, output: 20_000_000 }
const LONGEST_RECORD = 20_000_000
const STDERR_CAP = 16_384

/**
 * Calls `onRecord` with each whole record as UTF-8 text, what is none replaced; an answer of `false` keeps its bytes
 * off the cap. Rejects with the signal's reason, or with what `onRecord` throws; the process is gone then.
 */
export async function runCapped(
  program: SearchProgram,
  onRecord: (record: string) => boolean | void,
): Promise<SearchRun> {
  const { file, separator, signal, caps = SEARCH_CAPS } = program
  signal.throwIfAborted()
  const { execa } = await import('execa')
  const begun = performance.now()
  const run = start(execa, program)
  const splitter = createSplitter(separator, onRecord)
  try {
    for await (const chunk of run.stdout) {
      splitter.push(chunk)
      if (splitter.taken() > caps.output) break
    }
  } catch (error) {
    run.kill()
    await run
    signal.throwIfAborted()
    throw error
  }
  const capped = splitter.taken() > caps.output
  if (capped) run.kill()
  const { exitCode, timedOut, stderr, originalMessage } = await run
  signal.throwIfAborted()
  if (run.pid === undefined)
    throw new SearchStartError(`${file} did not start: ${originalMessage ?? 'unknown reason'}`)
  const complete = !timedOut && !splitter.skipped() && !capped
  return {
    exitCode,
    complete,
    used: { time: performance.now() - begun, output: splitter.taken() },
    produced: splitter.produced(),
    rest: splitter.rest(),
    stderr: Buffer.from(stderr).toString('utf8'),
  }
}

function start(execa: typeof Execa, { file, args, cwd, signal, caps = SEARCH_CAPS }: SearchProgram) {
  return execa(file, args, {
    cwd,
    stdin: 'ignore',
    encoding: 'buffer',
    buffer: { stdout: false, stderr: true },
    maxBuffer: { stderr: STDERR_CAP },
    reject: false,
    timeout: Math.max(1, Math.round(caps.time)),
    killSignal: 'SIGKILL',
    cancelSignal: signal,
  })
}

/** Cuts chunks into records; one that is too long to be held is skipped. Lengths are those of the text. */
function createSplitter(separator: '\0' | '\n', onRecord: (record: string) => boolean | void) {
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let taken = 0
  let produced = false
  let skipped = false
  const take = (record: string): void => {
    produced = true
    if (record.length > LONGEST_RECORD) skipped = true
    else if (onRecord(record) !== false) taken += record.length + 1
  }
  return {
    push(chunk: Uint8Array): void {
      const [first = '', ...others] = decoder
        .write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        .split(separator)
      // Of a record that is too long its length alone is of interest.
      rest = rest.length > LONGEST_RECORD ? rest : rest + first
      const last = others.pop()
      if (last === undefined) return
      take(rest)
      for (const record of others) take(record)
      rest = last
    },
    taken: () => taken,
    produced: () => produced,
    skipped: () => skipped,
    rest: () => rest,
  }
}
