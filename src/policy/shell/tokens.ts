// Matching the words of a command with the tokens of a rule.
import type { ShellWord } from './word.ts'

/** `maybe`: it depends on words that are only known when the line runs. */
export type Match = 'yes' | 'no' | 'maybe'

/**
 * Token by token. A trailing `*` stands for any further words, none included; a `*` inside a token for any
 * characters of one word.
 */
export function matchTokens(tokens: readonly string[], words: readonly ShellWord[]): Match {
  const open = tokens.at(-1) === '*'
  const fixed = open ? tokens.slice(0, -1) : tokens
  for (const [index, token] of fixed.entries()) {
    const word = words[index]
    if (word === undefined) return 'no'
    if (word.kind === 'static') {
      if (!matchToken(token, word.value)) return 'no'
    } else if (word.kind !== 'number' || token !== '*') return 'maybe'
  }
  if (open || words.length === fixed.length) return 'yes'
  // Words that may vanish leave room for a match.
  return words.slice(fixed.length).every((word) => word.kind === 'dynamic') ? 'maybe' : 'no'
}

/** Linear; `*` matches any run of characters. */
export function matchToken(pattern: string, text: string): boolean {
  let [at, from, star, resume] = [0, 0, -1, 0]
  while (at < text.length) {
    if (pattern[from] === '*') {
      star = from++
      resume = at
    } else if (pattern[from] === text[at]) {
      from++
      at++
    } else if (star >= 0) {
      from = star + 1
      at = ++resume
    } else return false
  }
  while (pattern[from] === '*') from++
  return from === pattern.length
}
