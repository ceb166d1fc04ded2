import { mkdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#json/value.ts'
import { type Bench, openBench, viewOf } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())

let clock = 1_700_000_000
async function put(name: string, content = 'x\n'): Promise<void> {
  const path = join(bench.cwd, name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  await utimes(path, clock, (clock += 10))
}
async function paths(args: JsonObject): Promise<unknown> {
  const value = await bench.value('glob', args)
  return (value as { paths: string[] }).paths
}
const grep = (args: JsonObject) => bench.run('grep', args)

describe('glob', () => {
  it('lists newest first, in pages', async () => {
    for (const name of ['a.ts', 'src/b.ts', 'src/c.js', 'src/d.ts']) await put(name)
    expect(await paths({ pattern: '*.ts' })).toEqual(['src/d.ts', 'src/b.ts', 'a.ts'])
    expect(await paths({ pattern: 'src/*.ts' })).toEqual(['src/d.ts', 'src/b.ts'])
    expect(await paths({ pattern: '**/*.ts', path: 'src' })).toEqual(['src/d.ts', 'src/b.ts'])
    expect(await paths({ pattern: 'b.*', path: join(bench.cwd, 'src') })).toEqual([
      join(bench.cwd, 'src/b.ts'),
    ])
    expect(await paths({ pattern: join(bench.cwd, 'src/*.js') })).toEqual(['src/c.js'])
    const page = await bench.run('glob', { pattern: '*.ts', offset: 1, limit: 1 })
    expect(page.text).toBe('src/b.ts\n\n[2–2 of 3 files; continue with offset 2]')
    expect(viewOf(bench, 'glob', { pattern: '*.ts' }, page)).toEqual({
      card: 'search',
      shape: 'paths',
      paths: ['src/b.ts'],
      truncated: true,
      total: 3,
    })
  })

  it('B170: hidden yes, .git and ignored no, named always', async () => {
    for (const name of ['.github/w.yml', '.git/c.yml', 'out/o.yml', 'a.yml', '.env']) await put(name)
    await put('.gitignore', 'out/\n.env\n')
    expect(await paths({ pattern: '**/*.yml' })).toEqual(['a.yml', '.github/w.yml'])
    expect(await paths({ pattern: '*', path: 'out' })).toEqual(['out/o.yml'])
    expect(await paths({ pattern: '*.yml', path: '.git' })).toEqual(['.git/c.yml'])
    const empty = await bench.run('glob', { pattern: '.env' })
    expect(empty.result.isError).toBe(false)
    expect(empty.text).toMatch(/^No files match\. Not searched: .*include_ignored/)
    expect(await paths({ pattern: '*.yml', include_ignored: true })).toHaveLength(4)
  })

  it('B169, B174: dashes, brackets and blanks in names', async () => {
    for (const name of ['-x/-foo', 'app/[id]/page.tsx', 'a b.txt', 'new\nline.txt']) await put(name)
    expect(await paths({ pattern: '-*' })).toEqual(['-x/-foo'])
    expect(await paths({ pattern: '*', path: '-x' })).toEqual(['-x/-foo'])
    expect(await paths({ pattern: '*', path: 'app/[id]' })).toEqual(['app/[id]/page.tsx'])
    expect(await paths({ pattern: 'app/[id]/page.tsx' })).toEqual(['app/[id]/page.tsx'])
    expect(await paths({ pattern: '*.txt' })).toEqual(['new\nline.txt', 'a b.txt'])
  })

  it('tells why a pattern is invalid, unless something is called so', async () => {
    for (const name of ['a.ts', '[[...slug]].ts', 'odd]).ts', 'open[', 'sub/(b']) await put(name)
    for (const pattern of ['[', '{a,b', '*.{ts,tsx', '@(a|b', '[z-a]', 'sub/[', 'x'.repeat(70_000)]) {
      const { code, text } = await bench.run('glob', { pattern })
      expect([code, text]).toEqual(['SEARCH_INVALID_PATTERN', expect.stringMatching(/pattern is invalid: ./)])
    }
    expect((await bench.run('glob', { pattern: '{a,b' })).text).toContain(
      'the pattern is invalid: "{a,b": "{" has no "}"; a backslash before it makes it a character',
    )
    expect(await paths({ pattern: 'open[' })).toEqual(['open['])
    expect(await paths({ pattern: 'sub/(b' })).toEqual(['sub/(b'])
    expect(await paths({ pattern: '*\\[' })).toEqual(['open['])
    expect(await paths({ pattern: '[[...slug]].ts' })).toEqual(['[[...slug]].ts'])
    expect(await paths({ pattern: '*]).ts' })).toEqual(['odd]).ts'])
  })

  it('B175: does not follow links', async () => {
    await put('real.txt')
    await symlink('.', join(bench.cwd, 'loop'))
    await symlink('/', join(bench.cwd, 'root'))
    expect(await paths({ pattern: '**/*' })).toEqual(['real.txt'])
  })

  it('shows at most 200, counts all, and refuses a missing root', async () => {
    await Promise.all(Array.from({ length: 230 }, (_, n) => put(`f/${n}.txt`)))
    const { text } = await bench.run('glob', { pattern: '*', limit: 1_000 })
    expect(text.split('\n')).toHaveLength(202)
    expect(text).toContain('[1–200 of 230 files; continue with offset 200]')
    expect((await bench.run('glob', { pattern: '*', path: 'no' })).code).toBe('FS_NOT_FOUND')
    expect((await bench.run('glob', { pattern: '*', limit: 0 })).code).toBe('INVALID_ARGS')
  })
})

describe('grep', () => {
  it('gives matches per file, with context and pages', async () => {
    await put('a.txt', 'one\ntwo\nthree\nfour\nfive\n')
    await put('b.txt', 'two\r\n')
    const all = await grep({ pattern: 't(wo|hree)' })
    expect(all.text).toBe('a.txt\n2:two\n3:three\n\nb.txt\n1:two\n\n[3 matches]')
    expect(viewOf(bench, 'grep', { pattern: 't' }, all)).toEqual({
      card: 'search',
      shape: 'matches',
      truncated: false,
      total: 3,
      files: [
        {
          path: 'a.txt',
          matches: [
            { lineNumber: 2, line: 'two' },
            { lineNumber: 3, line: 'three' },
          ],
        },
        { path: 'b.txt', matches: [{ lineNumber: 1, line: 'two' }] },
      ],
    })
    const page = await grep({ pattern: 't(wo|hree)', offset: 1, limit: 1, context: 1 })
    expect(page.text).toBe('a.txt\n3:three\n4-four\n\n[2–2 of 3 matches; continue with offset 2]')
    const around = await grep({ pattern: '^(one|five)$', context: 1 })
    expect(around.text).toBe('a.txt\n1:one\n2-two\n--\n4-four\n5:five\n\n[2 matches]')
  })

  it('lists files and counts', async () => {
    await put('a.txt', 'x\nx\n')
    await put('b.ts', 'x\n')
    expect((await grep({ pattern: 'x', output: 'files' })).text).toBe('a.txt\nb.ts\n\n[2 files]')
    const counts = await grep({ pattern: 'x', output: 'count' })
    expect(counts.text).toBe('a.txt: 2\nb.ts: 1\n\n[2 files] [3 matches in all]')
    expect(viewOf(bench, 'grep', { pattern: 'x' }, counts)).toBeUndefined()
    expect((await grep({ pattern: 'x', include: '*.ts' })).text).toBe('b.ts\n1:x\n\n[1 match]')
  })

  it('B167, B169: takes patterns and paths for what they are', async () => {
    await put('-x', 'a -foo b\n--files\n-e\n')
    for (const pattern of ['-foo', '--files', '-e$'])
      expect((await grep({ pattern })).text).toContain('[1 match]')
    expect((await grep({ pattern: 'foo', path: '-x' })).text).toContain('1:a -foo b')
    expect((await grep({ pattern: 'foo', path: '-' })).code).toBe('FS_NOT_FOUND')
  })

  it('B170: hidden yes, ignored only when named or asked for', async () => {
    await put('.github/w.yml', 'needle\n')
    await put('.env', 'needle\n')
    await put('node_modules/m.js', 'needle\n')
    await put('.gitignore', '.env\nnode_modules/\n')
    expect((await grep({ pattern: 'needle' })).text).toBe('.github/w.yml\n1:needle\n\n[1 match]')
    for (const path of ['.github', '.env', 'node_modules']) {
      expect((await grep({ pattern: 'needle', path })).text).toContain('1:needle')
    }
    expect((await grep({ pattern: 'needle', include: '.env' })).text).toMatch(/^No matches\. Not searched/)
    expect((await grep({ pattern: 'needle', include_ignored: true })).text).toContain('[3 matches]')
  })

  it('tells why a pattern is invalid', async () => {
    await put('a.txt')
    for (const pattern of ['(', 'a\\nb', '[z-a]']) {
      const { code, text } = await grep({ pattern })
      expect([code, text]).toEqual(['SEARCH_INVALID_PATTERN', expect.stringMatching(/pattern is invalid: ./)])
    }
    expect((await grep({ pattern: 'x', include: '[b' })).code).toBe('SEARCH_INVALID_PATTERN')
    expect((await grep({ pattern: 'nothing here' })).result.isError).toBe(false)
    expect((await grep({ pattern: '' })).code).toBe('INVALID_ARGS')
  })

  it('matches over lines, ignores case, cuts long lines on a character', async () => {
    await put('m.txt', 'Begin\nEND\n')
    expect((await grep({ pattern: 'begin\\nend', multiline: true, ignore_case: true })).text).toContain(
      '1:Begin\n2:END',
    )
    await put('wide.txt', `${'漢'.repeat(1_000)}!\n`)
    const { text } = await grep({ pattern: '!', path: 'wide.txt' })
    expect(text).toContain(`1:${'漢'.repeat(666)}… [line cut: 1003 more bytes]`)
  })

  it('shows 250 matches and counts all', async () => {
    await put('many.txt', 'x\n'.repeat(1_000))
    expect((await grep({ pattern: 'x' })).text).toContain('[1–250 of 1000 matches; continue with offset 250]')
    expect((await grep({ pattern: 'x', offset: 5_000 })).text).toBe(
      '[offset 5000 is past the end: 1000 matches]',
    )
  })

  it('stops at 20 MB of raw output and says "at least"', async () => {
    await put('huge.txt', `${'y'.repeat(9_999)}\n`.repeat(2_500))
    const { result, text } = await grep({ pattern: 'y', limit: 1 })
    expect(result.meta).toMatchObject({ atLeast: true, truncated: true })
    expect(text).toMatch(/\[1–1 of at least \d+ matches; continue with offset 1\]$/)
  })

  it('presents both tools', () => {
    const glob = bench.tool('glob').presentCall?.({ pattern: '**/*.ts' })
    expect(glob).toEqual({
      card: 'generic',
      title: 'Glob `**/*.ts`',
      kind: 'search',
      rawInput: { pattern: '**/*.ts' },
    })
    expect(bench.tool('grep').presentCall?.({ pattern: 'a`b', path: 'src' })).toMatchObject({
      title: 'Grep ``a`b`` in `src`',
      locations: [{ path: 'src' }],
    })
    expect(bench.tool('grep').isConcurrencySafe?.({ pattern: 'x' })).toBe(true)
  })

  it('ends when cancelled', async () => {
    await put('huge.txt', `${'y'.repeat(999)}\n`.repeat(20_000))
    const controller = new AbortController()
    const running = bench.run('grep', { pattern: '(y+y+)+z|y' }, controller.signal)
    setTimeout(() => controller.abort(), 20)
    expect((await running).code).toBe('ABORTED')
  })
})
