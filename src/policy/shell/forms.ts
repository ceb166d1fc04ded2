// All the commands that a line may run, raw and with wrappers taken off: what deny and ask rules are matched with.
import type { ShellLine } from './facts.ts'
import { readLine } from './line.ts'
import { readingOf } from './reader.ts'
import { innerOf } from './scripts.ts'
import { type Match, matchToken, matchTokens } from './tokens.ts'
import type { ShellWord } from './word.ts'
import { nameOf, strip } from './wrappers.ts'

interface Form {
  words: readonly ShellWord[]
  /** It is a command for sure, not words that may be one. */
  certain: boolean
}

export interface Forms {
  forms: readonly Form[]
  /** The names in the arguments of each command that does more than look: it may run what they say. */
  mentions: readonly (readonly string[])[]
  /** It may also run commands that the line does not tell. */
  unclear: boolean
}

interface Collected {
  forms: Form[]
  mentions: string[][]
  unclear: boolean
}

const DEEPEST = 12

/** Total and pure. */
export function formsOf(line: ShellLine): Forms {
  const collected: Collected = { forms: [], mentions: [], unclear: false }
  collectLine(line, collected, 0)
  return collected
}

/** How the forms match the tokens of a rule. `maybe`: that can't be ruled out. */
export function matchForms(tokens: readonly string[], { forms, mentions, unclear }: Forms): Match {
  if (tokens.length === 1 && tokens[0] === '*') return 'yes'
  let result: Match = unclear || mentions.some((names) => mentionsAll(tokens, names)) ? 'maybe' : 'no'
  for (const { words, certain } of forms) {
    const match = matchTokens(tokens, words)
    if (match === 'yes' && certain) return 'yes'
    if (match !== 'no') result = 'maybe'
  }
  return result
}

/** Whether the words of a rule stand there, in their order: `system("rm -rf x")`, `alias.x=!rm x`. */
function mentionsAll(tokens: readonly string[], names: readonly string[]): boolean {
  let at = 0
  for (const name of names) if (at < tokens.length && matchToken(tokens[at] ?? '', name)) at++
  return tokens.slice(at).every((token) => token === '*')
}

/** Subcommands of git whose texts are for people. */
const MESSAGES: ReadonlySet<string> = new Set(['commit', 'tag', 'merge', 'stash', 'notes', 'log', 'grep'])
const PLAIN = /^(?!\/)[\w./@%+:,-]*$/

/** The names in arguments that are more than one word: code, or options with a value. And programs by their path. */
function mentionedIn(words: readonly ShellWord[]): string[] {
  const [name, sub] = words
  const writes = nameOf(name) === 'git' && sub?.kind === 'static' && MESSAGES.has(sub.value)
  if (writes || readingOf(words) !== undefined) return []
  const texts = words.slice(1).map((word) => (word.kind === 'static' ? word.value : ''))
  return texts
    .filter((text) => !PLAIN.test(text))
    .flatMap((text) => text.split(/[^\w./@+-]+/))
    .map((name) => name.slice(name.lastIndexOf('/') + 1))
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
  if (stripped.kind === 'unclear' || stripped.kind === 'somewhere') {
    into.unclear ||= stripped.kind === 'unclear'
    for (let start = 1; start < words.length; start++)
      into.forms.push({ words: words.slice(start), certain: false })
  }
  const { scripts, commands, unclear } = innerOf(words, stripped.kind === 'inner' ? stripped.words : [])
  into.unclear ||= unclear
  // What is known to be run is judged by itself.
  if (stripped.kind !== 'inner' && scripts.length + commands.length === 0)
    into.mentions.push(mentionedIn(words))
  for (const script of scripts) collectLine(readLine(script), into, depth + 1)
  for (const command of commands) collectCommand(command, into, depth + 1)
}
