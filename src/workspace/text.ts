// Lines and characters of text: line ends, counting, cutting on borders.

export type LineEnding = '\n' | '\r\n'

/** The line end that most lines have; `\n` where there is none. */
export function dominantLineEnding(text: string): LineEnding {
  if (!text.includes('\r')) return '\n'
  let crlf = 0
  let lf = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    if (text[at - 1] === '\r') crlf += 1
    else lf += 1
  }
  return crlf > lf ? '\r\n' : '\n'
}

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

/** Every line end becomes `ending`. */
export function withLineEnding(text: string, ending: LineEnding): string {
  const lf = toLf(text)
  return ending === '\n' ? lf : lf.replaceAll('\n', '\r\n')
}

/** Lines of a text: a trailing newline adds none, an empty text has none. */
export function countLines(text: string): number {
  if (text === '') return 0
  let count = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The longest beginning, or end, of at most `limit` bytes that cuts no character. */
export function cutBytes(text: string, limit: number, keep: 'head' | 'tail' = 'head'): string {
  if (Buffer.byteLength(text) <= limit) return text
  const bytes = Buffer.from(text)
  const most = Math.max(0, limit)
  return keep === 'head'
    ? bytes.toString('utf8', 0, characterStart(bytes, most))
    : bytes.toString('utf8', characterEnd(bytes, bytes.length - most))
}

/** The longest beginning of at most `limit` UTF-16 units that cuts no pair of surrogates. */
export function cutUnits(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 1 : limit)
}

/** `at`, or the nearest border between characters before it. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let start = at
  while (start > 0 && start > at - 4 && isContinuation(bytes[start])) start -= 1
  return start
}

/** `at`, or the nearest border between characters behind it. */
export function characterEnd(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < bytes.length && end < at + 4 && isContinuation(bytes[end])) end += 1
  return end
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
