// Counting and finding line feeds in bytes, four at a time.

const FEED = 0x0a
const FEEDS = 0x0a0a0a0a

export function countNewlines(bytes: Uint8Array): number {
  const lead = Math.min(bytes.length, (4 - (bytes.byteOffset & 3)) & 3)
  const words = (bytes.length - lead) >> 2
  if (words === 0) return countSingly(bytes, 0, bytes.length)
  const trail = lead + words * 4
  return (
    countSingly(bytes, 0, lead) +
    countWords(new Int32Array(bytes.buffer, bytes.byteOffset + lead, words)) +
    countSingly(bytes, trail, bytes.length)
  )
}

/** Where the line after the `count`-th line feed begins; -1 when there are fewer. `count` is at least 1. */
export function offsetAfterNewlines(bytes: Buffer, count: number): number {
  let at = -1
  for (let left = count; left > 0; left -= 1) {
    at = bytes.indexOf(FEED, at + 1)
    if (at === -1) return -1
  }
  return at + 1
}

function countWords(words: Int32Array): number {
  let count = 0
  for (let at = 0; at < words.length; at += 1) {
    // A byte of `feed` is zero where a line feed stands; the test has no false negatives.
    const feed = (words[at] as number) ^ FEEDS
    if (((feed - 0x01010101) & ~feed & 0x80808080) === 0) continue
    if ((feed & 0xff) === 0) count += 1
    if ((feed & 0xff00) === 0) count += 1
    if ((feed & 0xff0000) === 0) count += 1
    if ((feed & 0xff000000) === 0) count += 1
  }
  return count
}

function countSingly(bytes: Uint8Array, from: number, to: number): number {
  let count = 0
  for (let at = from; at < to; at += 1) if (bytes[at] === FEED) count += 1
  return count
}
