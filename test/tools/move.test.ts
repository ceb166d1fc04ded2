import { link, lstat, mkdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, openBench, viewOf } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())
const at = (name: string) => join(bench.cwd, name)
const got = (name: string) => readFile(at(name), 'utf8')
const move = (from: string, to: string) => bench.run('move', { from, to })

describe('move', () => {
  it('moves a file, and what the session knows of it', async () => {
    await bench.value('write', { file_path: 'a', content: 'one\n' })
    const args = { from: 'a', to: 'new/place/b' }
    const card = { card: 'diff', kind: 'move', title: 'Move a to new/place/b', diffs: [] }
    expect(bench.tool('move').presentCall?.(args)).toMatchObject(card)
    expect(await bench.tool('move').preview?.(args, {} as never)).toMatchObject(card)
    const outcome = await move(args.from, args.to)
    expect(outcome.text).toBe('Moved a to new/place/b.')
    expect(outcome.reports).toEqual([
      { kind: 'snapshot', path: at('a'), before: 'one\n' },
      { kind: 'snapshot', path: at('new/place/b'), before: null, left: expect.any(String) },
      { kind: 'observed', path: at('new/place/b'), version: expect.any(String), lines: 'all' },
    ])
    expect(viewOf(bench, 'move', args, outcome)).toMatchObject({ card: 'generic' })
    const edit = { file_path: 'new/place/b', old_string: 'one', new_string: 'two' }
    expect((await bench.run('edit', edit)).code).toBeUndefined()
    expect((await move('a', 'c')).code).toBe('FS_NOT_FOUND')
  })

  it('never overwrites, neither files nor links nor directories', async () => {
    await writeFile(at('a'), 'a')
    await writeFile(at('b'), 'b')
    await symlink('nowhere', at('dangling'))
    await mkdir(at('d'))
    for (const to of ['b', 'dangling', 'd']) expect((await move('a', to)).code).toBe('FS_EXISTS')
    await expect(bench.tool('move').preview?.({ from: 'a', to: 'b' }, {} as never)).rejects.toMatchObject({
      code: 'FS_EXISTS',
    })
    expect([await got('a'), await got('b'), await readlink(at('dangling'))]).toEqual(['a', 'b', 'nowhere'])
    await link(at('a'), at('hard'))
    expect((await move('a', 'hard')).code).toBe('FS_EXISTS')
    expect((await lstat(at('a'))).nlink).toBe(2)
  })

  it('of many that want one place, one gets it', async () => {
    const names = Array.from({ length: 20 }, (_, n) => `f${n}`)
    await Promise.all(names.map((name) => writeFile(at(name), name)))
    const outcomes = await Promise.all(names.map((name) => move(name, 'place')))
    const winners = outcomes.flatMap(({ code }, n) => (code === undefined ? [names[n]] : []))
    expect(winners).toEqual([await got('place')])
    for (const name of names) if (name !== winners[0]) expect(await got(name)).toBe(name)
  })

  it('moves links and directories as they are', async () => {
    await mkdir(at('d/sub'), { recursive: true })
    await bench.value('write', { file_path: 'd/sub/f', content: 'x' })
    await symlink('d', at('link'))
    expect((await move('link', 'other')).code).toBeUndefined()
    expect(await readlink(at('other'))).toBe('d')
    expect((await move('d', 'e')).text).toBe('Moved the directory d to e.')
    expect((await bench.run('write', { file_path: 'e/sub/f', content: 'y' })).code).toBeUndefined()
    expect(await got('e/sub/f')).toBe('y')
  })

  it('refuses to move a directory into itself, or the working directory', async () => {
    await mkdir(at('d'))
    expect((await move('d', 'd/e/f')).code).toBe('FS_INVALID_MOVE')
    expect((await move('d', './d')).code).toBe('FS_INVALID_MOVE')
    expect((await move('.', 'x')).code).toBe('FS_ROOT')
    expect((await move(bench.cwd, join(bench.cwd, '..', 'x'))).code).toBe('FS_ROOT')
  })
})
