import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { link, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'

const WRITER = fileURLToPath(new URL('crash-writer.ts', import.meta.url))
const SIZE = 3_000_000

let cwd: string
beforeEach(async () => void (cwd = await mkdtemp(join(tmpdir(), 'deckhand-crash-'))))
afterEach(() => rm(cwd, { recursive: true, force: true }))

async function killWhileWriting(file: string, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, [WRITER, file], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  await sleep(afterMs)
  child.kill('SIGKILL')
  const [, signal] = await once(child, 'exit')
  expect(signal).toBe('SIGKILL')
}

/** `A` or `B`, when the file is whole; whatever else is there. */
async function wholeness(path: string): Promise<string> {
  const bytes = await readFile(path)
  const sign = String.fromCharCode(bytes[0] ?? 0)
  return bytes.length === SIZE && bytes.equals(Buffer.alloc(SIZE, sign))
    ? sign
    : `a mix of ${bytes.length} bytes`
}

it('SIGKILL at 50 random moments leaves the old or the new file', { timeout: 60_000 }, async () => {
  const seen: string[] = []
  const worker = async (name: string): Promise<void> => {
    const file = join(cwd, name)
    await writeFile(file, Buffer.alloc(SIZE, 'A'))
    for (let round = 0; round < 25; round += 1) {
      await killWhileWriting(file, Math.random() * 60)
      seen.push(await wholeness(file))
    }
  }
  await Promise.all([worker('one'), worker('two')])
  expect(seen).toHaveLength(50)
  expect(seen.filter((sign) => sign !== 'A' && sign !== 'B')).toEqual([])
})

it('a file that is written in place is whole, or its recovery copy is', { timeout: 60_000 }, async () => {
  const file = join(cwd, 'f')
  await writeFile(file, Buffer.alloc(SIZE, 'A'))
  await link(file, join(cwd, 'other'))
  for (let round = 0; round < 8; round += 1) {
    await killWhileWriting(file, Math.random() * 60)
    const copies = (await readdir(cwd)).filter((name) => name.endsWith('.recovery'))
    const whole = await Promise.all(['f', ...copies].map((name) => wholeness(join(cwd, name))))
    expect(whole.some((sign) => sign === 'A' || sign === 'B')).toBe(true)
    await Promise.all(copies.map((name) => rm(join(cwd, name))))
    await writeFile(file, Buffer.alloc(SIZE, 'A'))
  }
})
