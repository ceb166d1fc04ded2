// Finding the text that an edit names, and replacing it without touching a byte beside it.
import { dominantLineEnding, toLf, withLineEnding } from '#workspace/text.ts'

interface Replacement {
  oldString: string
  newString: string
}

/** A text whose line ends count as `\n`, and where each of its characters stands in the original. */
interface Flattened {
  text: string
  /** Offset in the original of an offset in `text`. */
  original(offset: number): number
}

export interface Matches {
  /** Where the text that is looked for stands, overlaps included: offsets in the order of the text. */
  offsets: number[]
  /** How many occurrences `replace` replaces: those that do not overlap the one before. */
  count: number
  /**
   * What old and new text share at their ends is not written, so its bytes stay; line ends of the rest become the
   * file's dominant one. An edit that spells `\r\n` where the file would not is written verbatim.
   */
  replace(newString: string): string
}

/** Without `\r\n` in it, `oldString` matches either line end; with one it matches exactly. */
export function findMatches(text: string, oldString: string): Matches {
  const flat = flatten(text, oldString)
  const found: number[] = []
  for (let at = flat.text.indexOf(oldString); at !== -1; at = flat.text.indexOf(oldString, at + 1))
    found.push(at)
  const apart = withoutOverlaps(found, oldString.length)
  return {
    offsets: found.map((at) => flat.original(at)),
    count: apart.length,
    replace: (newString) => replaceAt(text, flat, apart, { oldString, newString }),
  }
}

function withoutOverlaps(found: readonly number[], length: number): number[] {
  let end = -1
  return found.filter((at) => {
    if (at < end) return false
    end = at + length
    return true
  })
}

function replaceAt(
  text: string,
  flat: Flattened,
  found: readonly number[],
  { oldString, newString }: Replacement,
): string {
  const ending = dominantLineEnding(text)
  const verbatim = oldString.includes('\r\n') || (newString.includes('\r\n') && ending === '\n')
  const wanted = verbatim ? newString : toLf(newString)
  const { lead, trail } = verbatim ? { lead: 0, trail: 0 } : sharedEnds(oldString, wanted)
  const inner = wanted.slice(lead, wanted.length - trail)
  const written = verbatim ? inner : withLineEnding(inner, ending)
  const pieces: string[] = []
  let from = 0
  for (const at of found) {
    pieces.push(text.slice(from, flat.original(at + lead)), written)
    from = flat.original(at + oldString.length - trail)
  }
  return [...pieces, text.slice(from)].join('')
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
