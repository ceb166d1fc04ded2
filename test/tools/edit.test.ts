import { appendFile, chmod, link, lstat, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, openBench, viewOf } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())
const at = (name: string) => join(bench.cwd, name)
const got = (name: string) => readFile(at(name), 'utf8')
const edit = (
  oldString: string,
  newString: string,
  more: { replace_all?: boolean; file_path?: string } = {},
) => bench.run('edit', { file_path: 'f', old_string: oldString, new_string: newString, ...more })

async function seen(content: string | Uint8Array, name = 'f'): Promise<void> {
  await writeFile(at(name), content)
  await bench.value('read', { file_path: name })
}

describe('edit: bytes', () => {
  const tricky = "pid=$$ m=$& p=$` s=$' g=$1 n=$<n>"
  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
  ])('B123: inserts dollar signs verbatim (%s)', async (_name, eol) => {
    await seen(`echo OLD${eol}OLD${eol}`)
    await edit('OLD', tricky, { replace_all: true })
    expect(await got('f')).toBe(`echo ${tricky}${eol}${tricky}${eol}`)
    await edit(`echo ${tricky}`, `echo ${tricky}$$`)
    expect(await got('f')).toBe(`echo ${tricky}$$${eol}${tricky}${eol}`)
  })

  it('B125: keeps the byte order mark once', async () => {
    await seen(Buffer.from('\uFEFFhello\nx'))
    await edit('hello', 'hello2')
    expect(await got('f')).toBe('\uFEFFhello2\nx')
  })

  it('B140: an LF old_string matches a CRLF file', async () => {
    await seen('a\r\nb\r\n')
    await edit('a\nb', 'a\nB\nC')
    expect(await got('f')).toBe('a\r\nB\r\nC\r\n')
  })

  it('leaves mixed line ends and a missing final newline alone', async () => {
    await seen('a\r\nb\nc\r\nd\r\ne\nf')
    await edit('b\nc\nd', 'b\nC\nnew\nd')
    expect(await got('f')).toBe('a\r\nb\nC\r\nnew\r\nd\r\ne\nf')
    await edit('e\nf', 'e\ng')
    expect(await got('f')).toBe('a\r\nb\nC\r\nnew\r\nd\r\ne\ng')
  })

  it('writes an explicit CRLF as told', async () => {
    await seen('a\nb\n')
    await edit('a\n', 'a\r\n')
    expect(await got('f')).toBe('a\r\nb\n')
    await seen('a\r\nb\r\n')
    await edit('a\r\n', 'a\n')
    expect(await got('f')).toBe('a\nb\r\n')
    await seen('a\r\nb\r\nc\r\n')
    await edit('b\n', 'x\r\n')
    expect(await got('f')).toBe('a\r\nx\r\nc\r\n')
  })

  it('B128: keeps mode bits, symlinks and hard links', async () => {
    await seen('one\n')
    await chmod(at('f'), 0o640)
    await symlink('f', at('soft'))
    await bench.value('read', { file_path: 'soft' })
    await edit('one', 'two', { file_path: 'soft' })
    expect((await lstat(at('soft'))).isSymbolicLink()).toBe(true)
    expect([await got('f'), (await stat(at('f'))).mode & 0o777]).toEqual(['two\n', 0o640])
    await link(at('f'), at('hard'))
    await edit('two', 'three')
    expect([await got('hard'), (await stat(at('f'))).nlink]).toEqual(['three\n', 2])
  })

  it('refuses a read-only file', async () => {
    await seen('one\n')
    await chmod(at('f'), 0o444)
    expect((await edit('one', 'two')).code).toBe('FS_READ_ONLY')
    expect(await got('f')).toBe('one\n')
  })
})

describe('edit: what it refuses', () => {
  it.each([true, false])('B130: an empty old_string (replace_all %s)', async (all) => {
    await seen('abc')
    expect((await edit('', 'X', { replace_all: all })).code).toBe('INVALID_ARGS')
    expect((await edit('', 'X', { replace_all: all, file_path: 'missing' })).code).toBe('INVALID_ARGS')
    expect((await edit('a', 'a')).code).toBe('INVALID_ARGS')
    expect(await got('f')).toBe('abc')
  })

  it('B131: several matches, with their lines', async () => {
    await seen('x\nsame\ny\nsame\n')
    const { code, text } = await edit('same', 'other')
    expect([code, text]).toEqual(['FS_AMBIGUOUS_EDIT', expect.stringContaining('2 times (lines 2, 4)')])
    await seen('aaa')
    expect((await edit('aa', 'b')).code).toBe('FS_AMBIGUOUS_EDIT')
    expect(await got('f')).toBe('aaa')
    await seen('s\ns\ns\n')
    expect((await edit('s', 't', { replace_all: true })).text).toContain('replaced 3 occurrences')
  })

  it('no match, with the nearest lines', async () => {
    await seen('import a\n\nfunction greet(name: string) {\n  return name\n}\n')
    const { code, text } = await edit('function greet(name) {', 'x')
    expect(code).toBe('FS_EDIT_NOT_FOUND')
    expect(text).toContain('3\tfunction greet(name: string) {')
    expect((await edit('zzzzqqqq', 'x')).text).toContain('no line of it is similar')
  })

  it('B135: what was not read, or changed since', async () => {
    await writeFile(at('f'), 'one\n')
    expect((await edit('one', 'two')).code).toBe('FS_NOT_OBSERVED')
    await bench.value('read', { file_path: 'f' })
    await appendFile(at('f'), 'USER\n')
    const stale = await edit('one', 'two')
    expect([stale.code, stale.text]).toEqual(['FS_STALE_VERSION', expect.stringContaining('read it again')])
    expect(await got('f')).toBe('one\nUSER\n')
  })

  it('a touched but identical file is not stale', async () => {
    await seen('one\n')
    await utimes(at('f'), new Date(), new Date(Date.now() + 60_000))
    expect((await edit('one', 'two')).code).toBeUndefined()
  })

  it('replace_all needs the union of windows to be the whole file', async () => {
    await writeFile(at('f'), 'a\na\na\na\n')
    await bench.value('read', { file_path: 'f', limit: 2 })
    const part = await edit('a', 'b', { replace_all: true })
    expect([part.code, part.text]).toEqual(['FS_NOT_OBSERVED', expect.stringContaining('offset 3')])
    await bench.value('read', { file_path: 'f', offset: 3, limit: 2 })
    expect((await edit('a', 'b', { replace_all: true })).code).toBeUndefined()
  })

  it('a missing or binary file', async () => {
    expect((await edit('a', 'b', { file_path: 'nope' })).code).toBe('FS_NOT_FOUND')
    await writeFile(at('latin'), Buffer.from([0x63, 0xe9, 0x0a, 0x78]))
    expect((await edit('x', 'y', { file_path: 'latin' })).code).toBe('FS_NOT_TEXT')
  })
})

