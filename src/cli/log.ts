// Where the process's own log goes: stderr, or a file. Nothing secret gets there.
import { appendFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { concealCredentials, withoutSecrets } from '#config/concealed.ts'
import type { LogLevel, Settings } from '#config/settings.ts'
import { thrownMessage } from '#json/thrown.ts'
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

/** Where lines go from now on. */
interface Target {
  level: LogLevel
  file?: string
}

/** Where lines go when their file can't be written. */
const WITHOUT_FILE: Target = { level: 'warn' }

/** Never throws: a log that can't be written must not take a session down; that is told once. */
export function createLog({ log: wanted, stderr, env }: LogInit): Log {
  concealCredentials(env)
  let target: Target = wanted
  const log: Log = (at, message, data) => {
    if (SEVERITY[at] < SEVERITY[target.level]) return
    const line = withoutSecrets(
      `${new Date().toISOString()} ${at} ${message}${details(data, target.level, message)}`,
    )
    if (target.file === undefined) stderr.write(`deckhand: ${line}\n`)
    else if (!appended(target.file, `${line}\n`)) log(at, message, data)
  }
  const appended = (file: string, text: string): boolean => {
    const fault = append(file, text)
    if (fault === undefined) return true
    target = WITHOUT_FILE
    log(
      'warn',
      `DECKHAND_LOG can not be written to ${file}: ${fault}; warnings and errors are told here instead`,
    )
    return false
  }
  // A file that can't be written is told of before anybody looks for what is not in it.
  if (wanted.file !== undefined) appended(wanted.file, '')
  return log
}

/** One line, in which an error is its message, unless somebody asked for details: then also stacks and causes. */
function details(data: unknown, level: LogLevel, message: string): string {
  if (data === undefined) return ''
  const whole = SEVERITY[level] <= SEVERITY.debug
  if (!whole && data instanceof Error) return causeOf(data, message)
  try {
    const shown = inspect(data, { depth: 4, breakLength: Infinity, maxStringLength: LONGEST_STRING })
    return ` ${whole ? shown : withoutStacks(shown)}`
  } catch {
    return ' (details that can not be shown)'
  }
}

/** What the sentence does not say itself. */
function causeOf(error: Error, message: string): string {
  const cause = oneLine(thrownMessage(error)).slice(0, LONGEST_STRING)
  return message.includes(cause) ? '' : `: ${cause}`
}

function withoutStacks(text: string): string {
  return oneLine(text.replaceAll(/\n\s+at [^\n]*/g, ''))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*[\r\n]+\s*/g, ' ')
}

/** For its owner only: it tells what a person works on. Returns why it could not be done. */
function append(file: string, text: string): string | undefined {
  try {
    appendFileSync(file, text, { mode: 0o600 })
    return undefined
  } catch (error) {
    // The system's sentence, without the call and the path at its end.
    return thrownMessage(error).replace(/, \w+ '[^]*'$/, '')
  }
}
