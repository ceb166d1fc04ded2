// ripgrep's JSON lines, read back as hits.
import type { LineHit } from './search.ts'

type JsonText = { text: string } | { bytes: string }
type JsonLine = {
  type: 'begin' | 'end' | 'match' | 'context' | 'summary'
  data: { path?: JsonText | null; lines?: JsonText; line_number?: number | null }
}

/** Takes line after line of ripgrep's JSON. */
export function hitReader(onHit: (hit: LineHit) => void): (record: string) => void {
  return (record) => {
    const { type, data } = JSON.parse(withoutSubmatches(record)) as JsonLine
    if ((type !== 'match' && type !== 'context') || !data.lines) return
    onHit({
      kind: type,
      path: plain(data.path ?? { text: '' }).replace(/^\.[\\/]+/, ''),
      lineNumber: data.line_number ?? 0,
      line: plain(data.lines).replace(/\r?\n$/, ''),
    })
  }
}

/** Where the matches stand in their lines is not used, and can be long. A quote inside a text would be escaped. */
function withoutSubmatches(record: string): string {
  const at = record.indexOf(',"submatches":[')
  return at === -1 ? record : `${record.slice(0, at)}}}`
}

function plain(text: JsonText): string {
  return 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8')
}
