// Titles that others wrote, on one line of Markdown: they are read as they stand and can't draw anything.
import { cutUnits } from '#workspace/text.ts'

const LONGEST = 160

export function plainTitle(text: string): string {
  const flat = text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim()
  const short = flat.length <= LONGEST ? flat : `${cutUnits(flat, LONGEST - 1)}…`
  return short
    .replaceAll(/[\\`*[\]<>~|]/g, (mark) => `\\${mark}`)
    .replaceAll(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_')
    .replace(/^(?:[#>+-]|\d+[.)])(?=\s|$)/, (mark) => `\\${mark}`)
}
