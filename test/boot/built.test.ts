// The built command with an empty cache, a good one and a bad one.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { runBin } from '../cli/run-bin.ts'
import { scriptedBin } from '../support/scripted-bin.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** More work than any process does. */
const ALL_WORK = 0x7fff_ffff
const WORK_AT = 12

let home: string
let env: Record<string, string>
beforeEach(async () => {
  home = await temporaryDirectory()
  env = { XDG_CACHE_HOME: home, NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '' }
})

type Kept = Map<string, Buffer>

async function kept(below = join(home, 'deckhand')): Promise<Kept> {
  const files: Kept = new Map()
  for (const folder of await readdir(below).catch(() => []))
    for (const name of await readdir(join(below, folder)))
      files.set(join(below, folder, name), await readFile(join(below, folder, name)))
  return files
}

async function change(work: (bytes: Buffer) => void): Promise<Kept> {
  const files = await kept()
  for (const [path, bytes] of files) {
    work(bytes)
    await writeFile(path, bytes)
  }
  return files
}

const sizeOf = (files: Kept, name: RegExp) => [...files].find(([path]) => name.test(path))?.[1].length ?? 0

async function start(prompts: readonly string[]): Promise<{ code: number | null; stderr: string }> {
  const turns = [
    {
      steps: [
        { do: [{ call: { id: 'r', name: 'read', arguments: { file_path: 'a' } } }] },
        { do: [{ text: 'Read.' }] },
      ],
    },
  ]
  const { client, cwd } = await scriptedBin({ turns, files: { a: 'text\n' }, env })
  await client.initialize()
  if (prompts.length > 0) {
    const { sessionId } = await client.request('session/new', { cwd, mcpServers: [] })
    for (const text of prompts) {
      const prompt = [{ type: 'text', text }]
      expect(await client.request('session/prompt', { sessionId, prompt })).toEqual({
        stopReason: 'end_turn',
      })
    }
  }
  return { code: await client.end(), stderr: client.stderr }
}

describe('the code cache', () => {
  it('is filled by the first process, grows with one that does more, and is then left alone', async () => {
    expect(await start([])).toEqual({ code: 0, stderr: '' })
    const idle = await kept()
    expect([...idle.keys()].some((path) => /[\\/]start-[\w-]+\.bin$/.test(path))).toBe(true)
    await change((bytes) => bytes.writeUInt32LE(0, WORK_AT))
    expect(await start(['Go.'])).toEqual({ code: 0, stderr: '' })
    const worked = await kept()
    expect(sizeOf(worked, /session-[A-Za-z0-9_-]{8}-[0-9a-f]{8}\.bin/)).toBeGreaterThan(
      1.2 * sizeOf(idle, /session-[A-Za-z0-9_-]{8}-[0-9a-f]{8}\.bin/),
    )
    const all = await change((bytes) => bytes.writeUInt32LE(ALL_WORK, WORK_AT))
    expect(await start(['Go.'])).toEqual({ code: 0, stderr: '' })
    expect(await kept()).toEqual(all)
  })

  it('that is damaged costs nothing but its use', async () => {
    await start([])
    const damaged = await change((bytes) => {
      bytes.writeUInt32LE(ALL_WORK, WORK_AT)
      bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1)
    })
    expect(await start(['Go.'])).toEqual({ code: 0, stderr: '' })
    const repaired = await kept()
    for (const [path, bytes] of damaged) expect(repaired.get(path)?.equals(bytes), path).toBe(false)
  })

  it('lies where Node’s lies when that is said, or nowhere', async () => {
    env['NODE_COMPILE_CACHE'] = join(home, 'own')
    expect(await start([])).toEqual({ code: 0, stderr: '' })
    expect([...(await kept(join(home, 'own'))).keys()].filter((path) => path.endsWith('.bin'))).not.toEqual(
      [],
    )
    env = { ...env, NODE_COMPILE_CACHE: '', NODE_DISABLE_COMPILE_CACHE: '1' }
    expect(await start([])).toEqual({ code: 0, stderr: '' })
    expect((await kept()).size).toBe(0)
  })

  it('is not made for an answer of one line, nor where it can not be', async () => {
    expect(await runBin(['--version'], { env })).toMatchObject({ code: 0, stderr: '' })
    expect((await kept()).size).toBe(0)
    await mkdir(join(home, 'no'))
    await writeFile(join(home, 'no', 'deckhand'), 'a file')
    env['XDG_CACHE_HOME'] = join(home, 'no')
    expect(await start([])).toEqual({ code: 0, stderr: '' })
  })
})
