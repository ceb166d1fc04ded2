// Collecting hits: a page of them is kept, all are counted.
import type { LineHit } from '#workspace/search.ts'
import { cutBytes } from '#workspace/text.ts'
import type { Page } from './scope.ts'

/** Bytes of a line that are shown. */
const MAX_LINE_BYTES = 2_000

export type GrepLine = { lineNumber: number; line: string; context?: boolean }
export type GrepFile = { path: string; matches: GrepLine[] }

export interface Tally {
  add(hit: LineHit): void
  /** Matches in the page, in the order of the search, with context around them. */
  files: GrepFile[]
  /** Matches, context not counted. */
  total(): number
  /** Matches in the page. */
  shown(): number
}

/** `context`: lines around a match that belong to it. */
export function createTally({ offset, limit }: Page, context: number): Tally {
  const shelf = createShelf(context)
  let total = 0
  let shown = 0
  const addMatch = (path: string, line: GrepLine): void => {
    total += 1
    const wanted = total > offset && shown < limit
    if (wanted) shown += 1
    shelf.match(path, line, wanted)
  }
  return {
    add({ kind, path, lineNumber, line }) {
      const shownLine = { lineNumber, line: shorten(line) }
      if (kind === 'match') addMatch(path, shownLine)
      else shelf.context(path, { ...shownLine, context: true })
    },
    files: shelf.files,
    total: () => total,
    shown: () => shown,
  }
}

/** Puts wanted matches into files, each with the context before and behind it. */
function createShelf(context: number) {
  const files: GrepFile[] = []
  let waiting: { path: string; lines: GrepLine[] } = { path: '', lines: [] }
  let latest: { path: string; lineNumber: number } | undefined
  const into = (path: string, lines: readonly GrepLine[]): void => {
    const last = files.at(-1)
    if (last?.path === path) last.matches.push(...lines)
    else files.push({ path, matches: [...lines] })
  }
  return {
    files,
    match(path: string, line: GrepLine, wanted: boolean): void {
      if (wanted) into(path, waiting.path === path ? [...waiting.lines, line] : [line])
      latest = wanted ? { path, lineNumber: lastLine(line) } : undefined
      waiting = { path: '', lines: [] }
    },
    context(path: string, line: GrepLine): void {
      if (latest?.path === path && line.lineNumber <= latest.lineNumber + context) into(path, [line])
      else if (waiting.path === path) waiting.lines = [...waiting.lines, line].slice(-context)
      else waiting = { path, lines: [line] }
    },
  }
}

function lastLine({ lineNumber, line }: GrepLine): number {
  return lineNumber + line.split('\n').length - 1
}

function shorten(line: string): string {
  const head = cutBytes(line, MAX_LINE_BYTES)
  return head === line
    ? line
    : `${head}… [line cut: ${Buffer.byteLength(line) - Buffer.byteLength(head)} more bytes]`
}
