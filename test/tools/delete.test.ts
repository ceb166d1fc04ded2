import { access, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, openBench, viewOf } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())
const at = (name: string) => join(bench.cwd, name)
const remove = (path: string, recursive?: boolean) =>
  bench.run('delete', { path, ...(recursive !== undefined && { recursive }) })
const preview = (args: { path: string; recursive?: boolean }) =>
  bench.tool('delete').preview?.(args, {} as never)

describe('delete', () => {
  it('shows the text before, and afterwards', async () => {
    await writeFile(at('f'), 'a\r\nb\r\n')
    const args = { path: 'f' }
    const card = {
      card: 'diff',
      diffs: [{ path: 'f', oldText: 'a\nb\n', newText: '' }],
      locations: [{ path: 'f' }],
    }
    expect(bench.tool('delete').presentCall?.(args)).toMatchObject({
      card: 'diff',
      kind: 'delete',
      title: 'Delete f',
    })
    expect(await preview(args)).toEqual({ ...card, title: 'Delete f', kind: 'delete' })
    const outcome = await remove('f')
    expect([outcome.text, await readdir(bench.cwd)]).toEqual(['Deleted f.', []])
    expect(outcome.reports).toEqual([{ kind: 'snapshot', path: at('f'), before: 'a\r\nb\r\n' }])
    expect(viewOf(bench, 'delete', args, outcome)).toEqual(card)
  })

  it('takes what is no text too, without a diff', async () => {
    await writeFile(at('f'), Buffer.from([1, 0, 2]))
    expect(await preview({ path: 'f' })).toMatchObject({ card: 'generic', kind: 'delete' })
    const outcome = await remove('f')
    expect([outcome.code, outcome.reports]).toEqual([undefined, []])
    expect(viewOf(bench, 'delete', { path: 'f' }, outcome)).toBeUndefined()
  })

  it('takes a link, not what it points to', async () => {
    await writeFile(at('f'), 'x')
    await symlink('f', at('link'))
    await symlink('nowhere', at('dangling'))
    expect((await remove('link')).text).toContain('the link')
    expect((await remove('dangling')).code).toBeUndefined()
    expect(await readFile(at('f'), 'utf8')).toBe('x')
  })

  it('takes a full directory only when told so, and counts what is in it', async () => {
    await mkdir(at('d/sub'), { recursive: true })
    await writeFile(at('d/a'), 'A')
    await writeFile(at('d/sub/b'), 'B')
    await symlink('/', at('d/out'))
    const refused = await remove('d')
    expect([refused.code, refused.text]).toEqual(['FS_NOT_EMPTY', expect.stringContaining('4 entries')])
    await expect(preview({ path: 'd' })).rejects.toMatchObject({ code: 'FS_NOT_EMPTY' })
    const view = await preview({ path: 'd', recursive: true })
    expect(view).toMatchObject({ card: 'generic', kind: 'delete', title: 'Delete d' })
    expect(JSON.stringify(view)).toContain('4 entries in it')
    const outcome = await remove('d', true)
    expect(outcome.text).toBe('Deleted d and 4 entries in it.')
    const kept = outcome.reports.map((report) =>
      report.kind === 'snapshot' ? `${report.path}=${report.before}` : '',
    )
    expect(new Set(kept)).toEqual(new Set([`${at('d/a')}=A`, `${at('d/sub/b')}=B`]))
    await access('/')
    await mkdir(at('empty'))
    expect((await remove('empty')).text).toContain('empty directory')
  })

  it('leaves the working directory alone, and says what is not there', async () => {
    await writeFile(at('f'), 'x')
    for (const path of ['.', bench.cwd, '/', join(bench.cwd, '..')]) {
      expect((await remove(path, true)).code).toBe('FS_ROOT')
    }
    expect((await remove('gone')).code).toBe('FS_NOT_FOUND')
    expect(await readdir(bench.cwd)).toEqual(['f'])
  })

  it('forgets what was seen', async () => {
    await bench.value('write', { file_path: 'f', content: 'x' })
    await remove('f')
    await writeFile(at('f'), 'x')
    expect((await bench.run('write', { file_path: 'f', content: 'y' })).code).toBe('FS_NOT_OBSERVED')
  })
})
