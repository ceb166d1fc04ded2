import { describe, expect, it } from 'vitest'
import { detailOf, presentable } from '#model/error-detail.ts'
import { parseArguments } from '#model/parse-arguments.ts'
import { retryAfterMs } from '#model/retry-after.ts'
import { toSentPart } from '#model/to-content.ts'

describe('parseArguments', () => {
  it.each([
    ['{"a":1}', { arguments: { a: 1 } }],
    ['', { arguments: {} }],
    [' \n', { arguments: {} }],
    ['{"a":', { arguments: '{"a":', malformed: true }],
    ['null', { arguments: 'null', malformed: true }],
    ['[1]', { arguments: '[1]', malformed: true }],
    ['"text"', { arguments: '"text"', malformed: true }],
    ['{"a":1e999}', { arguments: '{"a":1e999}', malformed: true }],
  ])('%s', (text, expected) => {
    expect(parseArguments(text)).toEqual(expected)
  })

  it('gives lossless JSON: no negative zero, `__proto__` as data', () => {
    const { arguments: value } = parseArguments('{"a":-0,"__proto__":{"b":1}}')
    expect(Object.is((value as { a: number }).a, 0)).toBe(true)
    expect(Object.keys(value as object)).toEqual(['a', '__proto__'])
  })

  it('takes what nests too deeply for no arguments', () => {
    const deep = (levels: number): string => `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
    expect(parseArguments(deep(999)).malformed).toBeUndefined()
    expect(parseArguments(deep(1000))).toEqual({ arguments: deep(1000), malformed: true })
    expect(parseArguments(deep(6500)).malformed).toBe(true)
  })

  it('survives any depth', () => {
    const text = '{"a":'.repeat(200_000) + '1' + '}'.repeat(200_000)
    expect(() => parseArguments(text)).not.toThrow()
  })
})

describe('retryAfterMs', () => {
  const now = Date.parse('2026-01-01T00:00:00Z')
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after-ms': '20', 'retry-after': '3' }, 20],
    [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:07 GMT' }, 7000],
    [{ 'retry-after': 'Wed, 31 Dec 2025 23:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
    [undefined, undefined],
  ])('%j', (headers, expected) => {
    expect(retryAfterMs(headers as Record<string, string> | undefined, now)).toBe(expected)
  })
})

describe('words of a provider', () => {
  it('lose keys, passwords, markup and length', () => {
    expect(presentable('bad key my-secret', ['my-secret'])).toBe('bad key [key]')
    expect(presentable('Incorrect API key: sk-proj-ab**cd.', [])).not.toContain('sk-proj')
    expect(presentable('see http://me:pass@host/x', [])).toBe('see http://host/x')
    expect(presentable('Authorization: Bearer abc.def', [])).toBe('Authorization: Bearer [key]')
    expect(presentable('<style>p{}</style><b>Bad</b>\n gateway', [])).toBe('Bad gateway')
    expect(presentable('x'.repeat(5000), []).length).toBeLessThan(400)
  })

  it.each([
    ['{"error":{"message":"a"}}', 'a'],
    ['{"error":"b"}', 'b'],
    ['{"message":"c"}', 'c'],
    ['{"detail":"d"}', 'd'],
    ['[{"error":{"message":"e"}}]', 'e'],
    ['<html>', undefined],
    ['5', undefined],
    [undefined, undefined],
  ])('are found in %s', (body, message) => {
    expect(detailOf(body).message).toBe(message)
  })
})

describe('toSentPart', () => {
  it('repairs lone surrogates and describes what cannot be shown', () => {
    expect(toSentPart({ type: 'text', text: 'a\ud800' }, true)).toEqual({ type: 'text', text: 'a\ufffd' })
    expect(toSentPart({ type: 'audio', data: '', mimeType: 'audio/wav' }, true)).toMatchObject({
      type: 'text',
    })
    expect(toSentPart({ type: 'resource_link', uri: 'file:///a', name: 'a' }, true)).toEqual({
      type: 'text',
      text: '[a](file:///a)',
    })
    expect(toSentPart({ type: 'resource', resource: { uri: 'file:///a', text: 'b' } }, true)).toEqual({
      type: 'text',
      text: 'file:///a:\nb',
    })
    const image = { type: 'resource' as const, resource: { uri: 'x', mimeType: 'image/jpg', blob: 'QQ==' } }
    expect(toSentPart(image, true)).toEqual({ type: 'image', data: 'QQ==', mediaType: 'image/jpeg' })
    expect(toSentPart(image, false)).toMatchObject({ type: 'text' })
  })
})
