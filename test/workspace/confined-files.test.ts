import { mkdir, readdir, readFile, rename, symlink, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { confineChanges } from '#workspace/confined-files.ts'
import { createFileSystem } from '#workspace/file-system.ts'
import { temporaryDirectory } from '../support/temporary.ts'

async function places() {
  const root = await temporaryDirectory()
  const [inside, outside] = [join(root, 'inside'), join(root, 'outside')]
  await Promise.all([mkdir(inside), mkdir(outside)])
  await writeFile(join(outside, 'theirs'), 'theirs')
  await writeFile(join(inside, 'ours'), 'ours')
  await symlink(outside, join(inside, 'way-out'))
  await symlink(join(outside, 'new'), join(inside, 'dangling'))
  const approved = new Set<string>()
  const files = confineChanges(
    createFileSystem(),
    async (path) => path.startsWith(`${inside}/`) || approved.has(path),
  )
  return { inside, outside, approved, files }
}

describe('confined changes', () => {
  it('reach what is inside, through links inside too', async () => {
    const { inside, files } = await places()
    await symlink(join(inside, 'ours'), join(inside, 'alias'))
    await files.write(join(inside, 'alias'), Buffer.from('changed'))
    expect(await readFile(join(inside, 'ours'), 'utf8')).toBe('changed')
    await files.move(join(inside, 'ours'), join(inside, 'renamed'))
    await files.remove(join(inside, 'alias'), false)
    expect((await readdir(inside)).toSorted()).toEqual(['dangling', 'renamed', 'way-out'])
  })

  it('never land outside through a link, whatever the change', async () => {
    const { inside, outside, files } = await places()
    const changes = [
      files.write(join(inside, 'way-out', 'new'), Buffer.from('x')),
      files.write(join(inside, 'dangling'), Buffer.from('x')),
      files.remove(join(inside, 'way-out', 'theirs'), false),
      files.move(join(inside, 'ours'), join(inside, 'way-out', 'ours')),
      files.move(join(inside, 'way-out', 'theirs'), join(inside, 'theirs')),
    ]
    for (const change of await Promise.allSettled(changes)) {
      expect(change).toMatchObject({ status: 'rejected', reason: { code: 'EACCES' } })
    }
    expect(await readdir(outside)).toEqual(['theirs'])
  })

  it('land outside where that very place was approved', async () => {
    const { inside, outside, approved, files } = await places()
    approved.add(join(outside, 'new'))
    await files.write(join(inside, 'dangling'), Buffer.from('x'))
    expect(await readFile(join(outside, 'new'), 'utf8')).toBe('x')
  })

  it.runIf(process.platform === 'linux')(
    'never land outside although the directory turns into a link when all has been looked at',
    async () => {
      const { inside, outside } = await places()
      await mkdir(join(inside, 'sub'))
      await writeFile(join(inside, 'sub', 'ours'), 'ours')
      const turned = confineChanges(createFileSystem(), async (path) => {
        await rename(join(inside, 'sub'), join(inside, 'aside')).catch(() => undefined)
        await symlink(outside, join(inside, 'sub')).catch(() => undefined)
        return path.startsWith(`${inside}/`)
      })
      const back = async (): Promise<void> => {
        await unlink(join(inside, 'sub'))
        await rename(join(inside, 'aside'), join(inside, 'sub'))
      }
      for (const change of [
        () => turned.write(join(inside, 'sub', 'theirs'), Buffer.from('x')),
        () => turned.write(join(inside, 'sub', 'new'), Buffer.from('x')),
        () => turned.write(join(inside, 'sub', 'made', 'new'), Buffer.from('x')),
        () => turned.remove(join(inside, 'sub', 'theirs'), false),
        () => turned.move(join(inside, 'sub', 'theirs'), join(inside, 'got')),
        () => turned.move(join(inside, 'ours'), join(inside, 'sub', 'put')),
      ]) {
        await expect(change()).rejects.toMatchObject({ code: 'EACCES' })
        await back()
      }
      expect(await readdir(outside)).toEqual(['theirs'])
      expect(await readFile(join(outside, 'theirs'), 'utf8')).toBe('theirs')
      expect(await readdir(join(inside, 'sub'))).toEqual(['ours'])
    },
  )

  it('say in their errors what was meant', async () => {
    const { inside, files } = await places()
    await mkdir(join(inside, 'full', 'inner'), { recursive: true })
    const full = join(inside, 'full')
    await expect(files.remove(full, false)).rejects.toMatchObject({
      code: 'ENOTEMPTY',
      path: full,
      message: expect.stringContaining(`'${full}'`),
    })
    await expect(files.move(join(inside, 'none'), full)).rejects.toMatchObject({
      code: 'ENOENT',
      path: join(inside, 'none'),
    })
  })
})
