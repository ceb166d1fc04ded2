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
  let head: Buffer = Buffer.alloc(0)
  let tail: Buffer[] = []
  let tailBytes = 0
  let dropped = 0
  const compact = (): void => {
    const all = Buffer.concat(tail)
    const kept = all.subarray(Math.max(0, all.length - limits.tail))
    dropped += all.length - kept.length
    tail = [Buffer.from(kept)]
    tailBytes = kept.length
  }
  return {
    push(text) {
      const bytes = Buffer.from(text, 'utf8')
      const room = limits.head - head.length
      if (room > 0) head = Buffer.concat([head, bytes.subarray(0, room)])
      const rest = bytes.subarray(Math.max(0, room))
      if (rest.length === 0) return
      tail.push(rest)
      tailBytes += rest.length
      if (tailBytes > limits.tail * 2) compact()
    },
    result() {
      if (tailBytes > limits.tail) compact()
      return join(head, Buffer.concat(tail), dropped)
    },
  }
}

/** Keeps head and tail of a text that is at hand. */
export function keepOutput(text: string, limits: OutputLimits = INLINE_OUTPUT): KeptText {
  const keeper = createOutputKeeper(limits)
  keeper.push(text)
  return keeper.result()
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
