// The one spelling of a simple command: equal words and redirections give equal text, and only they do.
import type { Redirected, SimpleCommand } from './facts.ts'
import type { ShellWord } from './word.ts'

const BARE = /^[\w@%+=:,./-]+$/

/** `undefined` when its words are not known before it runs, or it is fed from the line. */
export function canonicalText({ words, redirected, timed, fed }: SimpleCommand): string | undefined {
  if (fed) return undefined
  const spelled = [...words.map(spellWord), ...redirected.map(spellRedirected)]
  if (spelled.includes(undefined)) return undefined
  return [...timed, ...spelled].join(' ')
}

function spellWord(word: ShellWord): string | undefined {
  switch (word.kind) {
    case 'static':
      return quote(word.value)
    case 'glob':
      return word.text
    case 'number':
    case 'dynamic':
      return undefined
  }
}

function spellRedirected({ operator, descriptor, target }: Redirected): string | undefined {
  return target === undefined ? undefined : `${descriptor}${operator} ${quote(target)}`
}

function quote(text: string): string {
  return BARE.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
