// The hunks between two texts, as everything that draws a change looks for them.
import { structuredPatch, type StructuredPatchHunk } from 'diff'

/** Edits that the search may look through; deterministic, unlike a timeout. */
const MAX_EDITS = 4000

/** With `context` equal lines around each; undefined when the texts differ too much to tell. Pure. */
export function hunksBetween(
  before: string,
  after: string,
  context = 3,
): readonly StructuredPatchHunk[] | undefined {
  return structuredPatch('', '', before, after, undefined, undefined, { context, maxEditLength: MAX_EDITS })
    ?.hunks
}

/** The same; where the texts differ too much, one hunk that takes all of one away and puts all of the other there. */
export function changeHunks(before: string, after: string, context?: number): readonly StructuredPatchHunk[] {
  return hunksBetween(before, after, context) ?? [wholeChange(before, after)]
}

function wholeChange(before: string, after: string): StructuredPatchHunk {
  const [old, now] = [linesOf(before), linesOf(after)]
  const lines = [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)]
  return { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** How many lines of the hunks begin with the sign. */
export function countLines(hunks: readonly StructuredPatchHunk[], sign: '+' | '-'): number {
  return hunks.flatMap(({ lines }) => lines).filter((line) => line.startsWith(sign)).length
}
