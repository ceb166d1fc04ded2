import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { isRunning, stdio, until } from './harness.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const parent = fileURLToPath(new URL('parent.ts', import.meta.url))

it.skipIf(process.platform !== 'linux').each(['SIGKILL', 'SIGTERM'] as const)(
  'nothing of a server is left after %s of the agent',
  async (signal) => {
    const cwd = await temporaryDirectory()
    const pids = join(cwd, 'pids')
    const entries = {
      stubborn: stdio('stubborn', pids),
      quiet: stdio('stubborn', pids),
      kind: stdio('offers'),
    }
    const child = spawn(
      process.execPath,
      ['--conditions=deckhand-source', parent, JSON.stringify(entries), cwd],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
    const ids = (await readFile(pids, 'utf8')).trim().split('\n').map(Number)
    expect(ids).toHaveLength(6)
    expect(await Promise.all(ids.map(isRunning))).toEqual(ids.map(() => true))
    child.kill(signal)
    await until('all are gone', async () => !(await Promise.all(ids.map(isRunning))).includes(true))
  },
)
