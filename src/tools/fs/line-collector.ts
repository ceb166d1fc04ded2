// The lines of a window, collected from text that comes in pieces.
import { cutUnits } from '#workspace/text.ts'

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

export type NumberedLine = { number: number; text: string }

export interface LineCollector {
  push(text: string): void
  /** Bytes went by that nobody wants: how many line feeds they hold, and whether they end inside a line. */
  skip(count: number, inside: boolean): void
  /** Lines that came before now. */
  passed(): number
  /** Nothing that comes from here on is wanted. */
  isFull(): boolean
  /** A trailing newline adds no line. */
  end(): { lines: NumberedLine[]; totalLines: number }
}

export function collectLines(request: WindowRequest): LineCollector {
  const window = openWindow(request)
  const line = growingLine()
  let number = 1
  let partial = false
  const endLine = (): void => {
    if (window.wants(number)) window.add(number, line.shown())
    line.clear()
    number += 1
  }
  return {
    push(text) {
      if (text !== '') partial = false
      let start = 0
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
        line.add(text.slice(start, at))
        endLine()
        start = at + 1
      }
      line.add(text.slice(start))
    },
    skip(count, inside) {
      number += count
      line.clear()
      partial = inside
    },
    passed: () => number - 1,
    isFull: () => window.isOver(number),
    end() {
      if (partial || !line.isEmpty()) endLine()
      return { lines: window.lines, totalLines: number - 1 }
    },
  }
}

function openWindow({ offset, limit }: WindowRequest) {
  const lines: NumberedLine[] = []
  let budget = MAX_BYTES
  const isOver = (number: number): boolean => budget < 0 || number >= offset + limit
  return {
    lines,
    isOver,
    wants: (number: number) => number >= offset && !isOver(number),
    /** A first line is shown whatever its length. */
    add(number: number, text: string): void {
      budget -= Buffer.byteLength(text) + 1
      if (budget >= 0 || lines.length === 0) lines.push({ number, text })
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
      const kept = cutUnits(head, MAX_LINE)
      return `${kept}… [line cut: ${whole - kept.length} more characters]`
    },
    clear(): void {
      head = ''
      length = 0
      last = ''
    },
  }
}
