// The declared name that a mistyped one most likely meant.

/** The closest of `names` within a third of the length in edits; ties go to the first. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(name.length / 3))
  const plain = fold(name)
  let best: { name: string; edits: number } | undefined
  for (const candidate of names) {
    const edits = editDistance(plain, fold(candidate), limit)
    if (edits <= limit && edits < plain.length && (best === undefined || edits < best.edits))
      best = { name: candidate, edits }
  }
  return best?.name
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[_\-\s]/g, '')
}

/** Two letters that changed places are one edit. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit || a.length > 100) return limit + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swap = swapped ? (before[j - 2] ?? 0) + 1 : Infinity
      next.push(Math.min(replace, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? limit + 1
}
