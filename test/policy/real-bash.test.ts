// What is allowed is run by the real bash, over executables that only note that they were called.
import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLine } from '#policy/shell/line.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { LONG, scale } from '../fuzz/scale.ts'
import { openProject } from './harness.ts'
import { mutatedLine, tameLine } from './shell-lines.ts'

const STUBS = [
  'git',
  'npm',
  'evil',
  'touch',
  'rm',
  'sh',
  'bash',
  'env',
  'sudo',
  'nohup',
  'timeout',
  'xargs',
  'cat',
  'f',
  'x',
  'a',
]

interface Sandbox {
  /** Runs the line with bash; every call of an executable is one list of words. */
  run(line: string): Promise<string[][]>
  files(): Promise<string[]>
}

async function openSandbox(): Promise<Sandbox> {
  const base = await temporaryDirectory()
  const [bin, cwd, log] = [join(base, 'bin'), join(base, 'w'), join(base, 'log')]
  await mkdir(bin)
  for (const name of STUBS) {
    const exit = name === 'git' ? 1 : 0
    await writeFile(
      join(bin, name),
      `#!/bin/sh\nprintf '%s\\0' "$#" "\${0##*/}" "$@" >> ${log}\nexit ${exit}\n`,
    )
    await chmod(join(bin, name), 0o755)
  }
  return {
    async run(line) {
      await rm(cwd, { recursive: true, force: true })
      await mkdir(cwd)
      await writeFile(join(cwd, 'a.txt'), 'a\n')
      await writeFile(log, '')
      await runBash(line, cwd, bin)
      return calls((await readFile(log, 'utf8')).split('\0').slice(0, -1))
    },
    files: () => readdir(cwd),
  }
}

/** Each is written as the number of its arguments, its name, and them. */
function calls(written: string[]): string[][] {
  const found: string[][] = []
  for (let at = 0; at < written.length; at += Number(written[at]) + 2) {
    found.push(written.slice(at + 1, at + 2 + Number(written[at])))
  }
  return found
}

/** Resolves when bash has ended, and the children that hold its output, or after half a second. */
function runBash(line: string, cwd: string, bin: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/bash', ['-c', line], {
      cwd,
      env: { PATH: bin, HOME: cwd },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    child.stdout.resume()
    child.stderr.resume()
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 500)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

const isListed = ([name, first, ...rest]: string[]) =>
  (name === 'git' && first === 'status' && !rest.some((word) => /^-./.test(word))) ||
  (name === 'npm' && first === 'test') ||
  name === 'cat'

describe('under the real bash', () => {
  it(
    'an allowed line runs what is listed and nothing else, and leaves no file',
    { timeout: LONG ? 0 : 60_000 },
    async () => {
      const sandbox = await openSandbox()
      const { policy } = await openProject()
      const { bash } = policy({ allow: ['bash(git status)', 'bash(npm test *)'] })
      let [run, executed] = [0, 0]
      await fc.assert(
        fc.asyncProperty(
          fc.oneof({ weight: 3, arbitrary: tameLine }, { weight: 1, arbitrary: mutatedLine }),
          async (line) => {
            if ((await bash(line)).kind !== 'allow') return
            const called = await sandbox.run(line)
            run++
            executed += called.length
            expect([line, called.filter((call) => !isListed(call))]).toEqual([line, []])
            expect([line, await sandbox.files()]).toEqual([line, ['a.txt']])
          },
        ),
        scale('allowed lines under the real bash', { short: 500, long: 20_000 }),
      )
      expect(run).toBeGreaterThan(40)
      expect(executed).toBeGreaterThan(40)
    },
  )

  it('words that are known are the words that arrive', { timeout: LONG ? 0 : 60_000 }, async () => {
    const sandbox = await openSandbox()
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\\ ',
      "'",
      '"',
      '\\',
      '\\\\',
      '\n',
      '\\\n',
      "'b c'",
      '"d e"',
      '"\\$"',
      "'$x'",
      '\\"',
      '#',
      'é',
      '漢',
      '=',
      '{',
      '}',
      '!',
      '^',
      '%',
      ',',
      '"\\a"',
      '\\*',
      "'*'",
      '"?"',
      '\\~',
      '[',
      ']',
      '.',
      '"`"',
      '"\n"',
      '$',
      '1',
      '""',
      "''",
    )
    let compared = 0
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 7 }), async (pieces) => {
        const source = `npm ${pieces.join('')}`
        const line = readLine(source)
        const [command, ...more] = line.commands
        if (line.cautions.length > 0 || command === undefined || more.length > 0) return
        const words = command.words.map((word) => (word.kind === 'static' ? word.value : undefined))
        if (words.includes(undefined)) return
        const called = await sandbox.run(source)
        compared++
        expect([source, called]).toEqual([source, [words]])
      }),
      scale('words under the real bash', { short: 250, long: 20_000 }),
    )
    expect(compared).toBeGreaterThan(40)
  })
})
