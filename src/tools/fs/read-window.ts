// A window of a text file's lines. Of a large file it is read as a stream: constant memory whatever the size of file or line.
import { TextDecoder } from 'node:util'
import { decodeText, MARKED_UTF8, markedEncoding, UTF8 } from '#workspace/encoding.ts'
import { versionHash, versionOf } from '#workspace/observations.ts'
import type { TextEncoding } from '#workspace/text-encoding.ts'
import { collectLines, type LineCollector, type NumberedLine, type WindowRequest } from './line-collector.ts'
import { utf8Lines } from './utf8-lines.ts'

export interface TextWindow {
  lines: NumberedLine[]
  totalLines: number
  /** Content hash of the whole file. */
  version: string
  encoding: TextEncoding
}

type Bytes = AsyncIterable<Uint8Array>
/** Takes pieces; false: the bytes are not what it reads. */
interface LineReader {
  push(bytes: Uint8Array): boolean
  end(): boolean
}

export interface TextSource {
  /** Bytes at the beginning, at least as many as a byte order mark has where the file is that long. */
  head: Uint8Array
  /** Starts the stream; called once more where the bytes turn out to be no UTF-8. */
  open(): AsyncIterable<Uint8Array>
}

/** Of a whole file. `undefined`: no text in an encoding that is certain. */
export async function windowOf(bytes: Uint8Array, request: WindowRequest): Promise<TextWindow | undefined> {
  const decoded = await decodeText(bytes)
  if (!decoded) return undefined
  const collector = collectLines(request)
  collector.push(decoded.text)
  return { ...collector.end(), version: versionOf(bytes), encoding: decoded.encoding }
}

/** Reads to the end for the exact number of lines. `undefined`: no text in an encoding that is certain. */
export async function readWindow(
  { head, open }: TextSource,
  request: WindowRequest,
): Promise<TextWindow | undefined> {
  const marked = markedEncoding(head)
  if (marked && marked !== MARKED_UTF8) {
    const collector = collectLines(request)
    return readWith(open(), collector, decodedLines(marked.name, collector), marked)
  }
  const collector = collectLines(request)
  const reader = utf8Lines(request, collector)
  const window = await readWith(open(), collector, reader, marked ?? UTF8)
  const suspect = reader.suspect()
  return window || marked || !suspect ? window : readLegacy(open, request, suspect)
}

async function readLegacy(
  open: () => Bytes,
  request: WindowRequest,
  suspect: Uint8Array,
): Promise<TextWindow | undefined> {
  const { detectLegacy } = await import('#workspace/legacy-encoding.ts')
  const legacy = detectLegacy(suspect)
  if (!legacy) return undefined
  const collector = collectLines(request)
  const decoder = legacy.decoder()
  const reader = {
    push: (bytes: Uint8Array) => pushText(collector, decoder.push(bytes)),
    end: () => decoder.end(),
  }
  return readWith(open(), collector, reader, legacy)
}

async function readWith(
  stream: Bytes,
  collector: LineCollector,
  reader: LineReader,
  encoding: TextEncoding,
): Promise<TextWindow | undefined> {
  const hash = versionHash()
  for await (const bytes of stream) {
    hash.update(bytes)
    if (!reader.push(bytes)) return undefined
  }
  return reader.end() ? { ...collector.end(), version: hash.version(), encoding } : undefined
}

function decodedLines(label: string, collector: LineCollector): LineReader {
  const decoder = new TextDecoder(label, { fatal: true })
  const decode = (bytes?: Uint8Array): string | undefined => {
    try {
      return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
    } catch {
      return undefined
    }
  }
  return { push: (bytes) => pushText(collector, decode(bytes)), end: () => pushText(collector, decode()) }
}

function pushText(collector: LineCollector, text: string | undefined): boolean {
  if (text === undefined || text.includes('\0')) return false
  collector.push(text)
  return true
}
