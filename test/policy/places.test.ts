import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, win32 } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compilePathPattern } from '#policy/path-pattern.ts'
import { createPlaces, type Place } from '#policy/places.ts'
import { contains } from '#workspace/path-inside.ts'
import { isTreacherousWindowsPath } from '#policy/windows-path.ts'
import { createFileSystem } from '#workspace/file-system.ts'
import { temporaryDirectory } from '../support/temporary.ts'

describe('places', () => {
  it('compares by path segment', () => {
    expect(contains('/w', '/w/a')).toBe(true)
    expect(contains('/w', '/w')).toBe(true)
    expect(contains('/w', '/w2')).toBe(false)
    expect(contains('/w', '/w/..cache')).toBe(true)
    expect(contains('/w', '/')).toBe(false)
    expect(contains('/', '/w')).toBe(true)
    expect(contains('/w/', '/w/a')).toBe(true)
    expect(contains('/w', '/w/a/../../x')).toBe(false)
    expect(contains('/w', '/w/./a')).toBe(true)
    expect(contains('/w', '/v/../w/a')).toBe(true)
    expect(contains('w', 'w/a')).toBe(true)
    expect(contains('/w', '/w/...')).toBe(true)
  })

  it('judges by the real path, of roots too', async () => {
    const base = await temporaryDirectory()
    await mkdir(join(base, 'real/sub'), { recursive: true })
    await mkdir(join(base, 'gitdir'))
    await symlink(join(base, 'real'), join(base, 'alias'))
    await symlink(join(base, 'nowhere/deep'), join(base, 'real/dangling'))
    await symlink(join(base, 'real/loop'), join(base, 'real/loop'))
    await symlink(join(base, 'real/sub'), join(base, 'real/.git'))
    await writeFile(join(base, 'real/file'), '')
    const places = createPlaces({
      roots: [join(base, 'alias')],
      own: [],
      resolve: (path) => join(base, 'alias', path),
      realPath: createFileSystem().realPath,
    })
    const judge = async (path: string, directory?: string) => {
      const { inside, protected: guarded } = await places.judge(path, directory)
      return [inside, guarded]
    }
    expect(await judge('file')).toEqual([true, false])
    expect(await judge('new/deep/file')).toEqual([true, false])
    expect(await judge('dangling')).toEqual([false, false])
    expect(await judge('loop')).toEqual([false, false])
    expect(await judge('file/below')).toEqual([false, false])
    expect(await judge('.git/config')).toEqual([true, true])
    expect(await judge('../file', 'sub')).toEqual([true, false])
    expect(await judge('../../file', 'sub')).toEqual([false, false])
    expect(await judge('')).toEqual([true, true])
    expect(await judge('a\0b')).toEqual([false, false])
  })

  it('lets only a person change what is run with our rights, its links, and what it lies in; everybody may read it', async () => {
    const base = await temporaryDirectory()
    await mkdir(join(base, 'tools/deep'), { recursive: true })
    await writeFile(join(base, 'tools/deep/plug.mjs'), '')
    await symlink(join(base, 'tools/deep/plug.mjs'), join(base, 'link.mjs'))
    const places = createPlaces({
      roots: [base],
      own: [],
      runs: [join(base, 'link.mjs'), join(base, 'not-yet.mjs')],
      resolve: (path) => join(base, path),
      realPath: createFileSystem().realPath,
    })
    const guarded = async (path: string) => {
      const { protected: isGuarded, secret } = await places.judge(path)
      expect(secret).toBe(false)
      return isGuarded
    }
    for (const path of ['tools/deep/plug.mjs', 'link.mjs', 'not-yet.mjs', 'tools', 'tools/deep'])
      expect(await guarded(path), path).toBe(true)
    for (const path of ['tools/other', 'tools/deep/other.mjs', 'x'])
      expect(await guarded(path), path).toBe(false)
  })

  it('asks once a moment where each path is, and anew in the next', async () => {
    const base = await temporaryDirectory()
    for (const name of ['one', 'two', 'root']) await mkdir(join(base, name))
    const link = join(base, 'root', 'link')
    await symlink(join(base, 'one'), link)
    const asked: string[] = []
    const { realPath } = createFileSystem()
    const places = createPlaces({
      roots: [join(base, 'root')],
      own: [join(base, 'own')],
      resolve: (path) => join(base, 'root', path),
      realPath: (path) => {
        asked.push(path)
        return realPath(path)
      },
    })
    const moment = places.now()
    expect((await moment.judge('link')).path).toBe(join(base, 'one'))
    expect((await moment.judge('')).inside).toBe(true)
    expect((await moment.judge('link')).path).toBe(join(base, 'one'))
    expect(asked.filter((path) => path === link)).toHaveLength(1)
    await rm(link)
    await symlink(join(base, 'two'), link)
    expect((await moment.judge('link')).path).toBe(join(base, 'one'))
    expect((await places.now().judge('link')).path).toBe(join(base, 'two'))
    expect((await places.judge('link')).path).toBe(join(base, 'two'))
  })

  it.each([
    '.git',
    '.GIT',
    '.Git/hooks/x',
    'a/.git/x',
    '.git./config',
    '.git /config',
    '.git::$INDEX_ALLOCATION/config',
    'GIT~1/config',
    '.g\u200cit/config',
    '.deckhand/config.jsonc',
    '.ssh/authorized_keys',
    '.ＧＩＴ/config',
  ])('protects %j', async (path) => {
    const places = createPlaces({
      roots: ['/w'],
      own: [],
      resolve: (name) => join('/w', name),
      realPath: async (name) => name,
    })
    expect((await places.judge(path)).protected).toBe(true)
  })

  it.each(['.gitignore', '.github/workflows/x.yml', 'git/x', 'a.git', '.sshx', 'src/.npmrc', '.bashrc'])(
    'does not protect %j in a project',
    async (path) => {
      const places = createPlaces({
        roots: ['/w'],
        own: [],
        resolve: (name) => join('/w', name),
        realPath: async (name) => name,
      })
      expect((await places.judge(path)).protected).toBe(false)
    },
  )

  it.each(['.bashrc', '.zshrc', '.profile', '.gitconfig', '.npmrc', '.netrc', '.ssh/config'])(
    'protects ~/%s where home is the project',
    async (path) => {
      const places = createPlaces({
        roots: [homedir()],
        own: [],
        resolve: (name) => join(homedir(), name),
        realPath: async (name) => name,
      })
      const { inside, protected: guarded, secret } = await places.judge(path)
      expect([inside, guarded, secret]).toEqual([
        true,
        true,
        ['.npmrc', '.netrc', '.ssh/config'].includes(path),
      ])
    },
  )
})

