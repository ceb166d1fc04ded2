// What this session has seen of which version of a file: the ground for changing it.
import { createHash, hash as hashOf } from 'node:crypto'
import type { Observation } from '#registry/types.ts'
import { contains } from './path-inside.ts'

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
  /** What was seen at `from`, and below it, holds at `to` now. Gives what that means, for the log. */
  moved(from: string, to: string): Observation[]
  /** Nothing is there any more, nor below it. */
  forget(path: string): void
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
    moved(from, to) {
      const entries = [...seen].filter(([path]) => contains(from, path))
      return entries.flatMap(([path, file]) => {
        seen.delete(path)
        const target = to + path.slice(from.length)
        seen.set(target, file)
        return asObservations(target, file)
      })
    },
    forget(path) {
      for (const known of seen.keys()) if (contains(path, known)) seen.delete(known)
    },
    restore(observations) {
      for (const observation of observations) note(observation)
    },
  }
}

/** The version of a file: a hash of its bytes, so that a touched but identical file is not stale. */
export function versionOf(bytes: Uint8Array): string {
  if (bytes.length <= HASHED) return hashOf('sha256', bytes, 'hex')
  const hash = versionHash()
  hash.update(bytes)
  return hash.version()
}

/** Bytes that a cryptographic hash covers; a checksum and the length tell versions of what lies behind them apart. */
const HASHED = 16 * 1024 * 1024

/** The hash behind `versionOf`, for bytes that come in pieces: the same version however they are cut. */
export function versionHash(): { update(bytes: Uint8Array): void; version(): string } {
  const hash = createHash('sha256')
  let length = 0
  let checksum = 0
  return {
    update(bytes) {
      const room = Math.max(0, HASHED - length)
      length += bytes.length
      if (room > 0) hash.update(bytes.subarray(0, room))
      // Loaded for large files only.
      if (bytes.length > room)
        checksum = process.getBuiltinModule('node:zlib').crc32(bytes.subarray(room), checksum)
    },
    version() {
      const head = hash.digest('hex')
      return length > HASHED ? `${head}:${length}:${checksum.toString(16)}` : head
    },
  }
}

/** True when every line of a file of `totalLines` lines has been seen. */
export function seesWhole(seen: SeenFile, totalLines: number): boolean {
  if (seen.lines === 'all' || totalLines === 0) return true
  const [first] = seen.lines
  return seen.lines.length === 1 && first !== undefined && first[0] <= 1 && first[1] >= totalLines
}

function asObservations(path: string, { version, lines }: SeenFile): Observation[] {
  if (lines === 'all') return [{ path, version, lines }]
  return lines.map((range) => ({ path, version, lines: range }))
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
