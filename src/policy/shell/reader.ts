// Judging a command by the read-only table: only listed flags pass, and every word that may be a path is named.
import { READ_ONLY } from './read-only-table.ts'
import { findNeeds, testNeeds } from './reader-operands.ts'
import type { PathNeed, Reader, Reading } from './reading.ts'
import type { ShellWord } from './word.ts'
import { nameOf } from './wrappers.ts'

/** What the command looks at, if all that it does is to look; else undefined. */
export function readingOf(words: readonly ShellWord[]): Reading | undefined {
  const [first] = words
  // Only a bare name: `./ls` is somebody else's.
  if (first?.kind !== 'static' || first.value !== nameOf(first) || !Object.hasOwn(READ_ONLY, first.value))
    return undefined
  return judge(READ_ONLY[first.value] as Reader, words.slice(1))
}

function judge(reader: Reader, words: readonly ShellWord[]): Reading | undefined {
  const parsed = separate(reader, words)
  if (parsed === undefined) return undefined
  if (reader.needs && !words.some((word) => reader.needs && isText(word, reader.needs))) return undefined
  if (parsed.sub !== undefined) {
    const reading = judge(parsed.sub.reader, parsed.sub.words)
    return reading && { ...reading, git: reading.git || reader.git === true }
  }
  const paths = needsOf(reader, parsed)
  return paths && { paths, anywhere: reader.anywhere === true, git: reader.git === true }
}

interface Separated {
  flags: readonly string[]
  operands: readonly ShellWord[]
  /** Number of operands before a `--`: those that might have been options. */
  open: number
  /** Values attached to flags that name paths. */
  paths: readonly string[]
  sub?: { reader: Reader; words: readonly ShellWord[] }
}

function separate(reader: Reader, words: readonly ShellWord[]): Separated | undefined {
  if (reader.operands === 'find' || reader.operands === 'test')
    return { flags: [], operands: words, open: words.length, paths: [] }
  const listed = new Set(reader.flags.split(' '))
  const [flags, operands, paths]: [string[], ShellWord[], string[]] = [[], [], []]
  for (const [index, word] of words.entries()) {
    const value = word.kind === 'static' ? word.value : ''
    if (value === '--') {
      return { flags, paths, open: operands.length, operands: [...operands, ...words.slice(index + 1)] }
    }
    if (value.length < 2 || !value.startsWith('-') || listed.has('*')) {
      const sub =
        reader.sub !== undefined && operands.length === 0 && Object.hasOwn(reader.sub, value)
          ? reader.sub[value]
          : undefined
      if (sub) return { flags, operands, paths, open: 0, sub: { reader: sub, words: words.slice(index + 1) } }
      operands.push(word)
      continue
    }
    const known = readFlag(value, listed)
    if (known === undefined) return undefined
    flags.push(...known.flags)
    if (known.path !== undefined) paths.push(known.path)
  }
  return { flags, operands, open: operands.length, paths }
}

function readFlag(
  value: string,
  listed: ReadonlySet<string>,
): { flags: string[]; path?: string } | undefined {
  if (listed.has('-#') && /^-\d+$/.test(value)) return { flags: ['-#'] }
  if (value.startsWith('--')) {
    const [name = '', attached] = value.split(/=(.*)/s)
    if (attached === undefined)
      return ['', '?', '@'].some((mark) => listed.has(name + mark)) ? { flags: [name] } : undefined
    if (listed.has(`${name}?`)) return { flags: [name] }
    return listed.has(`${name}@`) ? { flags: [name], path: attached } : undefined
  }
  const flags: string[] = []
  for (let index = 1; index < value.length; index++) {
    const flag = `-${value[index]}`
    flags.push(flag)
    if (listed.has(flag)) continue
    if (listed.has(`${flag}?`)) return { flags }
    return listed.has(`${flag}@`)
      ? { flags, ...(index + 1 < value.length && { path: value.slice(index + 1) }) }
      : undefined
  }
  return { flags }
}

function needsOf(reader: Reader, parsed: Separated): PathNeed[] | undefined {
  const { operands } = parsed
  if (reader.needsOperand && operands.length === 0) return undefined
  if (reader.first && operands[0] !== undefined && !isText(operands[0], reader.first)) return undefined
  if (operands.length > (reader.operands === 'none' ? 0 : (reader.most ?? Infinity))) return undefined
  if (reader.each && !operands.every((word) => reader.each && isText(word, reader.each))) return undefined
  switch (reader.operands) {
    case 'none':
      return reader.sub && !parsed.flags.includes('--version') ? undefined : []
    case 'text':
      return operands.every((word) => word.kind === 'static' || word.kind === 'number') ? [] : undefined
    case 'paths':
    case 'pattern':
      return pathNeeds(reader, parsed)
    case 'find':
      return findNeeds(operands)
    case 'test':
      return testNeeds(operands)
  }
}

function isText(word: ShellWord, pattern: RegExp): boolean {
  return word.kind === 'static' && pattern.test(word.value)
}

function pathNeeds(
  { operands: kind, patternless = '', deep = false }: Reader,
  { flags, operands, open, paths }: Separated,
): PathNeed[] | undefined {
  const all = kind === 'paths' || patternless.split(' ').some((flag) => flags.includes(flag))
  const [pattern] = operands
  if (!all && pattern?.kind !== 'static') return undefined
  const needs = paths.map((path): PathNeed => ({ path, glob: false, deep: false }))
  for (const [index, word] of operands.entries()) {
    if (!all && index === 0) continue
    const need = pathNeed(word, index >= open, deep)
    if (need === undefined) return undefined
    needs.push(need, ...behindColons(need))
  }
  return deep && operands.length <= (all ? 0 : 1) ? [...needs, { path: '.', glob: false, deep: true }] : needs
}

/** `HEAD:secret` and `:0:secret` are revisions of files. */
function behindColons(need: PathNeed): PathNeed[] {
  if (need.glob) return []
  const parts = need.path.split(':')
  return parts.slice(1, 4).flatMap((_part, index) => {
    const path = parts.slice(index + 1).join(':')
    return path === '' ? [] : [{ ...need, path }]
  })
}

/** `closed`: it can't be taken for an option whatever it expands to. */
function pathNeed(word: ShellWord, closed: boolean, deep: boolean): PathNeed | undefined {
  if (word.kind === 'static') return { path: word.value, glob: false, deep }
  if (word.kind !== 'glob') return undefined
  if (!closed && (word.prefix === '' || word.prefix.startsWith('-'))) return undefined
  return { path: word.pattern, glob: true, deep }
}
