// Finding the text that an edit names, and replacing it without touching a byte beside it.
import { dominantLineEnding, toLf, withLineEnding } from '#workspace/text.ts'

export interface Replacement {
  oldString: string
  newString: string
}

/** A text whose line ends count as `\n`, and where each of its characters stands in the original. */
interface Flattened {
  text: string
  /** Offset in the original of an offset in `text`. */
  original(offset: number): number
}

/**
 * Where `needle` stands in `text`, overlaps included: offsets in the order of the text. A needle without `\r\n`
 * matches either line end; one with it matches exactly.
 */
export function occurrences(text: string, needle: string): number[] {
  const flat = flatten(text, needle)
  const found: number[] = []
  for (let at = flat.text.indexOf(needle); at !== -1; at = flat.text.indexOf(needle, at + 1)) {
    found.push(flat.original(at))
  }
  return found
}

/**
 * Replaces every occurrence that does not overlap the one before. What old and new text share at their ends is
 * not written, so its bytes stay; line ends of the rest become the file's dominant one. An edit that spells `\r\n`
 * where the file would not is written verbatim.
 */
export function replaceOccurrences(text: string, { oldString, newString }: Replacement): string {
  const flat = flatten(text, oldString)
  const ending = dominantLineEnding(text)
  const verbatim = oldString.includes('\r\n') || (newString.includes('\r\n') && ending === '\n')
  const wanted = verbatim ? newString : toLf(newString)
  const { lead, trail } = verbatim ? { lead: 0, trail: 0 } : sharedEnds(oldString, wanted)
  const inner = wanted.slice(lead, wanted.length - trail)
  const written = verbatim ? inner : withLineEnding(inner, ending)
  let result = ''
  let from = 0
  for (let at = flat.text.indexOf(oldString); at !== -1;) {
    result += text.slice(from, flat.original(at + lead)) + written
    from = flat.original(at + oldString.length - trail)
    at = flat.text.indexOf(oldString, at + oldString.length)
  }
  return result + text.slice(from)
}

/** How many occurrences `replaceOccurrences` replaces. */
export function countReplaced(text: string, needle: string): number {
  return flatten(text, needle).text.split(needle).length - 1
}

/** 1-based line of an offset. */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

function flatten(text: string, needle: string): Flattened {
  if (needle.includes('\r\n') || !text.includes('\r\n')) return { text, original: (offset) => offset }
  const flat = text.replaceAll('\r\n', '\n')
  const joints: number[] = []
  for (let at = text.indexOf('\r\n'); at !== -1; at = text.indexOf('\r\n', at + 2))
    joints.push(at - joints.length)
  return { text: flat, original: (offset) => offset + countBelow(joints, offset) }
}

/** How many of the sorted numbers are below `limit`. */
function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? 0) < limit) low = middle + 1
    else high = middle
  }
  return low
}

function sharedEnds(a: string, b: string): { lead: number; trail: number } {
  const shorter = Math.min(a.length, b.length)
  let lead = 0
  while (lead < shorter && a[lead] === b[lead]) lead += 1
  let trail = 0
  while (trail < shorter - lead && a[a.length - 1 - trail] === b[b.length - 1 - trail]) trail += 1
  return { lead, trail }
}
