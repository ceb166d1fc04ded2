// A window of a text file's lines, read as a stream: constant memory whatever the size of file or line.
import { TextDecoder } from 'node:util'
import { versionHash } from '#workspace/observations.ts'

export const MAX_LINES = 2_000
/** Characters (UTF-16 units) of a line that are shown. */
export const MAX_LINE = 2_000
/** Bytes of text in a window. */
export const MAX_BYTES = 50 * 1024

export interface WindowRequest {
  /** 1-based. */
  offset: number
  limit: number
}

export interface TextWindow {
  lines: { number: number; text: string }[]
  totalLines: number
  /** Content hash of the whole file. */
  version: string
}

/** Reads to the end for the exact number of lines. `undefined`: the bytes are not UTF-8 text. */
export async function readWindow(
  stream: AsyncIterable<Uint8Array>,
  request: WindowRequest,
): Promise<TextWindow | undefined> {
  const hash = versionHash()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const collector = collectLines(request)
  for await (const bytes of stream) {
    if (bytes.includes(0)) return undefined
    hash.update(bytes)
    const text = decode(decoder, bytes)
    if (text === undefined) return undefined
    collector.push(text)
  }
  const rest = decode(decoder)
  if (rest === undefined) return undefined
  collector.push(rest)
  return { ...collector.end(), version: hash.digest('hex') }
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string | undefined {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch {
    return undefined
  }
}

function collectLines({ offset, limit }: WindowRequest) {
  const lines: TextWindow['lines'] = []
  let number = 1
  let budget = MAX_BYTES
  let full = false
  const line = growingLine()
  const endLine = (): void => {
    const wanted = number >= offset && number < offset + limit && !full
    if (wanted) {
      const text = line.shown()
      budget -= Buffer.byteLength(text) + 1
      if (budget >= 0 || lines.length === 0) lines.push({ number, text })
      else full = true
    }
    line.clear()
    number += 1
  }
  return {
    push(text: string): void {
      let start = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
        line.add(text.slice(start, at))
        endLine()
        start = at + 1
      }
      line.add(text.slice(start))
    },
    end(): { lines: TextWindow['lines']; totalLines: number } {
      if (!line.isEmpty()) endLine()
      return { lines, totalLines: number - 1 }
    },
  }
}

/** The line under construction: its beginning and its length. */
function growingLine() {
  let head = ''
  let length = 0
  let last = ''
  return {
    add(text: string): void {
      if (text === '') return
      if (head.length <= MAX_LINE) head += text.slice(0, MAX_LINE + 2 - head.length)
      length += text.length
      last = text.at(-1) ?? ''
    },
    isEmpty: () => length === 0,
    shown(): string {
      const whole = last === '\r' ? length - 1 : length
      if (whole <= MAX_LINE) return head.slice(0, whole)
      const cut = isHighSurrogate(head.charCodeAt(MAX_LINE - 1)) ? MAX_LINE - 1 : MAX_LINE
      return `${head.slice(0, cut)}… [line cut: ${whole - cut} more characters]`
    },
    clear(): void {
      head = ''
      length = 0
      last = ''
    },
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}
