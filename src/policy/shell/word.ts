// Words of a command line, as far as they are known before the line runs.
import type { DoubleQuotedChild, Word, WordPart } from 'unbash'

export type ShellWord =
  /** Exactly this one argument. */
  | { kind: 'static'; value: string }
  /** Names of files. `pattern` matches at least what the shell matches: `*` stands for any run of characters. */
  | { kind: 'glob'; prefix: string; pattern: string; text: string }
  /** One argument of digits: `$?`, `$#`, `$$`, `$!`. */
  | { kind: 'number'; text: string }
  /** Any arguments, none included. */
  | { kind: 'dynamic'; text: string }

const BRACES = /\{[^}]*(?:,|\.\.)/
const WILDCARD = /[*?]|\[(?=.)/s
const TILDE = /(?:^|[=:])~/
const DIGITS = /^\$[?#$!]$|^\$\{[?#$!]\}$/

/** Total. What can't be told apart with certainty is dynamic. */
export function readWord(word: Word): ShellWord {
  const dynamic: ShellWord = { kind: 'dynamic', text: word.text }
  if (TILDE.test(word.text)) return dynamic
  const { parts } = word
  if (parts === undefined) {
    return isPlain(word.text) ? { kind: 'static', value: word.value } : dynamic
  }
  if (parts.length === 1 && DIGITS.test(unquoted(word.text))) return { kind: 'number', text: word.text }
  const pieces = parts.map(readPart)
  if (pieces.includes(undefined)) return dynamic
  const known = pieces as Piece[]
  if (!known.some((piece) => piece.wild)) return { kind: 'static', value: known.map(({ text }) => text).join('') }
  const first = known.findIndex((piece) => piece.wild)
  return {
    kind: 'glob',
    prefix: known.slice(0, first).map(({ text }) => text).join(''),
    pattern: known.map((piece) => (piece.wild ? '*' : piece.text)).join(''),
    text: word.text,
  }
}

interface Piece {
  text: string
  wild: boolean
}

function readPart(part: WordPart): Piece | undefined {
  switch (part.type) {
    case 'Literal':
      return isPlain(part.text) ? { text: part.value, wild: false } : undefined
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return { text: part.value, wild: false }
    case 'DoubleQuoted':
    case 'LocaleString':
      return readQuoted(part.parts)
    case 'Glob':
      return part.text.includes('/') ? undefined : { text: '*', wild: true }
    default:
      return undefined
  }
}

function readQuoted(parts: readonly DoubleQuotedChild[]): Piece | undefined {
  let text = ''
  for (const part of parts) {
    if (part.type !== 'Literal') return undefined
    text += part.value
  }
  return { text, wild: false }
}

/** Unquoted text without braces or wildcards that the parser might have seen differently. */
function isPlain(text: string): boolean {
  const bare = text.replaceAll(/\\[\s\S]/g, '')
  return !BRACES.test(bare) && (!WILDCARD.test(bare) || bare === '[')
}

function unquoted(text: string): string {
  return /^".*"$/s.test(text) ? text.slice(1, -1) : text
}
