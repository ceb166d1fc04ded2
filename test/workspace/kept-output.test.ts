import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createOutputKeeper, keepOutput } from '#workspace/kept-output.ts'

describe('kept output', () => {
  it('keeps everything that fits', () => {
    expect(keepOutput('0123456789', { head: 4, tail: 6 })).toEqual({ text: '0123456789', omitted: 0 })
  })

  it('keeps head and tail, whole characters, and says what is missing', () => {
    expect(keepOutput('0123456789', { head: 4, tail: 4 })).toEqual({
      text: '0123\n[… 2 bytes left out …]\n6789',
      omitted: 2,
    })
    expect(keepOutput('漢漢漢漢', { head: 4, tail: 4 })).toEqual({
      text: '漢\n[… 6 bytes left out …]\n漢',
      omitted: 6,
    })
  })

  it('accounts for every byte however the text comes', () => {
    const pieces = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 30 })
    fc.assert(
      fc.property(pieces, (texts) => {
        const keeper = createOutputKeeper({ head: 10, tail: 20 })
        for (const text of texts) keeper.push(text)
        const { text, omitted } = keeper.result()
        const whole = texts.join('')
        if (omitted === 0) {
          expect(text).toBe(whole)
          return
        }
        const [head = '', tail = ''] = text.split(`\n[… ${omitted} bytes left out …]\n`)
        expect(whole.startsWith(head) && whole.endsWith(tail)).toBe(true)
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + omitted).toBe(Buffer.byteLength(whole))
      }),
    )
  })
})
