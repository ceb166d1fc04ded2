// The live output of one call: what may be shown of it, and what is kept for the end.
import { cutBytes } from '#workspace/text.ts'
import type { ReportedOutput } from '#bridge/cards/card.ts'

/** Bytes of live output that one call may show. */
export const LIVE_LIMIT = 2 * 1024 * 1024
/** Characters that are kept for the completed card. */
const KEPT = 256 * 1024
const PAUSE = '\n… live output paused at 2 MiB; the end is shown when the command completes …\n'

export interface Output {
  bytes: number
  paused: boolean
  tail: string
}

export function createOutput(): Output {
  return { bytes: 0, paused: false, tail: '' }
}

/** Takes reported data; returns what is shown of it now: all, a beginning with the stated pause, or nothing. */
export function takeOutput(output: Output, data: string): string {
  output.tail += data
  if (output.tail.length > 2 * KEPT) output.tail = output.tail.slice(-KEPT).toWellFormed()
  if (output.paused) return ''
  const size = Buffer.byteLength(data)
  const room = LIVE_LIMIT - output.bytes
  output.bytes += size
  if (size <= room) return data
  output.paused = true
  return cutBytes(data, room) + PAUSE
}

export function reported(output: Output): ReportedOutput {
  return { any: output.bytes > 0, text: output.tail, paused: output.paused }
}
