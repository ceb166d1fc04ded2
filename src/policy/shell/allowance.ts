// Whether a command line may run unasked: every simple command of it by a rule, a remembered grant, or the read-only table.
import { alwaysAsks } from './always-ask.ts'
import { canonicalText } from './canonical.ts'
import type { Redirected, ShellLine, SimpleCommand } from './facts.ts'
import { readingOf } from './reader.ts'
import type { PathNeed } from './reading.ts'
import { matchTokens } from './tokens.ts'
import type { ShellWord } from './word.ts'
import { isTransparent, nameOf, strip } from './wrappers.ts'

export interface Allowed {
  /** Allow rules, as tokens. */
  rules: readonly (readonly string[])[]
  /** Remembered simple commands, in canonical spelling. */
  commands: ReadonlySet<string>
  /** Remembered whole lines. */
  lines: ReadonlySet<string>
}

export const NOTHING_ALLOWED: Allowed = { rules: [], commands: new Set(), lines: new Set() }

/** A command that may run if these paths are ones that may be looked at. */
export interface OnCondition {
  command: SimpleCommand
  paths: readonly PathNeed[]
  /** And if no repository that the project itself made up is around. */
  git: boolean
}

export interface Opened {
  /** `undefined`: by a compound command. */
  command: SimpleCommand | undefined
  redirected: Redirected
  /** Remembered together with its command. */
  remembered: boolean
}

export interface Allowance {
  /** Why it must be asked about whatever is allowed. */
  cautions: readonly string[]
  /** Commands that nothing allows. */
  unlisted: readonly SimpleCommand[]
  onCondition: readonly OnCondition[]
  opened: readonly Opened[]
  /** It changes directory: relative paths in it are not known. */
  moves: boolean
}

const MOVES: ReadonlySet<string> = new Set(['cd', 'pushd', 'popd'])

/** Pure. The line may run if there are no cautions, nothing is unlisted, and the paths of the rest are in order. */
export function allowanceOf(line: ShellLine, allowed: Allowed): Allowance {
  const cautions = [...line.cautions, ...line.commands.flatMap(({ words }) => commandCautions(words))]
  if (
    line.functions.some((name) => name === '' || line.commands.some(({ words }) => nameOf(words[0]) === name))
  ) {
    cautions.push('it calls a function that it defines')
  }
  const moves = line.commands.some(({ words }) => MOVES.has(nameOf(words[0])))
  const whole = allowed.lines.has(line.source.trim())
  const result = { unlisted: [] as SimpleCommand[], onCondition: [] as OnCondition[], opened: [] as Opened[] }
  for (const redirected of line.redirected)
    result.opened.push({ command: undefined, redirected, remembered: whole })
  for (const command of line.commands) {
    const text = canonicalText(command)
    const remembered = whole || (!moves && text !== undefined && allowed.commands.has(text))
    for (const redirected of command.redirected) result.opened.push({ command, redirected, remembered })
    if (remembered || command.words.length === 0) continue
    const verdict = judge([...command.timed.map(wordOf), ...command.words], allowed, moves)
    if (verdict === undefined) result.unlisted.push(command)
    else if (verdict.paths.length > 0 || verdict.git) result.onCondition.push({ command, ...verdict })
  }
  return { ...result, cautions: [...new Set(cautions)], moves }
}

function wordOf(value: string): ShellWord {
  return { kind: 'static', value }
}

interface Verdict {
  paths: readonly PathNeed[]
  git: boolean
}

const FREE: Verdict = { paths: [], git: false }

function judge(words: readonly ShellWord[], allowed: Allowed, moves: boolean): Verdict | undefined {
  if (words[0]?.kind !== 'static') return undefined
  const matching = allowed.rules.filter((rule) => matchTokens(rule, words) === 'yes')
  // A rule without wildcards names the inner command as well.
  if (matching.some((rule) => !rule.some((token) => token.includes('*')))) return FREE
  const stripped = isTransparent(words) ? strip(words) : ({ kind: 'none' } as const)
  if (stripped.kind === 'unclear') return undefined
  if (stripped.kind === 'inner')
    return matching.length > 0 ? judge(stripped.words, allowed, moves) : undefined
  if (matching.length > 0) return FREE
  const reading = readingOf(words)
  if (reading === undefined || (moves && !reading.anywhere)) return undefined
  return reading
}

/** For the command and what its wrappers run. */
function commandCautions(words: readonly ShellWord[]): string[] {
  const [first] = words
  if (first === undefined) return []
  if (first.kind !== 'static') return ['the name of a command is not known before it runs']
  const caution = alwaysAsks(words)
  const stripped = strip(words)
  const inner = stripped.kind === 'inner' ? commandCautions(stripped.words) : []
  return caution === undefined ? inner : [caution, ...inner]
}
