// Encodings older than Unicode: guessed with high confidence, and only where the bytes come back exactly.
import { analyse } from 'chardet'
import iconv from 'iconv-lite'
import { isBinaryFileSync } from 'isbinaryfile'
import { type TextEncoding, UnencodableTextError } from './text-encoding.ts'

export interface LegacyEncoding extends TextEncoding {
  /** `undefined`: the bytes are not of this encoding, or would not come back exactly. */
  decode(bytes: Uint8Array): string | undefined
  /** For bytes that come in pieces; the same promise for each. At the end `end` tells whether nothing was left over. */
  decoder(): { push(bytes: Uint8Array): string | undefined; end(): boolean }
}

/** Of 100. */
const CERTAIN = 70
/** Bytes beyond ASCII below which a guess is one, whatever its confidence. */
const EVIDENCE = { single: 4, double: 8 }
const SAMPLE = 128 * 1024
/** Bytes before the first one beyond ASCII that belong to the sample. */
const LEAD = 1024
const CJK = new Set(['Shift_JIS', 'EUC-JP', 'EUC-KR', 'GB18030', 'Big5'])
const SINGLE = /^(?:ISO-8859-\d+|windows-\d+|KOI8-R)$/

/** `undefined`: binary, damaged UTF-8, or not certain enough. */
export function detectLegacy(bytes: Uint8Array): LegacyEncoding | undefined {
  const sample = sampleOf(bytes)
  const [best] = analyse(sample)
  if (!best || best.confidence < CERTAIN) return undefined
  const isDouble = CJK.has(best.name)
  if (!isDouble && !SINGLE.test(best.name)) return undefined
  if (countBeyondAscii(sample) < (isDouble ? EVIDENCE.double : EVIDENCE.single)) return undefined
  const isBinary = isBinaryFileSync(sample, { encoding: isDouble ? 'cjk' : 'latin1' })
  return isBinary ? undefined : legacyEncoding(best.name)
}

function countBeyondAscii(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte > 0x7f ? count + 1 : count), 0)
}

/** From a line border a little before the first byte beyond ASCII. */
function sampleOf(bytes: Uint8Array): Buffer {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const telling = Math.max(0, firstBeyondAscii(all) - LEAD)
  const start = telling === 0 ? 0 : all.lastIndexOf(0x0a, telling) + 1
  const sample = all.subarray(start, start + SAMPLE)
  const border = start + SAMPLE < all.length ? sample.lastIndexOf(0x0a) : -1
  return border > 0 ? sample.subarray(0, border + 1) : sample
}

function firstBeyondAscii(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length && (bytes[at] ?? 0) < 0x80) at += 1
  return at
}

function legacyEncoding(name: string): LegacyEncoding {
  const encodeExactly = (text: string): Buffer => {
    const bytes = iconv.encode(text, name)
    if (iconv.decode(bytes, name) === text) return bytes
    const lost = Array.from(text).find((sign) => iconv.decode(iconv.encode(sign, name), name) !== sign)
    throw new UnencodableTextError(name, lost ?? text)
  }
  return {
    name,
    bom: false,
    encode: encodeExactly,
    decode(bytes) {
      const text = iconv.decode(bytes, name)
      return iconv.encode(text, name).equals(bytes) ? text : undefined
    },
    decoder: () => exactDecoder(name),
  }
}

function exactDecoder(name: string) {
  const decoder = iconv.getDecoder(name)
  let pending: Buffer = Buffer.alloc(0)
  return {
    push(bytes: Uint8Array): string | undefined {
      pending = Buffer.concat([pending, bytes])
      const text = decoder.write(Buffer.from(bytes))
      const again = iconv.encode(text, name)
      if (!pending.subarray(0, again.length).equals(again)) return undefined
      pending = Buffer.from(pending.subarray(again.length))
      return text
    },
    end: () => pending.length === 0,
  }
}
