import { chmod, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CodeCache } from '#boot/code-cache.ts'
import { keptFilesIn } from '#boot/kept-files.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** What it exports is compiled by V8 when it is called first. */
const SOURCE = `exports.sum = (n) => { let sum = 0; ${'for (let i = 0; i < n; i++) sum += i;'.repeat(50)} return sum }`
const PATH = '/bundle/chunk.cjs'
const HEADER = 16

type Exports = { sum(n: number): number; file?: string }
let directory: string
beforeEach(async () => void (directory = await temporaryDirectory()))
const nameOf = (source: string, name = 'chunk') =>
  `${name}-${crc32(source).toString(16).padStart(8, '0')}.bin`
const kept = (source = SOURCE) => join(directory, nameOf(source))
const codeOf = async (source = SOURCE) => (await readFile(kept(source))).subarray(HEADER)

/** A process of its own, as far as the cache can tell. */
function start(source = SOURCE, at: string | undefined = directory) {
  const cache = new CodeCache(at === undefined ? undefined : keptFilesIn(at))
  const module = { exports: {} as Exports }
  const run = cache.compile(PATH, Buffer.from(source))
  run(module.exports, () => undefined, module, PATH, '/bundle')
  return { cache, sum: module.exports.sum }
}

/** Changes the bytes of what is kept. */
async function change(work: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(kept())
  work(bytes)
  await writeFile(kept(), bytes)
}

describe('the code of a chunk', () => {
  it('is kept with what has run', async () => {
    directory = join(directory, 'made', 'now')
    start().cache.keep()
    const idle = (await codeOf()).length
    const other = `${SOURCE} `
    const worked = start(other)
    expect(worked.sum(3)).toBe(150)
    worked.cache.keep()
    expect((await codeOf(other)).length).toBeGreaterThan(idle + 1000)
    expect((await readdir(directory)).toSorted()).toEqual([nameOf(SOURCE), nameOf(other)].toSorted())
    expect((await stat(kept())).mode & 0o077).toBe(0)
  })

  it('is used, and left alone by a process that has done no more', async () => {
    start().cache.keep()
    // Nobody works twice as long as this.
    await change((bytes) => bytes.writeUInt32LE(0x7fff_ffff, 12))
    const before = await readFile(kept())
    const again = start()
    expect(again.sum(3)).toBe(150)
    again.cache.keep()
    expect(await readFile(kept())).toEqual(before)
  })

  it('stays when a process that has worked twice as long has no more of it', async () => {
    const first = start()
    first.sum(3)
    first.cache.keep()
    const { length } = await codeOf()
    await change((bytes) => bytes.writeUInt32LE(0, 12))
    start().cache.keep()
    const noted = await readFile(kept())
    expect([noted.length, noted.readUInt32LE(12) > 0]).toEqual([length + HEADER, true])
  })

  it('is looked at again by a process that has worked much, whatever the one before it did', async () => {
    start().cache.keep()
    await change((bytes) => bytes.writeUInt32LE(0x7fff_ffff, 12))
    const again = start()
    vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 5_000_000, system: 0 })
    again.cache.keep()
    vi.restoreAllMocks()
    expect((await readFile(kept())).readUInt32LE(12)).toBe(5000)
  })

  it('is kept again when another chunk came, and for long ones then only', async () => {
    const { cache } = start()
    cache.keep()
    await rm(kept())
    cache.keep()
    expect(await readdir(directory)).toEqual([])
    cache.compile('/bundle/other.cjs', Buffer.from('exports.a = 1'))
    cache.keep()
    expect((await readdir(directory)).toSorted()).toEqual([nameOf(SOURCE), nameOf('exports.a = 1', 'other')])
  })

  it.runIf(process.getuid)('of a directory that others can fill is not run, and not added to', async () => {
    start().cache.keep()
    await change((bytes) => bytes.writeUInt32LE(0, 12))
    await chmod(directory, 0o777)
    const before = await readFile(kept())
    start().cache.keep()
    expect(await readFile(kept())).toEqual(before)
    await chmod(directory, 0o700)
    start().cache.keep()
    expect(await readFile(kept())).not.toEqual(before)
  })

  it.each([
    ['another source', (bytes: Buffer) => bytes.writeUInt32LE(1, 4)],
    ['a bit that has turned', (bytes: Buffer) => bytes.writeUInt8(bytes.readUInt8(500) ^ 1, 500)],
    ['another format', (bytes: Buffer) => bytes.writeUInt32LE(1, 0)],
    ['nothing in it', (bytes: Buffer) => bytes.fill(0)],
  ])('of %s is not used, and replaced', async (_what, damage) => {
    start().cache.keep()
    await change((bytes) => {
      bytes.writeUInt32LE(0x7fff_ffff, 12)
      damage(bytes)
    })
    const damaged = await readFile(kept())
    const next = start()
    expect(next.sum(3)).toBe(150)
    next.cache.keep()
    expect((await readFile(kept())).equals(damaged)).toBe(false)
    expect((await readFile(kept())).readUInt32LE(12)).toBeLessThan(0x7fff_ffff)
  })

  it('that is cut short, or another V8 made, is not used', async () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('no code'), Buffer.alloc(HEADER)]) {
      await writeFile(kept(), bytes)
      expect(start().sum(3)).toBe(150)
    }
  })

  it('is of no consequence where it can not be kept', async () => {
    await writeFile(join(directory, 'file'), '')
    for (const at of [undefined, join(directory, 'file', 'below')]) {
      const { cache, sum } = start(SOURCE, at)
      expect(() => cache.keep()).not.toThrow()
      expect(sum(3)).toBe(150)
    }
    await rm(kept(), { force: true })
    await mkdir(kept())
    expect(() => start().cache.keep()).not.toThrow()
    expect((await readdir(directory)).toSorted()).toEqual([nameOf(SOURCE), 'file'])
  })

  it('that nobody has written for long goes, that of other Nodes too, and what was never finished', async () => {
    const base = directory
    directory = join(base, 'code-v24')
    const day = 24 * 3600
    const now = Date.now() / 1000
    for (const [name, days] of Object.entries({
      'code-v20/a.bin': 61,
      'code-v22/a.bin': 61,
      'code-v22/b.bin': 59,
      'code-v24/old.bin': 61,
      'code-v24/young.bin': 59,
      'code-v24/a.bin.123': 2,
      'code-v24/b.bin.123': 0,
      'other/a.bin': 61,
    })) {
      await mkdir(join(base, name, '..'), { recursive: true, mode: 0o700 })
      await writeFile(join(base, name), '')
      await utimes(join(base, name), now - days * day, now - days * day)
    }
    await mkdir(join(directory, 'a-folder'))
    start().cache.keep()
    expect((await readdir(base)).toSorted()).toEqual(['code-v22', 'code-v24', 'other'])
    expect(await readdir(join(base, 'code-v22'))).toEqual(['b.bin'])
    const left = ['a-folder', 'b.bin.123', nameOf(SOURCE), 'young.bin']
    expect((await readdir(directory)).toSorted()).toEqual(left)
  })
})

it('a syntax error names the file and the place in it', () => {
  expect(() => start('let a =\n  )')).toThrow(SyntaxError)
  try {
    start('let a = )')
  } catch (error) {
    expect((error as Error).stack).toContain(`${PATH}:1\n`)
  }
})
