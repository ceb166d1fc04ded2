// The order of paths: directory by directory, names by their code units.

/** Negative when `a` comes first. */
export function pathOrder(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let at = 0; at < shorter; at += 1) {
    const difference = rank(a.charCodeAt(at)) - rank(b.charCodeAt(at))
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** A separator comes before whatever a name may hold, so that a directory's files stay together. */
function rank(unit: number): number {
  return unit === 0x2f || unit === 0x5c ? 0 : unit
}
