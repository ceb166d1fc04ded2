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

// Control characters save tab and newline, and what turns the direction of text around.
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** For what a person decides about: characters that a terminal obeys are shown, so that they hide nothing. */
export function openly(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(OBEYED, (character) => {
    const point = character.charCodeAt(0)
    return point < 0x20 ? String.fromCharCode(0x2400 + point) : `<${point.toString(16)}>`
  })
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
