// An install without the optional package of this platform: npm leaves it out without a word.
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.ts'
import { ROOT, runBin } from './run-bin.ts'

let bin = ''
let home = ''
let scenario = ''
beforeEach(async () => {
  const folder = await temporaryDirectory()
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(join(ROOT, part), join(folder, part), { recursive: true })
  bin = join(folder, 'bin/deckhand.js')
  home = join(folder, 'home')
  scenario = join(folder, 'scenario.json')
  const call = { id: 'g', name: 'glob', arguments: { pattern: '*' } }
  const turns = [{ steps: [{ do: [{ call }] }, { do: [{ text: 'found: {{result}}' }] }] }]
  await writeFile(scenario, JSON.stringify({ name: 'test', turns }))
})

const run = (args: string[], path: string) =>
  runBin(args, {
    bin,
    env: { PATH: path, DECKHAND_HOME: home, DECKHAND_MODEL: 'scripted/test', DECKHAND_SCENARIO: scenario },
  })

describe.skipIf(process.platform === 'win32')('without the package’s ripgrep', () => {
  it('everything but searching works, and both the tool and doctor say what is missing', async () => {
    const empty = join(home, 'empty')
    await mkdir(empty, { recursive: true })
    const doctor = await run(['doctor'], empty)
    expect(doctor.code).toBe(1)
    expect(doctor.stdout).toMatch(/✖ ripgrep +glob and grep will fail: ripgrep is missing: .* install one/)
    const { code, stdout, stderr } = await run(['run', 'find', '--json'], empty)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('ripgrep is missing: its package for this platform is not installed')
  })

  it('the one on PATH is taken', async () => {
    const folder = join(home, 'path')
    await mkdir(folder, { recursive: true })
    const rg = join(folder, 'rg')
    await writeFile(rg, '#!/bin/sh\n[ "$1" = --version ] && echo "ripgrep 1.2.3" || printf "here.txt\\0"\n')
    await chmod(rg, 0o755)
    const path = `${folder}:/usr/bin:/bin`
    expect((await run(['doctor'], path)).stdout).toMatch(/✔ ripgrep +ripgrep 1\.2\.3, from PATH/)
    expect((await run(['run', 'find', '--json'], path)).stdout).toContain('here.txt')
  })
})
