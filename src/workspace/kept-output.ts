// The beginning and the end of a stream of text, in bounded memory.
import { characterEnd, characterStart } from './text.ts'

/** Bytes of UTF-8. */
export interface OutputLimits {
  head: number
  tail: number
}
export const INLINE_OUTPUT: OutputLimits = { head: 20 * 1024, tail: 40 * 1024 }

export interface KeptText {
  /** Everything, or head, a line that says how much is missing, and tail. */
  text: string
  /** Bytes that are missing; 0 when all is there. */
  omitted: number
}

export interface OutputKeeper {
  push(text: string): void
  result(): KeptText
}

export function createOutputKeeper(limits: OutputLimits = INLINE_OUTPUT): OutputKeeper {
  const head = createHead(limits.head)
  const ring = createRing(limits.tail)
  return {
    push(text) {
      const bytes = Buffer.from(text)
      ring.push(bytes.subarray(head.push(bytes)))
    },
    result: () => join(head.bytes(), ring.bytes(), ring.dropped()),
  }
}

/** Keeps head and tail of a text that is at hand. */
export function keepOutput(text: string, limits: OutputLimits = INLINE_OUTPUT): KeptText {
  const keeper = createOutputKeeper(limits)
  keeper.push(text)
  return keeper.result()
}

function createHead(limit: number) {
  let kept: Buffer = Buffer.alloc(0)
  return {
    /** How many of the bytes it took. */
    push(bytes: Buffer): number {
      const taken = Math.min(bytes.length, limit - kept.length)
      if (taken > 0) kept = Buffer.concat([kept, bytes.subarray(0, taken)])
      return taken
    },
    bytes: () => kept,
  }
}

/** The last bytes of what was pushed. */
function createRing(limit: number) {
  let ring: Buffer | undefined
  let total = 0
  return {
    push(bytes: Buffer): void {
      if (bytes.length === 0) return
      ring ??= Buffer.alloc(limit)
      const last = bytes.subarray(Math.max(0, bytes.length - limit))
      const start = (total + bytes.length - last.length) % limit
      const copied = last.copy(ring, start)
      last.copy(ring, 0, copied)
      total += bytes.length
    },
    bytes(): Buffer {
      if (!ring || total <= limit) return Buffer.from(ring?.subarray(0, total) ?? [])
      const at = total % limit
      return Buffer.concat([ring.subarray(at), ring.subarray(0, at)])
    },
    dropped: () => Math.max(0, total - limit),
  }
}

function join(head: Buffer, tail: Buffer, dropped: number): KeptText {
  if (dropped === 0) return { text: Buffer.concat([head, tail]).toString('utf8'), omitted: 0 }
  const first = head.subarray(0, borderBefore(head))
  const last = tail.subarray(characterEnd(tail, 0))
  const omitted = dropped + (head.length - first.length) + (tail.length - last.length)
  return {
    text: `${first.toString('utf8')}\n[… ${omitted} bytes left out …]\n${last.toString('utf8')}`,
    omitted,
  }
}

/** Where the last whole character of the bytes ends. */
function borderBefore(bytes: Buffer): number {
  const start = characterStart(bytes, bytes.length - 1)
  const lead = bytes[start] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return start + length <= bytes.length ? bytes.length : start
}
