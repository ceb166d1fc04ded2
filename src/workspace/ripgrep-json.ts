// ripgrep's JSON lines, read back as hits.
import type { LineHit, LineSearch } from './search.ts'

type JsonText = { text: string } | { bytes: string }
type JsonLine = {
  type: 'begin' | 'end' | 'match' | 'context' | 'summary'
  data: { path?: JsonText | null; lines?: JsonText; line_number?: number | null }
}

/** Takes line after line of one search; false for a hit in a file that is not wanted. */
export function hitReader(
  { accepts }: LineSearch,
  onHit: (hit: LineHit) => void,
): (record: string) => boolean {
  // Threads take turns file by file, so a file's lines stand together.
  let wanted = true
  return (record) => {
    if (!wanted && /^\{"type":"(?:match|context)"/.test(record)) return false
    const { type, data } = JSON.parse(record) as JsonLine
    const path = plain(data.path ?? { text: '' }).replace(/^\.[\\/]+/, '')
    if (type === 'begin') wanted = accepts?.(path) ?? true
    if (!wanted || (type !== 'match' && type !== 'context') || !data.lines) return wanted
    onHit({
      kind: type,
      path,
      lineNumber: data.line_number ?? 0,
      line: plain(data.lines).replace(/\r?\n$/, ''),
    })
    return true
  }
}

function plain(text: JsonText): string {
  return 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8')
}
