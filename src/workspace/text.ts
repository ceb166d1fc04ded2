// Text and its bytes: UTF-8 with or without a byte order mark, line ends, what counts as binary.

export type LineEnding = '\n' | '\r\n'

export interface DecodedText {
  /** Without the byte order mark; line ends as in the file. */
  text: string
  bom: boolean
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])

/** True when the bytes begin with the UTF-8 byte order mark. */
export function hasBom(bytes: Uint8Array): boolean {
  return bytes.length >= 3 && BOM.equals(bytes.subarray(0, 3))
}

/** True for bytes that no UTF-8 text file holds. */
export function looksBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0)
}

/** Decodes UTF-8 strictly. `undefined`: the bytes are not UTF-8 text. */
export function decodeText(bytes: Uint8Array): DecodedText | undefined {
  if (looksBinary(bytes)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.startsWith('\uFEFF') ? { text: text.slice(1), bom: true } : { text, bom: false }
  } catch {
    return undefined
  }
}

/** The bytes of a text: the inverse of `decodeText`. */
export function encodeText({ text, bom }: DecodedText): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  return bom ? Buffer.concat([BOM, bytes]) : bytes
}

/** The line end that most lines have; `\n` where there is none. */
export function dominantLineEnding(text: string): LineEnding {
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

/** The longest beginning of at most `limit` bytes that ends on a character. */
export function cutBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length <= limit) return text
  return bytes.subarray(0, characterStart(bytes, limit)).toString('utf8')
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
