import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipContent, clipJson, clipText, CONTENT_LIMIT, diffContent } from '#bridge/cards/clip.ts'
import { cutBytes } from '#workspace/text.ts'
import { textContent } from '#bridge/cards/card.ts'
import { fence } from '#registry/view.ts'

const asIs = (path: string): string => path

describe('text', () => {
  it('is cut between characters, from either end', () => {
    fc.assert(
      fc.property(
        // The replacement character itself is left out: here it stands for a character that was cut.
        fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\ufffd')),
        fc.nat(50),
        fc.constantFrom('head' as const, 'tail' as const),
        (text, limit, keep) => {
          const cut = cutBytes(text, limit, keep)
          expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(Math.max(limit, 0))
          expect(cut).not.toContain('\ufffd')
          expect(keep === 'head' ? text.startsWith(cut) : text.endsWith(cut)).toBe(true)
        },
      ),
    )
  })

  it('says how much is missing', () => {
    expect(clipText('abcdef', 4)).toBe('abcd\n… 2 more bytes not shown')
    expect(clipText('abcdef', 4, 'tail')).toBe('… 2 bytes not shown\ncdef')
    expect(clipText('abcdef', 6)).toBe('abcdef')
  })

  it('shares one limit among the blocks of an update', () => {
    const half = 'x'.repeat(CONTENT_LIMIT * 0.6)
    const [first, second] = clipContent([textContent(half), textContent(half)])
    expect(first).toEqual(textContent(half))
    expect(JSON.stringify(second)).toMatch(/more bytes not shown/)
    expect(JSON.stringify([first, second]).length).toBeLessThan(CONTENT_LIMIT + 300)
  })

  it('clips raw input', () => {
    const input = { path: 'a', content: 'y'.repeat(CONTENT_LIMIT) }
    expect(clipJson({ small: 1 })).toEqual({ small: 1 })
    expect(clipJson(input)).toMatchObject({
      path: 'a',
      content: expect.stringContaining('more bytes not shown'),
    })
  })
})

describe('diffs', () => {
  const lines = (count: number, mark: string): string =>
    Array.from({ length: count }, (_, index) => `${index} ${mark}\n`).join('')

  it('that are too long become hunks', () => {
    const before = lines(20_000, 'same same same')
    const after = before.replace('5000 same', '5000 other').replace('15000 same', '15000 other')
    const content = diffContent([{ path: '/a', oldText: before, newText: after }], asIs)
    expect(content.map((entry) => entry.type)).toEqual(['diff', 'diff'])
    expect(content[1]).toMatchObject({
      path: '/a',
      newText: expect.stringContaining('15000 other same same\n'),
    })
    expect(JSON.stringify(content).length).toBeLessThan(2000)
  })

  it('lose whole hunks, with a count', () => {
    const big = 'z'.repeat(CONTENT_LIMIT - 10)
    const content = diffContent(
      [
        { path: '/a', oldText: null, newText: 'small' },
        { path: '/b', oldText: null, newText: big },
        { path: '/c', oldText: null, newText: 'more than what is left' },
      ],
      asIs,
    )
    expect(content.map((entry) => entry.type)).toEqual(['diff', 'diff', 'content'])
    expect(JSON.stringify(content[2])).toContain('1 of 3 changes not shown')
  })
})

describe('fences', () => {
  it('can not be broken out of', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('`', 'a', '\n', '~') }), (text) => {
        const [first, ...rest] = fence(text, 'x').split('\n')
        const ticks = first?.match(/^`+/)?.[0] ?? ''
        expect(rest.filter((line) => line.startsWith(ticks))).toEqual([ticks])
        expect(rest.at(-1)).toBe(ticks)
      }),
    )
  })

  it('take only a plain language tag', () => {
    expect(fence('a', 'c++\n# x`')).toBe('```c++#x\na\n```')
  })
})
