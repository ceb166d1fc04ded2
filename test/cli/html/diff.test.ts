// Line numbers on a page are those of the file, or none.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { diffGroups } from '#cli/draw/diff-lines.ts'
import { drawDiff, type Diff } from '#cli/html/diff.ts'
import { createHighlight } from '#cli/html/highlight.ts'

const highlight = createHighlight()

async function rowsOf(diff: Omit<Diff, 'path'>, starts: number[]): Promise<string[]> {
  const page = String(
    await drawDiff(await highlight, { path: 'a.txt', ...diff }, { shortPath: 'a.txt', starts }),
  )
  const row = /class="num">(\d*)<[^]*?class="sign">(.?)<[^]*?class="line">([^]*?)<\/td>/g
  return [...page.matchAll(row)].map(([, number, sign, text = '']) =>
    `${number}${sign} ${text.replaceAll(/<[^>]*>/g, '')}`.trim(),
  )
}

const lines = (...all: string[]): string => `${all.join('\n')}\n`
const GAP = ['g', 'h', 'i', 'j', 'k', 'l', 'm', 'n']

it('counts from where the call says that each change begins', async () => {
  const oldText = lines('a', 'b', 'c', ...GAP, 'x', 'y')
  const newText = lines('a', 'B', 'B2', 'c', ...GAP, 'x', 'Y')
  const rows = await rowsOf({ oldText, newText }, [41, 91])
  expect(rows.slice(0, 5)).toEqual(['40 a', '41− b', '41+ B', '42+ B2', '43 c'])
  expect(rows.slice(-3)).toEqual(['90 x', '90− y', '91+ Y'])
})

it('has no numbers where nobody says it, and those of a new file from 1', async () => {
  expect(await rowsOf({ oldText: 'a\n', newText: 'b\n' }, [])).toEqual(['− a', '+ b'])
  expect(await rowsOf({ oldText: null, newText: 'a\nb\n' }, [])).toEqual(['1+ a', '2+ b'])
})

it('has a number for every row that is shown', async () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 40 }).map((all) => lines(...all))
  await fc.assert(
    fc.asyncProperty(text, text, async (oldText, newText) => {
      const diff = { oldText, newText }
      const starts = diffGroups({ path: 'a.txt', ...diff }, []).map((_, index) => 1 + 100 * index)
      const rows = await rowsOf(diff, starts)
      expect(rows.filter((row) => !/^-?\d/.test(row))).toEqual([])
    }),
    { numRuns: 60 },
  )
})
