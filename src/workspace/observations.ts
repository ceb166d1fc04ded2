// What this session has seen of which version of a file: the ground for changing it.
import { createHash } from 'node:crypto'
import type { Observation } from '#registry/types.ts'

export type LineRange = readonly [first: number, last: number]

export interface SeenFile {
  /** Content hash of the bytes that were seen. */
  version: string
  /** All of it, or the union of the windows: sorted, disjoint, inclusive. */
  lines: 'all' | readonly LineRange[]
}

/** Keyed by real path. One version a file: seeing a newer one forgets what was seen of the older. */
export interface Observations {
  note(observation: Observation): void
  see(path: string): SeenFile | undefined
  /** Refills from logged observations, in the order of the log. */
  restore(observations: Iterable<Observation>): void
}

export function createObservations(): Observations {
  const seen = new Map<string, SeenFile>()
  const note = ({ path, version, lines }: Observation): void => {
    const known = seen.get(path)
    seen.set(path, { version, lines: known?.version === version ? merge(known.lines, lines) : asSeen(lines) })
  }
  return {
    note,
    see: (path) => seen.get(path),
    restore(observations) {
      for (const observation of observations) note(observation)
    },
  }
}

/** The version of a file: a hash of its bytes, so that a touched but identical file is not stale. */
export function versionOf(bytes: Uint8Array): string {
  return versionHash().update(bytes).digest('hex')
}

/** The hash behind `versionOf`, for bytes that come in pieces. */
export function versionHash(): ReturnType<typeof createHash> {
  return createHash('sha256')
}

/** True when every line of a file of `totalLines` lines has been seen. */
export function seesWhole(seen: SeenFile, totalLines: number): boolean {
  if (seen.lines === 'all' || totalLines === 0) return true
  const [first] = seen.lines
  return seen.lines.length === 1 && first !== undefined && first[0] <= 1 && first[1] >= totalLines
}

function asSeen(lines: Observation['lines']): SeenFile['lines'] {
  return lines === 'all' ? 'all' : [lines]
}

function merge(known: SeenFile['lines'], added: Observation['lines']): SeenFile['lines'] {
  if (known === 'all' || added === 'all') return 'all'
  const ranges = [...known, added].toSorted((a, b) => a[0] - b[0])
  const union: LineRange[] = []
  for (const range of ranges) {
    const last = union.at(-1)
    if (last && range[0] <= last[1] + 1) union[union.length - 1] = [last[0], Math.max(last[1], range[1])]
    else union.push(range)
  }
  return union
}
