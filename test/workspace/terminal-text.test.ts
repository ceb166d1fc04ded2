import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cleanTerminalText, createTerminalText } from '#workspace/terminal-text.ts'

describe('terminal text', () => {
  it.each([
    ['colour', '\x1b[1;31mred\x1b[0m', 'red'],
    ['a title', '\x1b]0;title\x07text', 'text'],
    ['a link', '\x1b]8;;http://x\x1b\\label\x1b]8;;\x1b\\', 'label'],
    ['progress', '\r10%\r20%\r100%\n', '100%\n'],
    ['a shorter state', 'abc\rX', 'Xbc'],
    ['an erased state', 'long text\r\x1b[Kshort', 'short'],
    ['an erased line', 'long\x1b[2K\x1b[1Gnew', 'new'],
    ['backspace', 'ab\bZ', 'aZ'],
    ['CRLF', 'a\r\nb\r\n', 'a\nb\n'],
    ['tabs and other controls', 'a\tb\x07\x0c\x9b', 'a\tb'],
    ['wide characters', '漢字\r🙂', '🙂字'],
    ['an unfinished escape', 'x\x1b[3', 'x'],
  ])('%s', (_name, raw, clean) => {
    expect(cleanTerminalText(raw)).toBe(clean)
  })

  it('does not depend on how the stream is cut', () => {
    const piece = fc.constantFrom('a', 'b', '\r', '\n', '\b', '\x1b[K', '\x1b[31m', '\x1b]0;t\x07', '漢', ' ')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), (pieces, size) => {
        const raw = pieces.join('')
        const cleaner = createTerminalText()
        let clean = ''
        for (let at = 0; at < raw.length; at += size) clean += cleaner.push(raw.slice(at, at + size))
        expect(clean + cleaner.end()).toBe(cleanTerminalText(raw))
      }),
    )
  })

  it('passes on a line without end in parts, and collapses an endless progress bar', () => {
    const cleaner = createTerminalText()
    let length = 0
    for (let n = 0; n < 100; n += 1) length += cleaner.push('x'.repeat(10_000)).length
    expect(length + cleaner.end().length).toBe(1_000_000)
    expect(length).toBeGreaterThan(900_000)
    const bar = createTerminalText()
    for (let n = 0; n < 50_000; n += 1) expect(bar.push(`\r${n % 100}%`)).toBe('')
    expect(bar.end()).toBe('99%')
  })
})
