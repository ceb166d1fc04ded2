// All the commands that a line may run, raw and with wrappers taken off: what deny and ask rules are matched with.
import type { ShellLine } from './facts.ts'
import { readLine } from './line.ts'
import { innerOf } from './scripts.ts'
import { type Match, matchTokens } from './tokens.ts'
import type { ShellWord } from './word.ts'
import { nameOf, strip } from './wrappers.ts'

interface Form {
  words: readonly ShellWord[]
  /** It is a command for sure, not words that may be one. */
  certain: boolean
}

export interface Forms {
  forms: readonly Form[]
  /** It may also run commands that the line does not tell. */
  unclear: boolean
}

interface Collected {
  forms: Form[]
  unclear: boolean
}

const DEEPEST = 12

/** Total and pure. */
export function formsOf(line: ShellLine): Forms {
  const collected: Collected = { forms: [], unclear: false }
  collectLine(line, collected, 0)
  return collected
}

/** How the forms match the tokens of a rule. `maybe`: that can't be ruled out. */
export function matchForms(tokens: readonly string[], { forms, unclear }: Forms): Match {
  if (tokens.length === 1 && tokens[0] === '*') return 'yes'
  let result: Match = unclear ? 'maybe' : 'no'
  for (const { words, certain } of forms) {
    const match = matchTokens(tokens, words)
    if (match === 'yes' && certain) return 'yes'
    if (match !== 'no') result = 'maybe'
  }
  return result
}

function collectLine(line: ShellLine, into: Collected, depth: number): void {
  if (line.unreadable || depth > DEEPEST) into.unclear = true
  for (const { words } of line.commands) collectCommand(words, into, depth)
}

function collectCommand(words: readonly ShellWord[], into: Collected, depth: number): void {
  const [first, ...rest] = words
  if (first === undefined) return
  if (first.kind !== 'static' || depth > DEEPEST) {
    into.unclear = true
    return
  }
  for (const name of new Set([first.value, nameOf(first), nameOf(first).toLowerCase()])) {
    into.forms.push({ words: [{ kind: 'static', value: name }, ...rest], certain: true })
  }
  const stripped = strip(words)
  if (stripped.kind === 'inner') collectCommand(stripped.words, into, depth + 1)
  if (stripped.kind === 'unclear') {
    into.unclear = true
    for (let start = 1; start < words.length; start++)
      into.forms.push({ words: words.slice(start), certain: false })
  }
  const { scripts, commands, unclear } = innerOf(words, stripped.kind === 'inner' ? stripped.words : [])
  into.unclear ||= unclear
  for (const script of scripts) collectLine(readLine(script), into, depth + 1)
  for (const command of commands) collectCommand(command, into, depth + 1)
}
