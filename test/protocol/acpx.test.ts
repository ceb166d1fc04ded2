// A headless client that others wrote, as it comes from npm: one prompt with a change that it approves.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { BIN } from '../support/bin-client.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const ACPX = fileURLToPath(import.meta.resolve('acpx/dist/cli.js'))

it('acpx runs a prompt, approves a change and shows the answer', async () => {
  const write = { name: 'write', arguments: { file_path: 'made.txt', content: 'made\n' } }
  const { client, cwd, home, env } = await scriptedBin({
    turns: [
      { steps: [{ do: [{ text: 'I make it.' }, { call: write }] }, { do: [{ text: 'It is made.' }] }] },
    ],
  })
  client.child.stdin?.end()
  const agent = `${process.execPath} ${BIN} acp`
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [ACPX, '--cwd', cwd, '--approve-all', '--agent', agent, 'exec', 'make it'],
    { env: { ...process.env, ...env, HOME: home }, timeout: 60_000 },
  )
  expect(stdout).toContain('I make it.')
  expect(stdout).toContain('It is made.')
  expect(stdout).toContain('made.txt')
  expect(await readFile(join(cwd, 'made.txt'), 'utf8')).toBe('made\n')
}, 60_000)
