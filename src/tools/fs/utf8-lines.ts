// Lines of UTF-8 bytes: validated all, decoded only where the window is.
import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { characterStart } from '#workspace/text.ts'
import { countNewlines, offsetAfterNewlines } from '#workspace/newlines.ts'
import type { LineCollector, WindowRequest } from './line-collector.ts'

const FEED = 0x0a

export interface Utf8Lines {
  /** False: the bytes are no UTF-8 text. */
  push(bytes: Uint8Array): boolean
  end(): boolean
  /** A copy of the first piece beyond ASCII, for guessing what else it may be; none where a NUL was seen. */
  suspect(): Uint8Array | undefined
}

export function utf8Lines({ offset }: WindowRequest, collector: LineCollector): Utf8Lines {
  const check = utf8Check()
  const decoder = new TextDecoder('utf-8')
  let suspect: Uint8Array | undefined
  let binary = false
  let reached = false
  const skip = (bytes: Buffer): void => {
    if (bytes.length > 0) collector.skip(countNewlines(bytes), bytes[bytes.length - 1] !== FEED)
  }
  const take = (bytes: Buffer): void => {
    if (reached) return collector.push(decoder.decode(bytes, { stream: true }))
    const before = offset - 1 - collector.passed()
    const start = before <= 0 ? 0 : offsetAfterNewlines(bytes, before)
    if (start === -1) return skip(bytes)
    skip(bytes.subarray(0, start))
    reached = true
    collector.push(decoder.decode(bytes.subarray(start), { stream: true }))
  }
  return {
    push(piece) {
      const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
      if (!suspect && !isAscii(bytes)) suspect = Uint8Array.from(bytes)
      binary = bytes.includes(0)
      if (binary || !check.push(bytes)) return false
      if (collector.isFull()) skip(bytes)
      else take(bytes)
      return true
    },
    end: () => check.end(),
    suspect: () => (binary ? undefined : suspect),
  }
}

/** Whether pieces are valid UTF-8 when joined. */
function utf8Check() {
  let rest: Buffer = Buffer.alloc(0)
  return {
    push(bytes: Buffer): boolean {
      const missing = Math.min(
        bytes.length,
        rest.length === 0 ? 0 : sequenceLength(rest[0] ?? 0) - rest.length,
      )
      const joint = Buffer.concat([rest, bytes.subarray(0, missing)])
      if (joint.length > 0 && joint.length < sequenceLength(joint[0] ?? 0)) {
        rest = joint
        return true
      }
      const last =
        bytes.length === missing ? missing : Math.max(missing, characterStart(bytes, bytes.length - 1))
      const whole = last + sequenceLength(bytes[last] ?? 0) <= bytes.length
      const border = whole ? bytes.length : last
      rest = Buffer.from(bytes.subarray(border))
      return isUtf8(joint) && isUtf8(bytes.subarray(missing, border))
    },
    end: () => rest.length === 0,
  }
}

function sequenceLength(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
}
