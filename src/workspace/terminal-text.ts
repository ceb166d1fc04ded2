// What a terminal would show of a stream: escapes gone, progress bars in their last state, line by line.
import { stripVTControlCharacters } from 'node:util'

/** A line longer than this many characters is passed on in parts. */
const LONGEST_LINE = 65_536
const MOVES = /[\r\b\x1b]/
// Return, backspace, erase in line, cursor to column, any other escape sequence, one plain character.
const TOKENS =
  /\r|\x08|\x1b\[([0-9;]*)([KG])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?|[^]/gu
const UNFINISHED = /\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[ -/]*)?$/
// Control characters without a picture, save tab and newline.
const INVISIBLE = /[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]/g

const INVISIBLE_ONCE = /[\x00-\x08\x0b-\x1f\x7f\x80-\x9f]/

export interface TerminalText {
  /** Takes a piece of the stream, gives the clean text that can't change any more. */
  push(raw: string): string
  /** The rest. */
  end(): string
}

/** Cleans in constant memory. */
export function createTerminalText(): TerminalText {
  let line = ''
  return {
    push(raw) {
      if (!INVISIBLE_ONCE.test(raw) && !INVISIBLE_ONCE.test(line)) {
        const plain = line + raw
        const end = plain.lastIndexOf('\n') + 1
        if (plain.length - end <= LONGEST_LINE) {
          line = plain.slice(end)
          return plain.slice(0, end)
        }
      }
      const pieces = (line + raw).split('\n')
      line = pieces.pop() ?? ''
      let clean = ''
      for (const piece of pieces) clean += `${renderLine(piece)}\n`
      if (line.length > LONGEST_LINE) {
        const held = UNFINISHED.exec(line.slice(-256))?.[0] ?? ''
        line = renderLine(line.slice(0, line.length - held.length)) + held
      }
      if (line.length <= LONGEST_LINE) return clean
      clean += line
      line = ''
      return clean
    },
    end() {
      const rest = renderLine(line)
      line = ''
      return rest
    },
  }
}

/** The whole text at once. */
export function cleanTerminalText(raw: string): string {
  const cleaner = createTerminalText()
  return cleaner.push(raw) + cleaner.end()
}

/** One line, without its newline, as a terminal leaves it. */
function renderLine(raw: string): string {
  const line = raw.endsWith('\r') ? raw.slice(0, -1) : raw
  if (!MOVES.test(line)) return line.replaceAll(INVISIBLE, '')
  const cells: string[] = []
  let cursor = 0
  for (const [token, parameter = '', command] of line.matchAll(TOKENS)) {
    if (token === '\r') cursor = 0
    else if (token === '\b') cursor = Math.max(0, cursor - 1)
    else if (command === 'K') erase(cells, cursor, parameter)
    else if (command === 'G') cursor = Math.max(0, Number.parseInt(parameter || '1', 10) - 1)
    else if (!token.startsWith('\x1b')) cells[cursor++] = token
  }
  const shown = Array.from(cells, (cell) => cell ?? ' ').join('')
  return stripVTControlCharacters(shown).replaceAll(INVISIBLE, '')
}

function erase(cells: string[], cursor: number, parameter: string): void {
  if (parameter === '1') cells.fill(' ', 0, cursor + 1)
  else if (parameter === '2') cells.length = 0
  else if (cells.length > cursor) cells.length = cursor
}
