import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { makeDirectory } from '#config/make-directory.ts'
import { temporaryDirectory } from '../support/temporary.ts'

let root = ''
beforeEach(async () => void (root = await temporaryDirectory()))

describe('makeDirectory', () => {
  it('makes what is missing, in the mode that was asked for, and takes what is there', async () => {
    const path = join(root, 'a', 'b', 'c')
    await makeDirectory(path, 0o700)
    await makeDirectory(path)
    expect(statSync(path).isDirectory()).toBe(true)
    if (process.platform !== 'win32') expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o700)
  })

  it('lets several make the same', async () => {
    const path = join(root, 'a', 'b', 'c')
    await Promise.all(Array.from({ length: 20 }, () => makeDirectory(path)))
    expect(existsSync(path)).toBe(true)
  })

  it.each(['file', 'file/below', 'file/far/below'])('rejects for %s, where a file stands', async (name) => {
    writeFileSync(join(root, 'file'), 'x')
    await expect(makeDirectory(join(root, name))).rejects.toMatchObject({
      code: expect.stringMatching(/^(EEXIST|ENOTDIR|ENOENT)$/) as string,
    })
  })

  it.runIf(process.platform === 'linux')('ends where a directory takes no entries', async () => {
    await expect(makeDirectory('/proc/deckhand/below/this')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
