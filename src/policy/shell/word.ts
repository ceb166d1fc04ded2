// Words of a command line, as far as they are known before the line runs.
import type { Word, WordPart } from 'unbash'

export type ShellWord =
  /** Exactly this one argument. */
  | { kind: 'static'; value: string }
  /** Names of files. `pattern` matches at least what the shell matches: `*` stands for any run of characters. */
  | { kind: 'glob'; prefix: string; pattern: string; text: string }
  /** One argument that is no option, with digits of `$?`, `$#`, `$$` or `$!` in it. */
  | { kind: 'number'; text: string }
  /** Any arguments, none included. */
  | { kind: 'dynamic'; text: string }

const BRACES = /\{[^}]*(?:,|\.\.)/
const WILDCARD = /[*?]|\[(?=.)/s
const TILDE = /(?:^|[=:])~/
const DIGITS = /^\$(?:[?#$!]|\{[?#$!]\})$/

/** Total. What can't be told apart with certainty is dynamic. */
export function readWord(word: Word): ShellWord {
  const { parts, text } = word
  const dynamic: ShellWord = { kind: 'dynamic', text }
  const bare =
    parts === undefined ? text : parts.map((part) => (part.type === 'Literal' ? part.text : '')).join('')
  if (TILDE.test(text) || !isPlain(bare)) return dynamic
  if (parts === undefined) return { kind: 'static', value: word.value }
  const pieces = parts.flatMap((part) => readPart(part) ?? UNKNOWN)
  if (pieces.some(({ kind }) => kind === 'unknown')) return dynamic
  const first = pieces.findIndex(({ kind }) => kind === 'wild')
  const prefix = joined(first < 0 ? pieces : pieces.slice(0, first))
  if (pieces.some(({ kind }) => kind === 'digits')) {
    return first >= 0 || prefix.startsWith('-') ? dynamic : { kind: 'number', text }
  }
  return first < 0
    ? { kind: 'static', value: prefix }
    : { kind: 'glob', prefix, pattern: joined(pieces), text }
}

interface Piece {
  kind: 'text' | 'wild' | 'digits' | 'unknown'
  text: string
}

const UNKNOWN: readonly Piece[] = [{ kind: 'unknown', text: '' }]

function joined(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

function readPart(part: WordPart): readonly Piece[] | undefined {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'text', text: part.value }]
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap((inner) => readPart(inner) ?? UNKNOWN)
    case 'Glob':
      return part.text.includes('/') ? undefined : [{ kind: 'wild', text: '*' }]
    case 'SimpleExpansion':
    case 'ParameterExpansion':
      return DIGITS.test(part.text) ? [{ kind: 'digits', text: '0' }] : undefined
    default:
      return undefined
  }
}

/** Unquoted text without braces or wildcards that the parser might have seen differently. */
function isPlain(text: string): boolean {
  const bare = text.replaceAll(/\\[\s\S]/g, '')
  return !BRACES.test(bare) && (!WILDCARD.test(bare) || bare === '[')
}
