// Readers whose operands are a language of their own: find and test.
import type { PathNeed } from './reading.ts'
import type { ShellWord } from './word.ts'

const ALONE: ReadonlySet<string> = new Set(
  (
    '-print -print0 -ls -empty -depth -d -mount -xdev -true -false -readable -executable ' +
    '-writable -nouser -nogroup -prune -quit -not -a -and -o -or ! ( ) , -daystart -noleaf -P'
  ).split(' '),
)
const WITH_TEXT: ReadonlySet<string> = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype ' +
    '-maxdepth -mindepth -size -mtime -mmin -atime -amin -ctime -cmin -perm -user -group -uid ' +
    '-gid -links -inum -printf -used -fstype'
  ).split(' '),
)
const WITH_PATH: ReadonlySet<string> = new Set(['-newer', '-anewer', '-cnewer', '-samefile'])

/** Starting points, then tests; no action but printing. */
export function findNeeds(words: readonly ShellWord[]): PathNeed[] | undefined {
  const needs: PathNeed[] = []
  let tests = false
  for (let index = 0; index < words.length; index++) {
    const value = staticValue(words[index])
    if (value === undefined || value === '') return undefined
    if (ALONE.has(value) || WITH_TEXT.has(value) || WITH_PATH.has(value)) {
      tests ||= value !== '-P'
      if (ALONE.has(value)) continue
      const argument = staticValue(words[++index])
      if (argument === undefined) return undefined
      if (WITH_PATH.has(value)) needs.push({ path: argument, glob: false, deep: false })
    } else if (tests || value.startsWith('-')) return undefined
    else needs.push({ path: value, glob: false, deep: false })
  }
  return needs
}

const OF_FILE = /^-[abcdefghkprsuwxLSN]$/
const OF_TEXT = /^-[nz]$/
const BETWEEN_TEXTS = /^(?:=|==|!=|<|>)$/
const BETWEEN_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/
const BETWEEN_FILES = /^-(?:nt|ot|ef)$/

/** One test, negated or not. `-v` and `-R` are none of them: they evaluate their operand. */
export function testNeeds(words: readonly ShellWord[]): PathNeed[] | undefined {
  const texts = words.map((word) => (word.kind === 'number' ? '0' : staticValue(word)))
  if (texts.includes(undefined)) return undefined
  let [known, last] = [texts as string[], texts.at(-1)]
  if (last === ']') known = known.slice(0, -1)
  if (known[0] === '!') known = known.slice(1)
  const [first = '', second = '', third = ''] = known
  if (known.length === 1) return []
  if (known.length === 2) return OF_FILE.test(first) ? [path(second)] : OF_TEXT.test(first) ? [] : undefined
  if (known.length !== 3) return undefined
  if (BETWEEN_TEXTS.test(second)) return []
  if (BETWEEN_NUMBERS.test(second)) return /^-?\d+$/.test(first) && /^-?\d+$/.test(third) ? [] : undefined
  return BETWEEN_FILES.test(second) ? [path(first), path(third)] : undefined
}

function path(text: string): PathNeed {
  return { path: text, glob: false, deep: false }
}

function staticValue(word: ShellWord | undefined): string | undefined {
  return word?.kind === 'static' ? word.value : undefined
}
