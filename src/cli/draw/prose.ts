// Streamed Markdown as it comes: whole words, wrapped, with the plainest marks (`code`, **bold**, lists, fences) drawn.
import type { Canvas, Style } from './paint.ts'
import { clean, columnsOf } from './text.ts'

/** How far a streamed text is drawn. */
export interface Prose {
  readonly style: Style
  /** Column that the next character goes to. */
  readonly column: number
  /** Where wrapped lines begin. */
  readonly hang: number
  /** The end of the text that is not drawn yet, because its word may go on. */
  readonly rest: string
  readonly atLineStart: boolean
  readonly space: string
  readonly code: boolean
  readonly bold: boolean
  readonly fenced: boolean
}

const MARGIN = 2

export function beginProse(canvas: Canvas, icon: string, iconStyle: Style, style: Style): [Prose, string] {
  const state = {
    style,
    column: MARGIN,
    hang: MARGIN,
    rest: '',
    atLineStart: true,
    space: '',
    code: false,
    bold: false,
    fenced: false,
  }
  return [state, `${canvas.paint(iconStyle, icon)} `]
}

export function continueProse(canvas: Canvas, prose: Prose, text: string): [Prose, string] {
  const tokens = (prose.rest + text).match(/\n|[^\S\n]+|\S+/g) ?? []
  const last = tokens.at(-1) ?? ''
  const rest = /^\S/.test(last) ? (tokens.pop() ?? '') : ''
  let state: Prose = { ...prose, rest: '' }
  let out = ''
  for (const token of tokens) {
    const [next, drawn] = step(canvas, state, token)
    state = next
    out += drawn
  }
  return [{ ...state, rest }, out]
}

/** Draws what was held back and ends the line. */
export function endProse(canvas: Canvas, prose: Prose): string {
  const [, drawn] = prose.rest === '' ? [prose, ''] : step(canvas, prose, prose.rest)
  return `${drawn}\n`
}

function step(canvas: Canvas, prose: Prose, token: string): [Prose, string] {
  if (token === '\n') return lineEnd(prose)
  if (/^\s/.test(token))
    return [{ ...prose, space: prose.fenced ? prose.space + token : prose.atLineStart ? '' : ' ' }, '']
  if (prose.atLineStart) {
    const marked = lineMark(canvas, prose, token)
    if (marked) return marked
  }
  return word(canvas, prose, token)
}

function lineEnd(prose: Prose): [Prose, string] {
  return [{ ...prose, column: 0, hang: MARGIN, atLineStart: true, space: '', code: false, bold: false }, '\n']
}

function lineMark(canvas: Canvas, prose: Prose, token: string): [Prose, string] | undefined {
  if (token.startsWith('```')) return [{ ...prose, fenced: !prose.fenced }, '']
  if (prose.fenced) return undefined
  if (/^#{1,6}$/.test(token)) return [{ ...prose, bold: true }, '']
  if (!/^([-*]|\d+\.)$/.test(token)) return undefined
  const bullet = token === '-' || token === '*' ? '•' : token
  const column = MARGIN + bullet.length
  const next = { ...prose, column, hang: column + 1, atLineStart: false, space: ' ' }
  return [next, margin(prose) + canvas.paint('dim', bullet)]
}

function word(canvas: Canvas, prose: Prose, token: string): [Prose, string] {
  let { code, bold } = prose
  let drawn = ''
  let columns = 0
  for (const piece of prose.fenced ? [token] : token.split(/(`|\*\*)/)) {
    if (piece === '`' && !prose.fenced) code = !code
    else if (piece === '**' && !code) bold = !bold
    else {
      const shown = clean(piece)
      columns += columnsOf(shown)
      drawn += canvas.paint(code || prose.fenced ? 'code' : bold ? 'strong' : prose.style, shown)
    }
  }
  const wraps = prose.column > prose.hang && prose.column + prose.space.length + columns > canvas.width
  const before = wraps
    ? `\n${' '.repeat(prose.hang)}`
    : margin(prose) + canvas.paint(prose.style, prose.space)
  const column = wraps ? prose.hang : Math.max(prose.column, MARGIN) + prose.space.length
  return [{ ...prose, column: column + columns, atLineStart: false, space: '', code, bold }, before + drawn]
}

/** What stands before the first word of a line; the first line has its icon there. */
function margin(prose: Prose): string {
  return ' '.repeat(Math.max(0, MARGIN - prose.column))
}
