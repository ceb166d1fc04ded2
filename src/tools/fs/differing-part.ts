// The part in which two texts differ, whole lines with some around them: all that a diff has to look at.

export interface DifferingPart {
  before: string
  after: string
  /** Lines in front of it. */
  skipped: number
}

/** Characters compared at a time. */
const STRIDE = 8192

/** `around`: equal lines to keep on both sides. */
export function differingPart(before: string, after: string, around: number): DifferingPart {
  const shorter = Math.min(before.length, after.length)
  const lead = sharedStart(before, after, shorter)
  const trail = sharedEnd(before, after, shorter - lead)
  const start = linesBack(before, lead, around)
  const end = linesOn(before, before.length - trail, around)
  const rest = before.length - end
  return {
    before: before.slice(start, end),
    after: after.slice(start, after.length - rest),
    skipped: newlinesIn(before, start),
  }
}

function sharedStart(a: string, b: string, most: number): number {
  let at = 0
  while (at + STRIDE <= most && a.slice(at, at + STRIDE) === b.slice(at, at + STRIDE)) at += STRIDE
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

function sharedEnd(a: string, b: string, most: number): number {
  const same = (from: number, length: number): boolean =>
    a.slice(a.length - from - length, a.length - from) === b.slice(b.length - from - length, b.length - from)
  let at = 0
  while (at + STRIDE <= most && same(at, STRIDE)) at += STRIDE
  while (at < most && same(at, 1)) at += 1
  return at
}

/** The beginning of the line that holds `at`, or of the `count`-th line before it. */
function linesBack(text: string, at: number, count: number): number {
  let start = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1
  for (let left = count; left > 0 && start > 0; left -= 1) {
    start = start === 1 ? 0 : text.lastIndexOf('\n', start - 2) + 1
  }
  return start
}

/** The end of the line that holds `at`, or of the `count`-th line behind it. */
function linesOn(text: string, at: number, count: number): number {
  let end = at
  for (let left = count; left >= 0; left -= 1) {
    const feed = text.indexOf('\n', end)
    if (feed === -1) return text.length
    end = feed + 1
  }
  return end
}

function newlinesIn(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count += 1
  return count
}
