import { describe, expect, it } from 'vitest'
import {
  countLines,
  cutBytes,
  decodeText,
  dominantLineEnding,
  encodeText,
  withLineEnding,
} from '#workspace/text.ts'

describe('text', () => {
  it.each([
    ['plain', 'a\r\nb\n'],
    ['marked', '\uFEFFa'],
    ['twice marked', '\uFEFF\uFEFFa'],
    ['empty', ''],
    ['only a mark', '\uFEFF'],
  ])('decodes and encodes to the same bytes: %s', (_name, text) => {
    const bytes = Buffer.from(text)
    const decoded = decodeText(bytes)
    expect(decoded && encodeText(decoded).equals(bytes)).toBe(true)
    expect(decoded?.bom).toBe(text.startsWith('\uFEFF'))
  })

  it.each([
    ['Latin-1', [0x63, 0xe9, 0x0a]],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
    ['a cut character', [0x61, 0xe2, 0x82]],
    ['NUL', [0x61, 0x00]],
  ])('refuses %s', (_name, bytes) => {
    expect(decodeText(Uint8Array.from(bytes))).toBeUndefined()
  })

  it('knows line ends', () => {
    expect(dominantLineEnding('a\r\nb\r\nc\n')).toBe('\r\n')
    expect(dominantLineEnding('a\r\nb\n')).toBe('\n')
    expect(dominantLineEnding('')).toBe('\n')
    expect(withLineEnding('a\r\nb\nc', '\r\n')).toBe('a\r\nb\r\nc')
    expect([
      countLines(''),
      countLines('a'),
      countLines('a\n'),
      countLines('a\n\n'),
      countLines('\n'),
    ]).toEqual([0, 1, 1, 2, 1])
  })

  it('cuts on characters', () => {
    expect(cutBytes('漢字', 4)).toBe('漢')
    expect(cutBytes('🙂🙂', 7)).toBe('🙂')
    expect(cutBytes('ab', 2)).toBe('ab')
  })
})
