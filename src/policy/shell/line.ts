// Reading a command line: parser, and what no parser sees.
import { parse } from 'unbash'
import type { ShellLine } from './facts.ts'
import { visitScript } from './visit.ts'

/** UTF-16 units; nobody reads a longer line before allowing it. */
const LONGEST_LINE = 64 * 1024
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
/** Characters that look like nothing, or like a space that is none. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\p{Cs}/u

/** Total and pure. */
export function readLine(source: string): ShellLine {
  if (source.length > LONGEST_LINE) return unreadable(source, 'the command line is too long to be judged')
  try {
    const line = visitScript(source, parse(source))
    const cautions = [...textCautions(source), ...line.cautions]
    return { ...line, cautions, unreadable: line.unreadable || CONTROL.test(source) }
  } catch {
    return unreadable(source, 'the command line can not be parsed')
  }
}

function textCautions(source: string): string[] {
  const cautions: string[] = []
  if (CONTROL.test(source)) cautions.push('the command line has control characters')
  if (INVISIBLE.test(source)) cautions.push('the command line has invisible characters')
  return cautions
}

function unreadable(source: string, why: string): ShellLine {
  return { source, commands: [], redirected: [], functions: [], cautions: [why], unreadable: true }
}
