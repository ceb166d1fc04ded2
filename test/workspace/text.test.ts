import { describe, expect, it } from 'vitest'
import { countLines, cutBytes, dominantLineEnding, withLineEnding } from '#workspace/text.ts'

describe('text', () => {
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
