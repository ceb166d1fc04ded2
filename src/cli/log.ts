// Where the process's own log goes: stderr, or a file. Nothing secret gets there.
import { appendFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { concealCredentials, withoutSecrets } from '#config/concealed.ts'
import type { Settings } from '#config/settings.ts'
import type { Log } from '#registry/types.ts'

const SEVERITY = { trace: 0, debug: 1, info: 2, warn: 3, error: 4, silent: 5 } as const

/** Characters of one text inside the details of a line. */
const LONGEST_STRING = 2000

export interface LogInit {
  log: Settings['log']
  stderr: NodeJS.WritableStream
  /** Values of variables that are named like credentials are hidden. */
  env: NodeJS.ProcessEnv
}

/** Never throws: a log that can't be written must not take a session down. */
export function createLog({ log: { level, file }, stderr, env }: LogInit): Log {
  concealCredentials(env)
  return (at, message, data) => {
    if (SEVERITY[at] < SEVERITY[level]) return
    const line = withoutSecrets(`${new Date().toISOString()} ${at} ${message}${detailOf(data)}`)
    if (file === undefined) stderr.write(`deckhand: ${line}\n`)
    else append(file, `${line}\n`, stderr)
  }
}

function detailOf(data: unknown): string {
  if (data === undefined) return ''
  try {
    return ` ${inspect(data, { depth: 4, breakLength: Infinity, maxStringLength: LONGEST_STRING })}`
  } catch {
    return ' (details that can not be shown)'
  }
}

/** For its owner only: it tells what a person works on. */
function append(file: string, line: string, stderr: NodeJS.WritableStream): void {
  try {
    appendFileSync(file, line, { mode: 0o600 })
  } catch {
    stderr.write(`deckhand: ${line}`)
  }
}