describe('edit: order and reports', () => {
  it('B133: edits of one file apply in order, even when they overlap', async () => {
    const lines = Array.from({ length: 100 }, (_, line) => `line ${line + 1}.`)
    await seen(lines.join('\n'))
    const outcomes = await Promise.all([7, 20, 33, 47, 60, 99].map((n) => edit(`line ${n}.`, `LINE ${n}!`)))
    expect(outcomes.map(({ code }) => code)).toEqual(Array(6).fill(undefined))
    const expected = lines.map((line, n) =>
      [7, 20, 33, 47, 60, 99].includes(n + 1) ? `LINE ${n + 1}!` : line,
    )
    expect(await got('f')).toBe(expected.join('\n'))
  })

  it('100 parallel edits of one file lose nothing', async () => {
    const lines = Array.from({ length: 100 }, (_, line) => `line ${line + 1}.\r\n`)
    await seen(lines.join(''))
    const outcomes = await Promise.all(lines.map((_, n) => edit(`line ${n + 1}.`, `LINE ${n + 1}!`)))
    expect(outcomes.filter(({ code }) => code !== undefined)).toEqual([])
    expect(await got('f')).toBe(lines.map((_, n) => `LINE ${n + 1}!\r\n`).join(''))
  })

  it('reports the text before, then what the session knows', async () => {
    await seen('\uFEFFone\n')
    const { reports } = await edit('one', 'two')
    expect(reports).toEqual([
      { kind: 'snapshot', path: at('f'), before: '\uFEFFone\n' },
      { kind: 'observed', path: at('f'), version: expect.any(String), lines: 'all' },
    ])
  })

  it('knows on after a resume what the log told', async () => {
    await writeFile(at('f'), 'one\n')
    const { reports } = await bench.run('read', { file_path: 'f' })
    await using other = await openBench()
    other.workspace.observations.restore(reports.filter((report) => report.kind === 'observed'))
    const args = { file_path: at('f'), old_string: 'one', new_string: 'two' }
    expect((await other.run('edit', args)).code).toBeUndefined()
  })
})

describe('edit: cards', () => {
  const lines = Array.from({ length: 40 }, (_, line) => `${line + 1}\r\n`).join('')

  it('preview and result show the same hunks', async () => {
    await seen(`${lines}last`)
    const args = { file_path: 'f', old_string: '10\n', new_string: 'ten\nand more\n' }
    const tool = bench.tool('edit')
    const preview = await tool.preview?.(args, {} as never)
    const outcome = await bench.run('edit', args)
    const diffs = [
      { path: 'f', oldText: '7\n8\n9\n10\n11\n12\n13\n', newText: '7\n8\n9\nten\nand more\n11\n12\n13\n' },
    ]
    expect(preview).toEqual({ card: 'diff', title: 'Edit f', diffs, locations: [{ path: 'f', line: 10 }] })
    expect(viewOf(bench, 'edit', args, outcome)).toEqual({
      card: 'diff',
      diffs,
      locations: [{ path: 'f', line: 10 }],
    })
  })

  it('joins hunks and leaves out the newline that is not there', async () => {
    await seen('x\n1\n2\n3\n4\n5\n6\n7\n8\nx')
    const args = { file_path: 'f', old_string: 'x', new_string: 'y', replace_all: true }
    const view = viewOf(bench, 'edit', args, await bench.run('edit', args))
    expect(view).toEqual({
      card: 'diff',
      diffs: [{ path: 'f', oldText: 'x\n1\n2\n3\n6\n7\n8\nx', newText: 'y\n1\n2\n3\n6\n7\n8\ny' }],
      locations: [
        { path: 'f', line: 1 },
        { path: 'f', line: 10 },
      ],
    })
  })

  it('a doomed edit fails in its preview', async () => {
    await seen('one\n')
    const args = { file_path: 'f', old_string: 'nope', new_string: 'x' }
    await expect(bench.tool('edit').preview?.(args, {} as never)).rejects.toMatchObject({
      code: 'FS_EDIT_NOT_FOUND',
    })
  })
})
