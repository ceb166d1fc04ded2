import { describe, expect, it } from 'vitest'
import { renderPrompt } from '#bridge/cards/render-call.ts'
import { cardTitle, fallbackTitle } from '#bridge/cards/title.ts'
import type { CardContext, RootPair } from '#bridge/cards/card.ts'
import { NAMED_PROFILES } from '#bridge/profile.ts'

function at(cwd: string, roots: RootPair[] = []): CardContext {
  return { callId: 'c', cwd, roots, profile: NAMED_PROFILES.plain }
}

describe('titles', () => {
  it.each([
    ['Read /w/a.ts', ['/w/a.ts'], 'Read a.ts'],
    ['Read `/w/a.ts`', ['/w/a.ts'], 'Read `a.ts`'],
    ['Read "/w/a.ts", (/w/a.ts) /w/a.ts:10', ['/w/a.ts'], 'Read "a.ts", (a.ts) a.ts:10'],
    ['Read /w/a.ts.bak', ['/w/a.ts'], 'Read /w/a.ts.bak'],
    ['Read /x/w/a.ts', ['/w/a.ts'], 'Read /x/w/a.ts'],
    ['Read /w/a.ts:', ['/w/a.ts'], 'Read /w/a.ts:'],
    ['Read /w2/a.ts', ['/w2/a.ts'], 'Read /w2/a.ts'],
    ['Read /w/..cache/x', ['/w/..cache/x'], 'Read ..cache/x'],
    ['List /w', ['/w'], 'List .'],
    ['Move /w/a b to /w/a', ['/w/a', '/w/a b'], 'Move a b to a'],
    ['Read /w/unknown.ts', [], 'Read /w/unknown.ts'],
    ['Read a.ts', ['a.ts'], 'Read a.ts'],
    ['one\ntwo\u2028three', [], 'one two three'],
  ])('%s', (title, known, expected) => {
    expect(cardTitle(title, known, at('/w'))).toBe(expected)
  })

  it('knows the directory under both names of a symlink, and Windows paths', () => {
    const context = at('/tmp/p', [['/tmp/p', '/private/tmp/p']])
    expect(cardTitle('Read /private/tmp/p/a', ['/private/tmp/p/a'], context)).toBe('Read a')
    expect(cardTitle('Read /tmp/p/a', ['/tmp/p/a'], context)).toBe('Read a')
    expect(cardTitle('Read C:\\w\\src\\a', ['C:\\w\\src\\a'], at('C:\\w'))).toBe('Read src\\a')
    expect(cardTitle('Read C:\\w2\\a', ['C:\\w2\\a'], at('C:\\w'))).toBe('Read C:\\w2\\a')
  })

  it('are capped at 200 characters, in the middle for paths, never inside a character', () => {
    const path = `/elsewhere/${'d/'.repeat(200)}file.ts`
    const capped = cardTitle(`Read ${path}`, [path], at('/w'))
    expect(Array.from(capped)).toHaveLength(200)
    expect(capped).toMatch(/^Read \/elsewhere.*….*file\.ts$/)
    const plain = cardTitle('🙂'.repeat(300), [], at('/w'))
    expect(Array.from(plain)).toHaveLength(200)
    expect(plain.isWellFormed()).toBe(true)
    expect(plain.endsWith('…')).toBe(true)
  })

  it('show what hides or turns text around, tabs apart', () => {
    expect(cardTitle('rm \u202eskcart\u202c x\ty\u001b[2K\u200b', [], at('/w'))).toBe(
      'rm \\u{202e}skcart\\u{202c} x\ty\\u{1b}[2K\\u{200b}',
    )
    expect(cardTitle('half \ud83d, whole 🙂, 👨‍👩‍👧', [], at('/w'))).toBe('half \ufffd, whole 🙂, 👨‍👩‍👧')
    expect(fallbackTitle('x\u2066')).toBe('`x\\u{2066}`')
    const whole = renderPrompt({ card: 'generic', title: 'use \u202etool' }, at('/w'))
    expect(whole.content).toMatchObject([{ content: { text: 'use \\u{202e}tool' } }])
    const command = { card: 'terminal' as const, title: 'ls # \u202e; mr' }
    expect(renderPrompt(command, at('/w')).content).toMatchObject([
      { content: { text: '```sh\nls # \\u{202e}; mr\n```' } },
    ])
    expect(renderPrompt(command, { ...at('/w'), profile: NAMED_PROFILES.zed }).title).toBe(
      'ls # \\u{202e}; mr',
    )
  })

  it('fall back to the name, safe as Markdown', () => {
    expect(['run_code', '__init__', '*', ''].map(fallbackTitle)).toEqual([
      'run_code',
      '`__init__`',
      '`*`',
      'tool',
    ])
  })
})
