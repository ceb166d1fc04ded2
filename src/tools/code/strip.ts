// TypeScript to JavaScript by Node's own stripper: positions stay, so that lines in stacks are lines of the program.
import { stripTypeScriptTypes } from 'node:module'
import type { RunFailure } from './outcome.ts'

const HEAD = '(async function (tools, console, ToolCallError) {'
const TAIL = '\n})'

export type Stripped =
  | { ok: true; source: string }
  | { ok: false; failure: RunFailure; /** It must not be used again. */ spent: boolean }

/** The program as one JavaScript expression: an async function. Total. */
export function stripProgram(code: string): Stripped {
  try {
    const source = stripTypeScriptTypes(`${HEAD}${code}${TAIL}`)
    // No text can close both brackets: what fits into each of them is the body of one function.
    stripTypeScriptTypes(`[${HEAD.slice(1)}${code}${TAIL.slice(0, -1)}]`)
    return { ok: true, source }
  } catch (thrown) {
    return { ok: false, ...failureOf(thrown) }
  }
}

function failureOf(thrown: unknown): { failure: RunFailure; spent: boolean } {
  const { code, message, stack } = thrown as Partial<Error & { code: string }>
  if (code !== 'ERR_INVALID_TYPESCRIPT_SYNTAX' && code !== 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') {
    // The parser is recursive, and is of no use once it has left its stack.
    const failure: RunFailure = {
      kind: 'exception',
      message: 'SyntaxError: the program is nested too deeply',
    }
    return { failure, spent: true }
  }
  const failure: RunFailure = {
    kind: 'exception',
    message: `SyntaxError: ${message ?? 'the program could not be read'}`,
  }
  const line = /^[^\n]*:(\d+)\n/.exec(stack ?? '')?.[1]
  return { failure: line === undefined ? failure : { ...failure, line: Number(line) }, spent: false }
}
