import { appendFile, chmod, lstat, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFileSystem } from '#workspace/file-system.ts'
import { type Bench, openBench, viewOf } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())
const at = (name: string) => join(bench.cwd, name)
const got = (name: string) => readFile(at(name), 'utf8')
const write = (path: string, content: string) => bench.run('write', { file_path: path, content })

describe('write', () => {
  it('creates files with their parents, and leaves nothing else behind', async () => {
    const outcome = await write('a/b/c.txt', 'one\ntwo')
    expect([await got('a/b/c.txt'), await readdir(at('a/b'))]).toEqual(['one\ntwo', ['c.txt']])
    expect(outcome.text).toBe('Created a/b/c.txt (2 lines).')
    expect(outcome.reports[0]).toEqual({ kind: 'snapshot', path: at('a/b/c.txt'), before: null })
    expect(viewOf(bench, 'write', { file_path: 'a/b/c.txt', content: 'one\ntwo' }, outcome)).toEqual({
      card: 'diff',
      diffs: [{ path: 'a/b/c.txt', oldText: null, newText: 'one\ntwo' }],
      locations: [{ path: 'a/b/c.txt', line: 1 }],
    })
  })

  it('may change again what it wrote', async () => {
    await write('f', 'one\n')
    expect((await write('f', 'two\n')).text).toBe('Replaced f (1 line).')
    const args = { file_path: 'f', old_string: 'two', new_string: 'three' }
    expect((await bench.run('edit', args)).code).toBeUndefined()
    expect(await got('f')).toBe('three\n')
  })

  it('B135: refuses to overwrite what was not read whole, or changed', async () => {
    await writeFile(at('f'), 'a\nb\n')
    expect((await write('f', 'x')).code).toBe('FS_NOT_OBSERVED')
    await bench.value('read', { file_path: 'f', limit: 1 })
    expect((await write('f', 'x')).code).toBe('FS_NOT_OBSERVED')
    await bench.value('read', { file_path: 'f' })
    await appendFile(at('f'), 'USER\n')
    expect((await write('f', 'x')).code).toBe('FS_STALE_VERSION')
    expect(await got('f')).toBe('a\nb\nUSER\n')
  })

  it('B125, B128: keeps mark, line ends and mode of the old file', async () => {
    await writeFile(at('f'), '\uFEFFa\r\nb\r\n')
    await chmod(at('f'), 0o600)
    await bench.value('read', { file_path: 'f' })
    await write('f', '#!/bin/sh\necho\n')
    expect([await got('f'), (await stat(at('f'))).mode & 0o777]).toEqual([
      '\uFEFF#!/bin/sh\r\necho\r\n',
      0o600,
    ])
  })

  it('writes through links, dangling ones too', async () => {
    await symlink('target', at('link'))
    await write('link', 'x')
    expect([(await lstat(at('link'))).isSymbolicLink(), await got('target')]).toEqual([true, 'x'])
  })

  it('says that nothing changed', async () => {
    await write('f', 'same')
    const outcome = await write('f', 'same')
    expect(outcome.text).toContain('nothing was written')
    expect(outcome.reports).toEqual([])
    expect(viewOf(bench, 'write', { file_path: 'f', content: 'same' }, outcome)).toMatchObject({ diffs: [] })
  })

  it('previews the hunks of an overwrite', async () => {
    await write('f', 'a\nb\nc\n')
    const args = { file_path: 'f', content: 'a\nB\nc\n' }
    expect(bench.tool('write').presentCall?.(args)).toMatchObject({
      diffs: [{ oldText: null, newText: 'a\nB\nc\n' }],
    })
    expect(await bench.tool('write').preview?.(args, {} as never)).toEqual({
      card: 'diff',
      title: 'Write f',
      diffs: [{ path: 'f', oldText: 'a\nb\nc\n', newText: 'a\nB\nc\n' }],
      locations: [{ path: 'f', line: 2 }],
    })
  })

  it('what an editor formatted counts as seen, and the model is told', async () => {
    const disk = createFileSystem()
    const files = {
      ...disk,
      async write(path: string, bytes: Uint8Array) {
        const formatted = Buffer.from(Buffer.from(bytes).toString().replaceAll(';', ''))
        await disk.write(path, formatted)
        return formatted.equals(bytes) ? undefined : formatted
      },
    }
    await using other = await openBench({ files })
    const outcome = await other.run('write', { file_path: 'f', content: 'a;\n' })
    expect(outcome.text).toContain('The editor formatted the file afterwards')
    expect(viewOf(other, 'write', { file_path: 'f', content: 'a;\n' }, outcome)).toMatchObject({
      diffs: [{ oldText: null, newText: 'a\n' }],
    })
    const next = await other.run('edit', { file_path: 'f', old_string: 'a', new_string: 'b' })
    expect(next.text).toBe('Edited f: replaced 1 occurrence at line 1.')
  })

  it('refuses directories and files as parents', async () => {
    expect((await write('.', 'x')).code).toBe('FS_NOT_REGULAR_FILE')
    await write('f', 'x')
    expect((await write('f/g', 'x')).code).toBe('FS_NOT_FOUND')
  })

  it('does nothing once cancelled', async () => {
    const { code } = await bench.run('write', { file_path: 'f', content: 'x' }, AbortSignal.abort())
    expect(code).toBe('ABORTED_BEFORE_DISPATCH')
    expect(await readdir(bench.cwd)).toEqual([])
  })

  it('leaves large texts out of the value, and shows a huge rewrite as one hunk', async () => {
    const before = Array.from({ length: 60_000 }, (_, n) => `before ${n} ........\n`).join('')
    const after = Array.from({ length: 60_000 }, (_, n) => `after ${n} ........\n`).join('')
    await write('f', before)
    const value = await bench.value('write', { file_path: 'f', content: after })
    expect(value).toMatchObject({
      operation: 'update',
      omitted: true,
      diff: { oldText: before, newText: after },
    })
    expect(value).not.toHaveProperty('before')
  })
})
