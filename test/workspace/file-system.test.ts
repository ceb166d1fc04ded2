import {
  chmod,
  chown,
  link,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ReadOnlyFileError } from '#workspace/atomic-write.ts'
import { realPathNow } from '#workspace/disk-looks.ts'
import { createFileSystem } from '#workspace/file-system.ts'
import { withPathLock } from '#workspace/path-lock.ts'
import { createWorkspace } from '#workspace/workspace.ts'

const files = createFileSystem()
let cwd: string
beforeEach(async () => void (cwd = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-fs-')))))
afterEach(() => rm(cwd, { recursive: true, force: true }))
const at = (name: string) => join(cwd, name)

describe('write', () => {
  it('replaces in one step: another inode, same mode, nothing left over', async () => {
    await writeFile(at('f'), 'old')
    await chmod(at('f'), 0o751)
    const before = await stat(at('f'))
    await files.write(at('f'), Buffer.from('new'))
    const after = await stat(at('f'))
    expect(await readFile(at('f'), 'utf8')).toBe('new')
    expect([after.ino === before.ino, after.mode, await readdir(cwd)]).toEqual([false, before.mode, ['f']])
  })

  it('writes all of a large file, and an empty one', async () => {
    const bytes = Buffer.alloc(20_000_000, 'abcdefg')
    await files.write(at('big'), bytes)
    expect((await readFile(at('big'))).equals(bytes)).toBe(true)
    await files.write(at('big'), Buffer.alloc(0))
    expect((await stat(at('big'))).size).toBe(0)
  })

  it('writes a file with several links in place, shorter too', async () => {
    await writeFile(at('f'), 'a long text')
    await link(at('f'), at('g'))
    await files.write(at('f'), Buffer.from('short'))
    expect([await readFile(at('g'), 'utf8'), await readdir(cwd)]).toEqual(['short', ['f', 'g']])
  })

  it.runIf(process.getuid?.() === 0)('leaves a file to its owner', async () => {
    await writeFile(at('f'), 'old')
    await chown(at('f'), 1234, 1234)
    await files.write(at('f'), Buffer.from('new'))
    const { uid, gid } = await stat(at('f'))
    expect([await readFile(at('f'), 'utf8'), uid, gid, await readdir(cwd)]).toEqual([
      'new',
      1234,
      1234,
      ['f'],
    ])
  })

  it('refuses a read-only file', async () => {
    await writeFile(at('f'), 'old')
    await chmod(at('f'), 0o400)
    await expect(files.write(at('f'), Buffer.from('new'))).rejects.toBeInstanceOf(ReadOnlyFileError)
    expect(await readFile(at('f'), 'utf8')).toBe('old')
  })

  it('writes through chains of links', async () => {
    await symlink('b', at('a'))
    await symlink(at('sub/c'), at('b'))
    expect(await files.realPath(at('a'))).toBe(at('sub/c'))
    await files.write(at('a'), Buffer.from('x'))
    expect([(await lstat(at('a'))).isSymbolicLink(), await readFile(at('sub/c'), 'utf8')]).toEqual([
      true,
      'x',
    ])
  })
})

describe('stat and realPath', () => {
  it('tell kinds, and where a new file would be', async () => {
    await symlink('.', at('here'))
    expect(await files.stat(cwd)).toMatchObject({ kind: 'directory' })
    expect(await files.stat('/dev/null')).toMatchObject({ kind: 'other' })
    expect(await files.stat(at('no'))).toBeUndefined()
    const deep = Array.from({ length: 60 }, () => 'd').join('/')
    expect(await files.realPath(at(`here/${deep}/f`))).toBe(at(`${deep}/f`))
  })
})

describe('looks at a path that has just answered', () => {
  const NAMES = [
    '',
    'file',
    'here',
    'here/here/file',
    'here/no/such',
    'dangling',
    'again/below',
    'no',
    'no/no',
    'loop',
    'file/x',
  ]
  beforeEach(async () => {
    await writeFile(at('file'), 'abc')
    await symlink('.', at('here'))
    await symlink('nowhere/deep', at('dangling'))
    await symlink('dangling', at('again'))
    await symlink('loop', at('loop'))
  })
  const outcome = (look: Promise<unknown>) =>
    look.catch((error: { code?: string }) => ({ failed: error.code }))

  it('find what those that wait find', async () => {
    for (const name of NAMES) {
      const waiting = createFileSystem()
      const expected = [
        await outcome(waiting.realPath(at(name))),
        await outcome(createFileSystem().stat(at(name))),
      ]
      for (let again = 0; again < 2; again++) {
        expect(await outcome(waiting.realPath(at(name))), name).toEqual(expected[0])
        expect(await outcome(waiting.stat(at(name))), name).toEqual(expected[1])
      }
    }
    for (const name of NAMES.filter((one) => one !== 'loop' && one !== 'file/x'))
      expect(realPathNow(at(name)), name).toBe(await files.realPath(at(name)))
    expect(() => realPathNow(at('loop'))).toThrow(/ELOOP/)
    expect(await files.realPath(at('again/below'))).toBe(at('nowhere/deep/below'))
    expect(await outcome(files.realPath(at('loop')))).toEqual({ failed: 'ELOOP' })
  })

  it('see what has changed since', async () => {
    expect(await files.realPath(at('file'))).toBe(at('file'))
    await rm(at('file'))
    await symlink('here/other', at('file'))
    expect(await files.realPath(at('file'))).toBe(at('other'))
    await rm(at('file'))
    expect(await files.stat(at('file'))).toBeUndefined()
    await writeFile(at('file'), 'longer')
    expect(await files.stat(at('file'))).toEqual({ kind: 'file', size: 6 })
  })
})

describe('workspace', () => {
  it('resolves without expanding anything', () => {
    const workspace = createWorkspace({ cwd: '/w/main', roots: ['/w/main', '../other'] })
    expect(workspace.roots).toEqual(['/w/main', '/w/other'])
    for (const name of ['~', '~/x', '$HOME', '*', '%20'])
      expect(workspace.resolve(name)).toBe(`/w/main/${name}`)
    expect(workspace.resolve('/etc/x')).toBe('/etc/x')
  })
})

it('path lock: one at a time, in order, failures included', async () => {
  const order: string[] = []
  const step = (name: string, ms: number) => async () => {
    order.push(`${name}+`)
    await new Promise((resolve) => setTimeout(resolve, ms))
    order.push(`${name}-`)
    if (name === 'a') throw new Error('a failed')
    return name
  }
  const results = await Promise.allSettled([
    withPathLock('/f', step('a', 20)),
    withPathLock('/f', step('b', 1)),
  ])
  expect(order).toEqual(['a+', 'a-', 'b+', 'b-'])
  expect(results).toMatchObject([{ status: 'rejected' }, { status: 'fulfilled', value: 'b' }])
})
