// A box: a heading in its upper edge, a status in its lower one.
import type { Canvas, Style } from './paint.ts'
import { clip, columnsOf, fit, wrap } from './text.ts'

export interface Heading {
  icon: string
  text: string
  /** Stands at the right end. */
  tag?: string
  style?: Style
}

export function top(
  { width, paint }: Canvas,
  { icon, text, tag, style = 'strong' }: Heading,
  edge: Style = 'frame',
): string {
  const end = tag === undefined ? '' : ` ${tag} `
  const title = clip(text, width - columnsOf(icon) - columnsOf(end) - 9)
  const rest = width - columnsOf(icon) - columnsOf(title) - columnsOf(end) - 7
  return (
    paint(edge, '╭─ ') +
    paint(style === 'strong' ? 'accent' : style, icon) +
    ' ' +
    paint(style, title) +
    ' ' +
    paint(edge, '─'.repeat(Math.max(1, rest))) +
    paint('dim', end) +
    paint(edge, '─╮')
  )
}

/** A line inside: plain text in one style, clipped and filled. */
export function row(
  { width, paint }: Canvas,
  text: string,
  style: Style = 'plain',
  edge: Style = 'frame',
): string {
  return `${paint(edge, '│')} ${paint(style, fit(text, width - 4))} ${paint(edge, '│')}`
}

/** The whole line, on as many rows as it needs. */
export function rows(canvas: Canvas, text: string, style: Style = 'plain', edge: Style = 'frame'): string[] {
  return wrap(text, canvas.width - 4).map((part) => row(canvas, part, style, edge))
}

/** A line inside made of parts that are painted one by one; the last part is filled up to the edge. */
export function parts(
  { width, paint }: Canvas,
  pieces: readonly (readonly [Style, string])[],
  edge: Style = 'frame',
): string {
  let room = width - 4
  let line = ''
  pieces.forEach(([style, text], index) => {
    const shown = index === pieces.length - 1 ? fit(text, room) : clip(text, room)
    room -= columnsOf(shown)
    line += paint(style, shown)
  })
  return `${paint(edge, '│')} ${line} ${paint(edge, '│')}`
}

export function bottom(
  { width, paint }: Canvas,
  status = '',
  style: Style = 'dim',
  edge: Style = 'frame',
): string {
  if (status === '') return paint(edge, `╰${'─'.repeat(width - 2)}╯`)
  const shown = clip(status, width - 8)
  return (
    paint(edge, '╰─ ') +
    paint(style, shown) +
    paint(edge, ` ${'─'.repeat(Math.max(1, width - columnsOf(shown) - 5))}╯`)
  )
}

/** `1 line`, `2 lines`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

/** At most `limit` rows and a count of the others; a single row too many is not worth one. */
export function cut(canvas: Canvas, rows: readonly string[], limit: number): string[] {
  if (rows.length <= limit + 1) return [...rows]
  return [...rows.slice(0, limit), more(canvas, rows.length - limit)]
}

export function more(canvas: Canvas, number: number): string {
  return row(canvas, `⋯ ${count(number, 'more line')}`, 'dim')
}
