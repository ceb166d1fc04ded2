import { describe, expect, it } from 'vitest'
import { promptContent } from '#bridge/prompt-content.ts'

const text = (blocks: unknown[], cwd = '/tmp/w'): string =>
  promptContent(blocks, cwd)
    .input.content.map((block) => (block.type === 'text' ? block.text : `<${block.type}>`))
    .join('\n')

describe('prompt content', () => {
  it.each([
    ['file:///tmp/w/a%20b.ts', '[file a b.ts (/tmp/w/a b.ts)]'],
    ['file:///tmp/w/a%23b.ts#L10:20', '[file a#b.ts (/tmp/w/a#b.ts), lines 10-20]'],
    ['file:///tmp/w/a.ts#L10-20', '[file a.ts (/tmp/w/a.ts), lines 10-20]'],
    ['file:///tmp/w/a.ts#L7', '[file a.ts (/tmp/w/a.ts), line 7]'],
    ['file:///tmp/w/a.ts?symbol=main', '[file a.ts (/tmp/w/a.ts), symbol main]'],
    ['file:///tmp/w/src/', '[directory src (/tmp/w/src/)]'],
    ['file:///elsewhere/a.ts', '[file /elsewhere/a.ts]'],
    ['/tmp/w/plain.ts', '[file plain.ts (/tmp/w/plain.ts)]'],
    ['https://example.org/x', '[link "name": https://example.org/x]'],
    ['file:///tmp/%E0%A4%A', '[link "name": file:///tmp/%E0%A4%A]'],
  ])('refers to %s', (uri, expected) => {
    expect(text([{ type: 'resource_link', uri, name: 'name' }])).toBe(expected)
  })

  it('keeps the order, and shows the person what was sent', () => {
    const blocks = [
      { type: 'text', text: 'explain' },
      { type: 'resource_link', uri: 'file:///tmp/w/a.ts', name: 'a.ts' },
      { type: 'resource', resource: { uri: 'file:///tmp/w/b.ts', text: 'SECRET42 ```' } },
    ]
    const { input, notices } = promptContent(blocks, '/tmp/w')
    expect(input.shown).toEqual(blocks)
    expect(input.content[2]).toMatchObject({
      text: expect.stringMatching(/b\.ts[^]*````\nSECRET42 ```\n````/),
    })
    expect(notices).toEqual([])
  })

  it('keeps odd characters and replaces lone surrogates', () => {
    expect(text([{ type: 'text', text: 'a\u2028b\u0000c\ud83dd' }])).toBe('a\u2028b\u0000c\ufffdd')
    const long = 'x'.repeat(1024 * 1024)
    expect(text([{ type: 'text', text: long }])).toBe(long)
  })

  it('clips embedded text, with a count', () => {
    const got = text([{ type: 'resource', resource: { uri: 'file:///a', text: 'y'.repeat(300 * 1024) } }])
    expect(got).toContain(`${44 * 1024} more bytes not shown`)
  })

  it('takes pictures, in canonical base64', () => {
    const { input } = promptContent([{ type: 'image', data: '-_\n8', mimeType: 'image/png' }], '/w')
    expect(input.content).toEqual([{ type: 'image', data: '+/8=', mimeType: 'image/png' }])
    expect(input.shown).toEqual(input.content)
  })

  it.each([
    [{ type: 'image', data: '***', mimeType: 'image/png' }, /base64/],
    [{ type: 'image', data: '', mimeType: 'image/png' }, /base64/],
    [{ type: 'image', data: 'AAAA', mimeType: 'image/tiff' }, /image\/tiff/],
    [
      { type: 'image', data: Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64'), mimeType: 'image/png' },
      /too large/,
    ],
    [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }, /audio/],
    [{ type: 'resource', resource: { uri: 'file:///x.bin', blob: 'AAAA' } }, /x\.bin/],
    [{ type: 'hologram' }, /"hologram"/],
    ['nonsense', /"unknown"/],
  ])('states what it can not use: %#', (block, reason) => {
    const { input, notices } = promptContent([{ type: 'text', text: 'go' }, block], '/w')
    expect(input.content[1]).toMatchObject({ type: 'text', text: expect.stringMatching(reason) })
    expect(notices).toMatchObject([{ severity: 'warning', title: expect.stringMatching(reason) }])
    expect(() => promptContent([block, { type: 'text', text: ' ' }], '/w')).toThrow(
      expect.objectContaining({ code: -32602 }),
    )
  })

  it.each([[[]], [[{ type: 'text', text: ' \n\t' }]]])('refuses %j', (blocks) => {
    expect(() => promptContent(blocks, '/w')).toThrow(expect.objectContaining({ code: -32602 }))
  })
})
