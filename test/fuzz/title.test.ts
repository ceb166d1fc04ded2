// The title shortener: whatever a tool, a model or a server calls something, its title is one short line that hides nothing.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { titleOf } from '#agent/title.ts'
import { cardTitle, fallbackTitle } from '#bridge/cards/title.ts'
import type { CardContext, RootPair } from '#bridge/cards/card.ts'
import { NAMED_PROFILES } from '#bridge/profile.ts'
import { code } from '#registry/view.ts'
import { scale } from './scale.ts'

const piece = fc.oneof(
  fc.constantFrom(
    '/w',
    '/w/',
    '/w/a.ts',
    '/w/src/b c.ts',
    '/w2/a',
    'a.ts',
    '/w/a.ts:10',
    '`',
    '``',
    '"',
    "'",
    '(',
    ')',
    ',',
    ' ',
    '\n',
    '\r\n',
    '\u2028',
    '\u2029',
    '\u0000',
    '\u001b[31m',
    '\u001b]0;x\u0007',
    '\u202e',
    '\u2066',
    '\ud83d',
    '\ude42',
    '🙂',
    'é',
    'C:\\w\\a',
    '..',
    './',
    '*',
    '_',
    '[a](b)',
    '<b>',
    'x'.repeat(150),
    '/w/'.repeat(80),
  ),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
const roots: RootPair[] = [
  ['/w', '/w'],
  ['/private/w', '/w'],
  ['/', '/'],
]
const context = (cwd: string, count: number): CardContext => ({
  callId: 'c',
  cwd,
  roots: roots.slice(0, count),
  profile: NAMED_PROFILES.zed,
})

describe('titles', () => {
  it('of cards are one well-formed line of at most 200 characters, and total', () => {
    fc.assert(
      fc.property(
        text,
        fc.array(text, { maxLength: 4 }),
        fc.constantFrom('/w', '/', 'C:\\w'),
        fc.nat({ max: 3 }),
        (title, known, cwd, count) => {
          const short = cardTitle(title, known, context(cwd, count))
          expect(Array.from(short).length).toBeLessThanOrEqual(200)
          expect(short).not.toMatch(/[\r\n\u2028\u2029]/)
          expect(short).not.toMatch(
            /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u202a-\u202e\u2066-\u2069]/,
          )
          expect(short.isWellFormed()).toBe(true)
          expect(cardTitle(short, known, context(cwd, 0)).length).toBeLessThanOrEqual(short.length)
        },
      ),
      scale('card titles', { short: 1500, long: 400_000 }),
    )
  })

  it('of calls without a view, and arguments in titles, are closed Markdown', () => {
    fc.assert(
      fc.property(text, (name) => {
        for (const title of [fallbackTitle(name), code(name)]) {
          expect(title).not.toBe('')
          if (!title.startsWith('`')) continue
          const fence = /^`+/.exec(title)?.[0] ?? ''
          const inner = title.slice(fence.length, -fence.length)
          expect(title.endsWith(fence)).toBe(true)
          expect((inner.match(/`+/g) ?? []).map((run) => run.length)).not.toContain(fence.length)
        }
      }),
      scale('fallback titles', { short: 1500, long: 400_000 }),
    )
  })

  it('of sessions are one short well-formed line', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 3 }), (texts) => {
        const title = titleOf(texts.map((each) => ({ type: 'text', text: each })))
        expect(title).not.toMatch(/[\u0000-\u001f\u007f\u2028\u2029\u202a-\u202e\u2066-\u2069]/)
        expect(title.isWellFormed()).toBe(true)
        expect(Array.from(title).length).toBeLessThanOrEqual(200)
      }),
      scale('session titles', { short: 1500, long: 400_000 }),
    )
  })
})
