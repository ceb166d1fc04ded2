// Lines of a file that look like a text which is not in it: a hint for the next attempt.

const LONGEST_FILE = 50_000
const ENOUGH = 0.45
const SHOWN = 3
const AROUND = 1

/** Numbered lines around the best places, or nothing when none is similar. */
export function nearestLines(text: string, wanted: string): string {
  const lines = text.split(/\r?\n/).slice(0, LONGEST_FILE)
  const probe = wanted
    .split(/\r?\n/)
    .reduce((longest, line) => (line.trim().length > longest.length ? line.trim() : longest), '')
  const pairs = bigrams(probe)
  if (pairs.size === 0) return ''
  const best = lines
    .map((line, index) => ({ index, score: similarity(pairs, bigrams(line.trim())) }))
    .filter(({ score }) => score >= ENOUGH)
    .toSorted((a, b) => b.score - a.score || a.index - b.index)
    .slice(0, SHOWN)
  const shown = new Set(best.flatMap(({ index }) => [index - AROUND, index, index + AROUND]))
  return [...shown]
    .filter(
      (index) => index >= 0 && index < lines.length && !(index === lines.length - 1 && lines[index] === ''),
    )
    .toSorted((a, b) => a - b)
    .map((index) => `${index + 1}\t${(lines[index] ?? '').slice(0, 200)}`)
    .join('\n')
}

function bigrams(line: string): Map<string, number> {
  const counts = new Map<string, number>()
  const text = line.slice(0, 400)
  for (let at = 0; at < text.length - 1; at += 1) {
    const pair = text.slice(at, at + 2)
    counts.set(pair, (counts.get(pair) ?? 0) + 1)
  }
  return counts
}

/** Dice's coefficient. */
function similarity(a: Map<string, number>, b: Map<string, number>): number {
  let shared = 0
  for (const [pair, count] of b) shared += Math.min(count, a.get(pair) ?? 0)
  const total = sum(a) + sum(b)
  return total === 0 ? 0 : (2 * shared) / total
}

function sum(counts: Map<string, number>): number {
  let total = 0
  for (const count of counts.values()) total += count
  return total
}
