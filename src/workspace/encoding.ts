// Text and its bytes: Unicode by its marks or by strict decoding, other encodings where they are certain.
import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import type { TextEncoding } from './text-encoding.ts'

export interface DecodedText {
  /** Without the byte order mark; line ends as in the file. */
  text: string
  encoding: TextEncoding
}

const MARK = '\uFEFF'
const UTF8_MARK = Buffer.from(MARK)

export const UTF8: TextEncoding = { name: 'utf-8', bom: false, encode: (text) => Buffer.from(text) }
export const MARKED_UTF8: TextEncoding = {
  name: 'utf-8',
  bom: true,
  encode: (text) => Buffer.concat([UTF8_MARK, Buffer.from(text)]),
}
const UTF16LE: TextEncoding = {
  name: 'utf-16le',
  bom: true,
  encode: (text) => Buffer.from(MARK + text, 'utf16le'),
}
const UTF16BE: TextEncoding = { name: 'utf-16be', bom: true, encode: (text) => UTF16LE.encode(text).swap16() }

/** The encoding that a byte order mark at the beginning announces. */
export function markedEncoding(head: Uint8Array): TextEncoding | undefined {
  const [a, b, c] = head
  if (a === 0xef && b === 0xbb && c === 0xbf) return MARKED_UTF8
  if (a === 0xff && b === 0xfe) return UTF16LE
  if (a === 0xfe && b === 0xff) return UTF16BE
  return undefined
}

/** Decodes the bytes of a whole file so that `encode` gives the same bytes. `undefined`: no text for certain. */
export async function decodeText(bytes: Uint8Array): Promise<DecodedText | undefined> {
  const marked = markedEncoding(bytes)
  if (marked && marked !== MARKED_UTF8) return decodeStrictly(bytes, marked)
  if (bytes.includes(0)) return undefined
  if (isUtf8(bytes))
    return { text: plainText(marked ? bytes.subarray(UTF8_MARK.length) : bytes), encoding: marked ?? UTF8 }
  if (marked) return undefined
  const { detectLegacy } = await import('./legacy-encoding.ts')
  const legacy = detectLegacy(bytes)
  const text = legacy?.decode(bytes)
  return legacy && text !== undefined ? { text, encoding: legacy } : undefined
}

function plainText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function decodeStrictly(bytes: Uint8Array, encoding: TextEncoding): DecodedText | undefined {
  try {
    const text = new TextDecoder(encoding.name, { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : { text, encoding }
  } catch {
    return undefined
  }
}