describe('Windows', () => {
  it.each([
    'C:\\w\\f:stream',
    'C:\\w\\f::$DATA',
    'C:\\w\\f.',
    'C:\\w\\f ',
    'C:\\w\\dir.\\f',
    'C:\\w\\CON',
    'C:\\w\\nul.txt',
    'C:\\w\\com1',
    '\\\\?\\C:\\w\\f',
    '\\\\.\\C:\\w\\f',
    '\\\\server\\share\\f',
    '//server/share/f',
    '/c/w/f',
    '/cygdrive/c/w/f',
    '/mnt/c/w/f',
    'C:f',
    '\\w\\f',
    'C:\\w\\a*',
  ])('%s is not what it seems (B198, B203)', (path) => expect(isTreacherousWindowsPath(path)).toBe(true))

  it.each([
    'C:\\w\\f',
    'c:/w/f.txt',
    'C:\\Users\\me\\project\\console.ts',
    'C:\\w\\.gitignore',
    'D:\\com10\\auxiliary',
  ])('%s is', (path) => {
    expect(isTreacherousWindowsPath(path)).toBe(false)
  })

  it('such a path is outside whatever it resolves to', async () => {
    const places = createPlaces({
      roots: ['/'],
      own: [],
      resolve: (path) => win32.resolve('C:\\w', path),
      realPath: async () => '/w',
      platform: 'win32',
    })
    expect((await places.judge('file:stream')).inside).toBe(false)
    expect((await places.judge('\\\\?\\C:\\w\\f')).inside).toBe(false)
    expect((await places.judge('f')).inside).toBe(true)
  })

  it('rules that forbid mean names with brackets in them as they are written', () => {
    const place = (path: string): Place => ({
      path: `/w/${path}`,
      literal: `/w/${path}`,
      root: '/w',
      inside: true,
      protected: false,
      secret: false,
      output: false,
    })
    for (const [pattern, path] of [
      ['app/[id]/**', 'app/[id]/page.tsx'],
      ['app/[id]', 'app/[id]/page.tsx'],
      ['app/[...all]/*.tsx', 'app/[...all]/page.tsx'],
      ['(group)/@slot/x', '(group)/@slot/x'],
      ['[id].tsx', 'deep/[id].tsx'],
    ] as const) {
      const compiled = compilePathPattern(pattern)
      expect([pattern, compiled.matches(place(path), true)]).toEqual([pattern, true])
      expect([pattern, compiled.matches(place('other/x'), true)]).toEqual([pattern, false])
    }
    const set = compilePathPattern('app/[ab]/**')
    expect(set.matches(place('app/a/x'), true)).toBe(true)
  })

  it('rules hold whatever the case, where the file system knows none', () => {
    const place = (path: string): Place => ({
      path,
      literal: path,
      root: '/w',
      inside: true,
      protected: false,
      secret: false,
      output: false,
    })
    for (const platform of ['win32', 'darwin'] as const) {
      expect(compilePathPattern('secrets/**', platform).matches(place('/w/Secrets/x'), true)).toBe(true)
    }
    expect(compilePathPattern('secrets/**', 'linux').matches(place('/w/Secrets/x'), true)).toBe(false)
    expect(compilePathPattern('caf\u00e9/**', 'darwin').matches(place('/w/cafe\u0301/x'), true)).toBe(true)
    expect(compilePathPattern('cafe\u0301/**', 'darwin').matches(place('/w/caf\u00e9/x'), true)).toBe(true)
  })
})
