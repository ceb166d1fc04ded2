import fc from 'fast-check'
import { structuredPatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { hunksOf } from '#tools/fs/hunks.ts'

const lines = (count: number, word: string) => Array.from({ length: count }, (_, n) => `${word} ${n + 1}\n`)

describe('hunks', () => {
  it('shows the changed lines with three around them, wherever they are', () => {
    const before = lines(50, 'line')
    for (const at of [0, 1, 2, 3, 4, 25, 46, 47, 48, 49]) {
      const after = before.with(at, 'new\n')
      const [from, to] = [Math.max(0, at - 3), Math.min(50, at + 4)]
      expect(hunksOf(before.join(''), after.join(''))).toEqual({
        oldText: before.slice(from, to).join(''),
        newText: after.slice(from, to).join(''),
        lines: [at + 1],
      })
    }
  })

  it('differences of line ends alone are none', () => {
    expect(hunksOf('a\r\nb\r\n', 'a\nb\n')).toBeUndefined()
    expect(hunksOf('a\r\nb\r\n', 'a\nB\n')).toEqual({ oldText: 'a\nb\n', newText: 'a\nB\n', lines: [2] })
  })

  it('hold every change, and not more than a diff of the whole texts', () => {
    const text = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'd\n'), { maxLength: 40 })
    fc.assert(
      fc.property(text, text, (before, after) => {
        const hunks = hunksOf(before.join(''), after.join(''))
        if (before.join('') === after.join('')) return hunks === undefined
        const whole = structuredPatch('', '', before.join(''), after.join(''), '', '', { context: 3 })
        const old = hunks?.oldText?.match(/.*\n/g) ?? []
        const now = hunks?.newText.match(/.*\n/g) ?? []
        const sizes = whole.hunks.reduce((sum, { oldLines, newLines }) => sum + newLines - oldLines, 0)
        return (
          isSubsequence(old, before) &&
          isSubsequence(now, after) &&
          now.length - old.length === sizes &&
          hunks?.lines.every((line) => line >= 1 && line <= Math.max(1, after.length))
        )
      }),
      { numRuns: 500 },
    )
  })
})

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0
  for (const line of whole) if (part[at] === line) at += 1
  return at === part.length
}
