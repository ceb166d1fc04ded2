// Races: while a directory of the project turns into a link that leads out, and back, no change lands outside.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { confineChanges } from '#workspace/confined-files.ts'
import { createFileSystem, type FileSystem } from '#workspace/file-system.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { LONG } from './scale.ts'

interface Racing {
  /** What turns the directory. */
  child: ChildProcess
  inside: string
  outside: string
  files: FileSystem
}

async function race(): Promise<Racing> {
  const root = await realpath(await temporaryDirectory())
  const [inside, outside] = [join(root, 'inside'), join(root, 'outside')]
  await mkdir(join(inside, 'sub', 'deep'), { recursive: true })
  await mkdir(join(outside, 'deep'), { recursive: true })
  for (const place of ['ours', 'deep/ours']) await writeFile(join(outside, place), 'theirs')
  const child = swapping(join(inside, 'sub'), join(inside, 'aside'), outside)
  await once(child.stdout as NodeJS.ReadableStream, 'data')
  const files = confineChanges(createFileSystem(), async (path) => path.startsWith(`${inside}/`))
  return { child, inside, outside, files }
}

function swapping(...paths: string[]): ChildProcess {
  const script = fileURLToPath(new URL('swap-child.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...paths], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await closed
  })
  return child
}

const settled = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error)

describe.runIf(process.platform === 'linux')('while a directory turns into a link and back', () => {
  it('nothing is written, made, moved or removed outside', { timeout: LONG ? 0 : 60_000 }, async () => {
    const { child, inside, outside, files } = await race()
    const until = Date.now() + (LONG ? 120_000 : 3000)
    let [rounds, done] = [0, 0]
    while (Date.now() < until) {
      rounds++
      const place = join(inside, 'sub', ...(rounds % 2 === 0 ? ['deep'] : []))
      if (
        !((await settled(files.write(join(place, 'ours'), Buffer.from(`text ${rounds}`)))) instanceof Error)
      )
        done++
      await settled(files.write(join(place, `new-${rounds % 7}`), Buffer.from('new')))
      await settled(files.write(join(place, `made-${rounds % 7}`, 'new'), Buffer.from('new')))
      await settled(files.move(join(place, `new-${rounds % 7}`), join(place, 'moved')))
      await settled(files.remove(join(place, 'moved'), false))
      await settled(files.remove(join(place, 'ours'), false))
      await settled(files.remove(join(place, `made-${rounds % 7}`), true))
      expect((await readdir(outside, { recursive: true })).sort()).toEqual(['deep', 'deep/ours', 'ours'])
      for (const theirs of ['ours', 'deep/ours'])
        expect(await readFile(join(outside, theirs), 'utf8')).toBe('theirs')
    }
    expect(child.exitCode).toBeNull()
    console.log(`races: ${rounds} rounds, ${done} times the file was written`)
    expect(done).toBeGreaterThan(5)
    expect(rounds).toBeGreaterThan(done)
  })
})
