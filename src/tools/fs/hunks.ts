// A change as people see it: the hunks that differ, three lines around them, line ends as `\n`.
import { structuredPatch, type StructuredPatchHunk } from 'diff'
import { countLines, toLf } from '#workspace/text.ts'
import { differingPart } from './differing-part.ts'

export type Hunks = {
  /** All hunks joined; null when the file did not exist. */
  oldText: string | null
  newText: string
  /** First changed line of each hunk, in the new file. */
  lines: number[]
}

const CONTEXT = 3
/** Beyond this many differing lines one hunk covers everything between the first and the last difference. */
const MAX_EDITS = 2_000

/** `before` is null when the file did not exist. `undefined`: no visible line differs. */
export function hunksOf(before: string | null, after: string): Hunks | undefined {
  if (before === null) return { oldText: null, newText: toLf(after), lines: [1] }
  if (before === after) return undefined
  const part = differingPart(before, after, CONTEXT + 1)
  const oldText = toLf(part.before)
  const newText = toLf(part.after)
  if (oldText === newText) return undefined
  const patch = structuredPatch('', '', oldText, newText, '', '', {
    context: CONTEXT,
    maxEditLength: MAX_EDITS,
  })
  const hunks = patch ? joined(patch.hunks) : enclosing(oldText, newText)
  return { ...hunks, lines: hunks.lines.map((line) => line + part.skipped) }
}

function joined(hunks: readonly StructuredPatchHunk[]): Hunks {
  return {
    oldText: hunks.map((hunk) => side(hunk, '-')).join(''),
    newText: hunks.map((hunk) => side(hunk, '+')).join(''),
    lines: hunks.map(firstChange),
  }
}

function side({ lines }: StructuredPatchHunk, own: '-' | '+'): string {
  let text = ''
  let last = ''
  for (const line of lines) {
    const mark = line.charAt(0)
    if (mark === '\\' && (last === ' ' || last === own)) text = text.slice(0, -1)
    if (mark === ' ' || mark === own) text += `${line.slice(1)}\n`
    last = mark
  }
  return text
}

function firstChange({ lines, newStart, newLines }: StructuredPatchHunk): number {
  const lead = lines.findIndex((line) => !line.startsWith(' '))
  return Math.max(1, newStart + Math.min(lead, Math.max(0, newLines - 1)))
}

function enclosing(oldText: string, newText: string): Hunks {
  const olds = splitLines(oldText)
  const news = splitLines(newText)
  const shorter = Math.min(olds.length, news.length)
  let lead = 0
  while (lead < shorter && olds[lead] === news[lead]) lead += 1
  let trail = 0
  while (trail < shorter - lead && olds.at(-1 - trail) === news.at(-1 - trail)) trail += 1
  const start = Math.max(0, lead - CONTEXT)
  const rest = Math.max(0, trail - CONTEXT)
  return {
    oldText: olds.slice(start, olds.length - rest).join(''),
    newText: news.slice(start, news.length - rest).join(''),
    lines: [Math.max(1, Math.min(lead + 1, countLines(newText)))],
  }
}

/** Each with its line end. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}
