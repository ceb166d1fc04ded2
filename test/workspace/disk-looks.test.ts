import * as fs from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DiskLooks } from '#workspace/disk-looks.ts'
import { temporaryDirectory } from '../support/temporary.ts'

vi.mock('node:fs', async (original) => {
  const real = await original<typeof fs>()
  return { ...real, statSync: vi.fn(real.statSync) }
})

/** Paths that were looked at on this thread, where a disk that hangs would stop everything. */
const here = () => vi.mocked(fs.statSync).mock.calls.map(([path]) => String(path))

/** On a busy machine a look may take long, and the next may come late. */
const timeStandsStill = () => vi.spyOn(performance, 'now').mockReturnValue(1)

let directory: string
const at = (name: string) => join(directory, name)
beforeEach(async () => {
  directory = await temporaryDirectory()
  await mkdir(at('mount'))
  for (const name of ['a', 'b']) await writeFile(at(name), name)
  vi.mocked(fs.statSync).mockClear()
})
afterEach(() => void vi.restoreAllMocks())

describe('a look at the disk', () => {
  it('is made on this thread only at a path that has just answered itself: what is beside it may hang', async () => {
    timeStandsStill()
    const looks = new DiskLooks()
    for (const name of ['', 'a', 'b', 'mount', 'mount/none', 'none']) await looks.realPath(at(name))
    await looks.stat(at('mount/other'))
    expect(here()).toEqual([])
    await looks.realPath(at('a'))
    await looks.stat(at('mount'))
    expect(here()).toEqual([at('a'), at('mount')])
  })

  it('is not made there when the last one took long, or is long ago', async () => {
    const looks = new DiskLooks()
    const time = vi.spyOn(performance, 'now')
    let now = 0
    const took = async (milliseconds: number): Promise<number> => {
      vi.mocked(fs.statSync).mockClear()
      time.mockReturnValueOnce(now).mockReturnValueOnce((now += milliseconds))
      await looks.stat(at('a'))
      return here().length
    }
    expect(await took(200)).toBe(0)
    expect(await took(1)).toBe(0)
    expect(await took(1)).toBe(1)
    // A disk that begins to be slow is asked here once.
    expect(await took(200)).toBe(1)
    expect(await took(1)).toBe(0)
    now += 60
    expect(await took(1)).toBe(0)
  })

  it('finds on this thread what it finds on another', async () => {
    timeStandsStill()
    const looks = new DiskLooks()
    await symlink(at('none'), at('dangling'))
    await symlink('a', at('link'))
    for (const name of ['a', 'link', 'dangling', 'none/below']) {
      const elsewhere = await looks.realPath(at(name))
      expect(await looks.realPath(at(name))).toBe(elsewhere)
    }
    expect(here()).toEqual(expect.arrayContaining([at('link'), at('dangling'), at('none')]))
  })

  it('that fails says nothing about the next', async () => {
    const looks = new DiskLooks()
    for (let again = 0; again < 2; again++)
      await expect(looks.stat(at('a/below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(here()).toEqual([])
  })
})
