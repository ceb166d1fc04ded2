// The byte-exact table: whatever an edit or a write does not name is compared, byte by byte, with what was there.
import { chmod, link, lstat, open, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#json/value.ts'
import { type Bench, openBench } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())
const at = (name: string) => join(bench.cwd, name)

interface Row {
  name: string
  text: string
  /** What the edit replaces, as the model says it, and as it stands in the file. */
  old: string
  next: string
  /** In the file's own line ends. */
  written?: string
  /** Lines that a write gives, with `\n`; and what has to be in the file then. */
  content?: string
  contentWritten?: string
  encode?: (text: string) => Buffer
}

const utf8 = (text: string): Buffer => Buffer.from(text)
const GERMAN = 'Die Straße führt über die Brücke.\nGröße und Übung machen den Meister.\nschöne Grüße\n'
const JAPANESE = '日本語のテキストファイルです。\nこれはテストです。\n改行もあります。\n'
const ROWS: Row[] = [
  { name: 'LF', text: 'a\nOLD\nc\n', old: 'OLD', next: 'new\nlines' },
  {
    name: 'CRLF',
    text: 'a\r\nOLD\r\nc\r\n',
    old: 'OLD\n',
    next: 'new\nlines\n',
    written: 'new\r\nlines\r\n',
    content: 'x\ny\n',
    contentWritten: 'x\r\ny\r\n',
  },
  {
    name: 'mixed',
    text: 'a\r\nb\nOLD\r\nc\rd\r\ne\n',
    old: 'OLD\n',
    next: 'new\nlines\n',
    written: 'new\r\nlines\r\n',
    content: 'x\ny\n',
    contentWritten: 'x\r\ny\r\n',
  },
  { name: 'no final newline', text: 'a\nb\nOLD', old: 'OLD', next: 'new', content: 'x' },
  {
    name: 'BOM',
    text: '\uFEFFOLD\nb\n',
    old: 'OLD',
    next: 'new',
    content: 'x\n',
    contentWritten: '\uFEFFx\n',
  },
  {
    name: 'UTF-16LE with BOM',
    text: '\uFEFFa\r\nOLD 🙂\r\nc',
    old: 'OLD',
    next: 'néw 漢',
    content: 'x 漢\n',
    contentWritten: '\uFEFFx 漢\r\n',
    encode: (text) => Buffer.from(text, 'utf16le'),
  },
  {
    name: 'UTF-16BE with BOM',
    text: '\uFEFFa\nOLD\nc',
    old: 'OLD',
    next: 'new',
    content: 'x\n',
    contentWritten: '\uFEFFx\n',
    encode: (text) => Buffer.from(text, 'utf16le').swap16(),
  },
  {
    name: 'Latin-1',
    text: GERMAN,
    old: 'führt über',
    next: 'geht nächstens unter',
    content: 'ä\n',
    encode: (text) => iconv.encode(text, 'latin1'),
  },
  {
    name: 'Shift_JIS',
    text: JAPANESE,
    old: 'テスト',
    next: '実験',
    content: '終わり\n',
    encode: (text) => iconv.encode(text, 'Shift_JIS'),
  },
  { name: 'dollar signs', text: 'a OLD b\n', old: 'OLD', next: "$& $1 $$ $` $' $<n>", content: '$& $1 $$\n' },
  { name: 'tabs', text: '\ta\n\t\tOLD\t\n', old: '\t\tOLD\t', next: '\t\t\tnew', content: '\tx\n' },
  {
    name: 'combining characters',
    text: 'e\u0301 OLD \u00e9\n',
    old: 'OLD \u00e9',
    next: 'u\u0308',
    content: 'e\u0301',
  },
  { name: 'emoji', text: '👩‍👩‍👧 OLD 🇩🇪\n', old: 'OLD', next: '🏳️‍🌈', content: '👍🏽\n' },
]

describe.each(ROWS)('$name', ({ text, old, next, content = 'x\ny\n', ...row }) => {
  const encode = row.encode ?? utf8
  const original = encode(text)
  const inFile = text.includes(old) ? old : old.replaceAll('\n', '\r\n')

  beforeEach(async () => {
    await writeFile(at('f'), original)
    await bench.value('read', { file_path: 'f' })
  })

  it('edit', async () => {
    const from = encode(text.slice(0, text.indexOf(inFile))).length
    const to = from + encode(inFile).length
    const outcome = await bench.run('edit', { file_path: 'f', old_string: old, new_string: next })
    expect(outcome.text).toContain('replaced 1 occurrence')
    const result = await readFile(at('f'))
    const tail = original.length - to
    expect(result.subarray(0, from)).toEqual(original.subarray(0, from))
    expect(result.subarray(result.length - tail)).toEqual(original.subarray(to))
    expect(result.subarray(from, result.length - tail)).toEqual(encode(row.written ?? next))
  })

  it('write', async () => {
    const outcome = await bench.run('write', { file_path: 'f', content })
    expect(outcome.text).toContain('Replaced f')
    expect(await readFile(at('f'))).toEqual(encode(row.contentWritten ?? content))
  })
})

