// Reading a command line: parser, and what no parser sees.
import { parse } from 'unbash'
import type { ShellLine } from './facts.ts'
import { visitScript } from './visit.ts'

/** UTF-16 units; nobody reads a longer line before allowing it. */
const LONGEST_LINE = 64 * 1024
/** The newline vanishes, and what stands around it joins: to an expansion, perhaps. */
const CONTINUED_WORD = /[^ \t\n]\\\n|\\$/
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/
/** Characters that look like nothing, or like a space that is none. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\p{Cs}/u

/** Total and pure. */
export function readLine(source: string): ShellLine {
  if (source.length > LONGEST_LINE) return unreadableLine(source, 'the command line is too long to be judged')
  try {
    const line = visitScript(source, parse(source))
    const cautions = [...textCautions(source), ...line.cautions]
    return {
      ...line,
      cautions,
      unreadable: line.unreadable || CONTROL.test(source) || CONTINUED_WORD.test(source),
    }
  } catch {
    return unreadableLine(source, 'the command line can not be parsed')
  }
}

function textCautions(source: string): string[] {
  const cautions: string[] = []
  if (CONTROL.test(source)) cautions.push('the command line has control characters')
  if (INVISIBLE.test(source)) cautions.push('the command line has invisible characters')
  if (CONTINUED_WORD.test(source)) cautions.push('a word of it goes on in the next line, or behind its end')
  return cautions
}

export function unreadableLine(source: string, why: string): ShellLine {
  return { source, commands: [], redirected: [], functions: [], cautions: [why], unreadable: true }
}
