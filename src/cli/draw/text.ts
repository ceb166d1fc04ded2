// Text made to fit columns: control characters out, wide characters counted as two.
import { stripVTControlCharacters } from 'node:util'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** One line without escape sequences, tabs and other control characters. */
export function clean(line: string): string {
  const shown = stripVTControlCharacters(line).replaceAll('\t', '  ')
  return shown.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '')
}

/** Cuts to at most `width` columns, with an ellipsis when something was cut. */
export function clip(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  let taken = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    const columns = stringWidth(segment)
    if (used + columns > width - 1) break
    taken += segment
    used += columns
  }
  return `${taken}…`
}

/** Exactly `width` columns: clipped or filled up with spaces. */
export function fit(text: string, width: number): string {
  const clipped = clip(text, width)
  return clipped + ' '.repeat(Math.max(0, width - stringWidth(clipped)))
}

/** A line broken between words, and inside words that are longer than the width; the space of a break is gone. */
export function wrap(line: string, width: number): string[] {
  const parts = wrapAnsi(clean(line), width, { hard: true, trim: false }).split('\n')
  return parts.map((part, index) => {
    const begun = index === 0 ? part : part.trimStart()
    return index === parts.length - 1 ? begun : begun.trimEnd()
  })
}

/** The lines of a text as a terminal would end up showing them: only the last state of a progress line stays. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => clean(line.replace(/\r$/, '').split('\r').at(-1) ?? ''))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

export { default as columnsOf } from 'string-width'