describe.each(['edit', 'write'])('what is not content: %s', (tool) => {
  const change = (path: string) =>
    bench.run(tool, {
      file_path: path,
      ...(tool === 'edit' ? { old_string: 'OLD', new_string: 'new' } : { content: 'a\nnew\n' }),
    })

  async function seen(name = 'f'): Promise<void> {
    await writeFile(at(name), 'a\nOLD\n')
    await bench.value('read', { file_path: name })
  }

  it.each([0o755, 0o600, 0o444 | 0o200])('mode %o', async (mode) => {
    await seen()
    await chmod(at('f'), mode)
    expect((await change('f')).code).toBeUndefined()
    expect([(await stat(at('f'))).mode & 0o7777, await readFile(at('f'), 'utf8')]).toEqual([mode, 'a\nnew\n'])
  })

  it('symlink: the target is written, the link stays', async () => {
    await seen()
    await symlink('f', at('l1'))
    await symlink('l1', at('l2'))
    expect((await change('l2')).code).toBeUndefined()
    expect([(await lstat(at('l2'))).isSymbolicLink(), (await lstat(at('f'))).isFile()]).toEqual([true, true])
    expect(await readFile(at('f'), 'utf8')).toBe('a\nnew\n')
  })

  it('hard link: both names see the change', async () => {
    await seen()
    await link(at('f'), at('other'))
    const before = await stat(at('f'))
    expect((await change('f')).code).toBeUndefined()
    expect((await stat(at('other'))).ino).toBe(before.ino)
    expect(await readFile(at('other'), 'utf8')).toBe('a\nnew\n')
  })

  it('read-only file: refused, and untouched', async () => {
    await seen()
    await chmod(at('f'), 0o444)
    const before = await stat(at('f'))
    expect((await change('f')).code).toBe('FS_READ_ONLY')
    const after = await stat(at('f'))
    expect([after.ino, after.mtimeMs, await readFile(at('f'), 'utf8')]).toEqual([
      before.ino,
      before.mtimeMs,
      'a\nOLD\n',
    ])
  })

  it('what the encoding has no bytes for: refused, and untouched', async () => {
    await writeFile(at('f'), iconv.encode(`${GERMAN}OLD`, 'latin1'))
    await bench.value('read', { file_path: 'f' })
    const args: JsonObject = tool === 'edit' ? { old_string: 'OLD', new_string: '€' } : { content: '€' }
    const outcome = await bench.run(tool, { file_path: 'f', ...args })
    expect([outcome.code, outcome.text]).toEqual(['FS_NOT_ENCODABLE', expect.stringContaining('"€"')])
    expect(await readFile(at('f'))).toEqual(iconv.encode(`${GERMAN}OLD`, 'latin1'))
  })
})

describe('200 MB', () => {
  const LINE = Buffer.from(`${'0123456789'.repeat(9)}\r\n`)
  const LINES = Math.ceil(200_000_000 / LINE.length)
  const MARK = 'THE LINE IN THE MIDDLE'

  async function large(): Promise<{ size: number; at: number }> {
    const half = Math.floor(LINES / 2)
    const block = Buffer.concat(Array.from({ length: 1000 }, () => LINE))
    const file = await open(at('f'), 'w')
    for (let written = 0; written < half; written += 1000) await file.write(block)
    const position = (await file.stat()).size
    await file.write(`${MARK}\r\n`)
    for (let written = 0; written < half; written += 1000) await file.write(block)
    const { size } = await file.stat()
    await file.close()
    return { size, at: position }
  }

  it('edit, then write', { timeout: 60_000 }, async () => {
    const { size, at: position } = await large()
    const window = await bench.run('read', { file_path: 'f', offset: position / LINE.length + 1, limit: 1 })
    expect(window.text).toContain(MARK)
    const outcome = await bench.run('edit', { file_path: 'f', old_string: `${MARK}\n`, new_string: 'ä\nb\n' })
    expect(outcome.text).toContain(`replaced 1 occurrence at line ${position / LINE.length + 1}`)
    const result = await readFile(at('f'))
    const written = Buffer.from('ä\r\nb\r\n')
    expect(result.length).toBe(size - MARK.length - 2 + written.length)
    expect(isRepeated(result.subarray(0, position), LINE)).toBe(true)
    expect(result.subarray(position, position + written.length).equals(written)).toBe(true)
    expect(isRepeated(result.subarray(position + written.length), LINE)).toBe(true)
    expect((await bench.run('write', { file_path: 'f', content: 'a\nb\n' })).text).toContain('Replaced f')
    expect(await readFile(at('f'), 'utf8')).toBe('a\r\nb\r\n')
  })
})

function isRepeated(bytes: Buffer, unit: Buffer): boolean {
  if (bytes.length % unit.length !== 0 || !bytes.subarray(0, unit.length).equals(unit)) return false
  return bytes.subarray(unit.length).equals(bytes.subarray(0, bytes.length - unit.length))
}
