import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#json/value.ts'
import { type Bench, openBench, viewOf } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())
const put = (name: string, bytes: string | Uint8Array) => writeFile(join(bench.cwd, name), bytes)

describe('read', () => {
  it('numbers lines and says where it stands', async () => {
    await put('a.ts', 'one\r\ntwo\nthree')
    const outcome = await bench.run('read', { file_path: 'a.ts' })
    expect(outcome.text).toBe('1\tone\n2\ttwo\n3\tthree\n\n[end of file: 3 lines]')
    expect(viewOf(bench, 'read', { file_path: 'a.ts' }, outcome)).toEqual({
      card: 'read',
      path: 'a.ts',
      offset: 1,
      totalLines: 3,
      lang: 'typescript',
      lines: [
        { number: 1, text: 'one' },
        { number: 2, text: 'two' },
        { number: 3, text: 'three' },
      ],
    })
  })

  it('reads windows, and observes what was shown', async () => {
    await put('n', Array.from({ length: 5000 }, (_, at) => `l${at + 1}\n`).join(''))
    const first = await bench.run('read', { file_path: 'n', offset: 10, limit: 2 })
    expect(first.text).toBe('10\tl10\n11\tl11\n\n[lines 10–11 of 5000; continue with offset 12]')
    expect(first.reports).toEqual([
      {
        kind: 'observed',
        path: join(bench.cwd, 'n'),
        version: expect.stringMatching(/^[0-9a-f]{64}$/),
        lines: [10, 11],
      },
    ])
    const all = await bench.value('read', { file_path: 'n', limit: 9999 })
    expect(all).toMatchObject({ totalLines: 5000, lines: { length: 2000 } })
  })

  it.each([
    ['', 1, '[the file is empty]'],
    ['', 2, '[the file is empty]'],
    ['a\nb\nc\n', 4, '[offset 4 is past the end: the file has 3 lines]'],
    ['a\nb\nc\n', 1e9, '[offset 1000000000 is past the end: the file has 3 lines]'],
    ['a\n', 2, '[offset 2 is past the end: the file has 1 line]'],
  ])('B148: %j from %d', async (content, offset, text) => {
    await put('f', content)
    expect((await bench.run('read', { file_path: 'f', offset })).text).toBe(text)
  })

  it.each<JsonObject>([{ offset: 0 }, { offset: -1 }, { offset: '2' }, { offset: 1.5 }, { limit: 0 }])(
    'B148: refuses %j',
    async (window) => {
      await put('f', 'a\nb\nc\n')
      const { code, text } = await bench.run('read', { file_path: 'f', ...window })
      expect(code).toBe('INVALID_ARGS')
      expect(text).toContain(Object.keys(window)[0])
    },
  )

  it('B145: shows no byte order mark', async () => {
    await put('bom', Buffer.from([0xef, 0xbb, 0xbf, 0x68, 0x69, 0x0a]))
    expect(await bench.value('read', { file_path: 'bom' })).toMatchObject({
      lines: [{ number: 1, text: 'hi' }],
    })
  })

  it('names other encodings, and knows what it can not be certain of', async () => {
    const german = 'Die Straße führt über die Brücke.\nGröße und Übung machen den Meister.\n'
    await put('latin', Buffer.from(german, 'latin1'))
    const { text, result } = await bench.run('read', { file_path: 'latin', offset: 2 })
    expect(text).toBe('2\tGröße und Übung machen den Meister.\n\n[end of file: 2 lines (ISO-8859-1)]')
    expect(result).toMatchObject({ value: { encoding: 'ISO-8859-1' } })
    await put('utf16', Buffer.from('\uFEFFa\r\nb\r\nc', 'utf16le'))
    expect((await bench.run('read', { file_path: 'utf16', limit: 1 })).text).toBe(
      '1\ta\n\n[lines 1–1 of 3 (utf-16le); continue with offset 2]',
    )
    await put('short', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a, 0x78, 0x0a]))
    expect((await bench.run('read', { file_path: 'short' })).code).toBe('FS_NOT_TEXT')
  })

  it('B138, B143: cuts long lines and stops at whole lines within 50 KiB', async () => {
    await put('long', `${'🙂'.repeat(30_000)}\nshort\n`)
    const long = await bench.run('read', { file_path: 'long' })
    expect(long.text).toContain('… [line cut: 58000 more characters]\n2\tshort')
    expect(long.text).not.toContain('\uFFFD')
    await put('wide', `${'x'.repeat(1_500)}\n`.repeat(100))
    const wide = await bench.value('read', { file_path: 'wide' })
    expect(wide).toMatchObject({ totalLines: 100, lines: { length: 34 } })
    expect((await bench.run('read', { file_path: 'wide' })).text).toContain('continue with offset 35]')
  })

  it('cuts a line at 2000 characters without splitting a pair', async () => {
    await put('pair', `${'a'.repeat(1_999)}🙂b\n`)
    expect((await bench.run('read', { file_path: 'pair' })).text).toContain(
      `${'a'.repeat(1_999)}… [line cut: 3 more`,
    )
  })

  it('B174: takes names literally', async () => {
    await mkdir(join(bench.cwd, 'app/[id]'), { recursive: true })
    for (const name of ['app/[id]/page.tsx', 'a b', 'a"b\'c', 'new\nline', '~x', '%20', '#1', '-n', '~']) {
      await put(name, `in ${name.length}`)
      expect((await bench.run('read', { file_path: name })).text).toContain(`in ${name.length}`)
    }
  })

  it('shows images and refuses what is no text, no file, not there', async () => {
    const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
    await put('p.png', png)
    const image = await bench.run('read', { file_path: 'p.png' })
    expect(image.result.content).toEqual([
      { type: 'image', mimeType: 'image/png', data: png.toString('base64') },
    ])
    await put('bin', Buffer.from([1, 0, 2]))
    await put('latin', Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
    await put('half', Buffer.from([0x61, 0xe2, 0x82]))
    for (const name of ['bin', 'latin', 'half']) {
      expect((await bench.run('read', { file_path: name })).code).toBe('FS_NOT_TEXT')
    }
    const directory = await bench.run('read', { file_path: '.' })
    expect([directory.code, directory.text]).toEqual(['FS_NOT_REGULAR_FILE', expect.stringContaining('glob')])
    expect((await bench.run('read', { file_path: 'nope' })).code).toBe('FS_NOT_FOUND')
    expect((await bench.run('read', { file_path: 'bin/x' })).code).toBe('FS_NOT_FOUND')
    await symlink('loop', join(bench.cwd, 'loop'))
    expect((await bench.run('read', { file_path: 'loop' })).result.isError).toBe(true)
  })

  it('presents a call with its range', () => {
    const view = bench.tool('read').presentCall?.({ file_path: '__a*.ts', offset: 10, limit: 5 })
    expect(view).toMatchObject({
      card: 'generic',
      kind: 'read',
      title: 'Read `__a*.ts` (lines 10–14)',
      locations: [{ path: '__a*.ts', line: 10 }],
    })
  })
})
