// A diff of hunks that were joined into one text, as groups of lines with their numbers in the file.
import type { Diff } from '@agentclientprotocol/sdk'
import { changeHunks } from '#bridge/cards/patch.ts'
import { clean, openly } from './text.ts'

export interface DiffLine {
  mark: ' ' | '+' | '-'
  text: string
  /** In the new file; of a removed line, in the old one. Undefined when nobody said where the hunk is. */
  number: number | undefined
}

type Marked = Pick<DiffLine, 'mark' | 'text'>

const CONTEXT = 3

/** `starts` are the lines, in the new file, of the first change in each group; groups beyond them have no numbers. */
export function diffGroups(diff: Diff, starts: readonly number[]): DiffLine[][] {
  const groups = split(marked(diff))
  const known = diff.oldText === null || diff.oldText === undefined ? [1] : starts
  let shift = 0
  return groups.map((group, index) => {
    const start = groups.length === known.length || index === 0 ? known[index] : undefined
    const numbered = number(group, start, shift)
    shift += count(group, '+') - count(group, '-')
    return numbered
  })
}

function marked({ oldText, newText }: Diff): Marked[] {
  return changeHunks(oldText ?? '', newText, Number.MAX_SAFE_INTEGER)
    .flatMap((hunk) => hunk.lines)
    .flatMap((line) => {
      const mark = line.charAt(0)
      return mark === '+' || mark === '-' || mark === ' '
        ? [{ mark, text: clean(openly(line.slice(1).replace(/\r$/, ''))) }]
        : []
    })
}

/** Changes with twice the context between them are groups of their own; context beyond three lines is left out. */
function split(lines: readonly Marked[]): Marked[][] {
  const changes = lines.flatMap((line, index) => (line.mark === ' ' ? [] : [index]))
  const spans: { from: number; to: number }[] = []
  for (const index of changes) {
    const last = spans.at(-1)
    if (last && index - last.to <= 2 * CONTEXT) last.to = index
    else spans.push({ from: index, to: index })
  }
  return spans.map(({ from, to }) => lines.slice(Math.max(0, from - CONTEXT), to + CONTEXT + 1))
}

function number(group: readonly Marked[], start: number | undefined, shift: number): DiffLine[] {
  if (start === undefined) return group.map((line) => ({ ...line, number: undefined }))
  let after = start - group.findIndex((line) => line.mark !== ' ')
  let before = after - shift
  return group.map((line) => {
    const own = line.mark === '-' ? before : after
    if (line.mark !== '+') before++
    if (line.mark !== '-') after++
    return { ...line, number: own }
  })
}

function count(lines: readonly Marked[], mark: string): number {
  return lines.filter((line) => line.mark === mark).length
}
