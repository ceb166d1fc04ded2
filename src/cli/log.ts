// Where the process's own log goes: stderr, or a file.
import { appendFileSync } from 'node:fs'
import { inspect } from 'node:util'
import type { Settings } from '#config/settings.ts'
import type { Log } from '#registry/types.ts'

const SEVERITY = { trace: 0, debug: 0, info: 1, warn: 2, error: 3, silent: 4 } as const

/** Never throws: a log that can't be written must not take a session down. */
export function createLog({ level, file }: Settings['log'], stderr: NodeJS.WritableStream): Log {
  return (at, message, data) => {
    if (SEVERITY[at] < SEVERITY[level]) return
    const detail = data === undefined ? '' : ` ${inspect(data, { depth: 4, breakLength: Infinity })}`
    const line = `${new Date().toISOString()} ${at} ${message}${detail}\n`
    if (file === undefined) stderr.write(`deckhand: ${line}`)
    else append(file, line, stderr)
  }
}

function append(file: string, line: string, stderr: NodeJS.WritableStream): void {
  try {
    appendFileSync(file, line)
  } catch {
    stderr.write(`deckhand: ${line}`)
  }
}
