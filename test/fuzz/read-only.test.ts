// The read-only table under the real bash and the real commands: what it lets through unasked changes no file and runs nothing else.
import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { READ_ONLY } from '#policy/shell/read-only-table.ts'
import { createPlaces } from '#policy/places.ts'
import { decide } from '#policy/policy.ts'
import { createFileSystem } from '#workspace/file-system.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { LONG, scale } from './scale.ts'

const names = Object.keys(READ_ONLY).filter((name) => !/^(?:sleep|df)$/.test(name))
/** Every flag of the table, so that most lines pass; what follows is what an enemy would add. */
const flags = [
  ...new Set(
    Object.values(READ_ONLY)
      .flatMap(({ flags: text, sub }) => [text, ...Object.values(sub ?? {}).map((each) => each.flags)])
      .join(' ')
      .replaceAll(/[?@]/g, '')
      .split(' '),
  ),
].filter((flag) => flag.length > 1 && flag !== '-#')
const hostile = fc.constantFrom(
  '-o',
  '-i',
  '-w',
  '-e',
  '-f',
  '-x',
  '-c',
  '-O',
  '--output=made',
  '--pre=./evil',
  '--exec=./evil',
  '-exec',
  '-delete',
  '-fprint',
  '-ok',
  '--compress-program=./evil',
  '--to-command=./evil',
  '--open-files-in-pager=./evil',
  '--ext-diff',
  '--textconv',
  '--files0-from=a.txt',
  '--config=a.txt',
  '-I./evil',
  '--use-compress-program=./evil',
  '-v',
  'made',
  './evil',
  'PATH',
  'IFS',
  '%n',
  'xxx%n',
  "'1e ./evil'",
  "'w made'",
  "'1w made'",
  's/a/b/e',
  "'a[$(./evil)]'",
  '"$(./evil)"',
  '`./evil`',
  '$(echo ./evil)',
  '<(./evil)',
  '{made,a.txt}',
  '>made',
  '2>made',
  '&>made',
  '>|made',
  '<>made',
  "$'\\x2do'",
  '-\\o',
  '"-"o',
  "'-o'",
  '--',
  '-',
  '+%Y',
  '-s',
  '..',
  '/etc/passwd',
  '*',
  '[a-z]*',
  '?',
  '~',
  '!',
  '(',
  ')',
  ';',
  ',',
  '[',
  ']',
)
const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...flags) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'a.txt',
      'sub',
      'sub/b.txt',
      'HEAD',
      '3',
      '1,2p',
      '.',
      'x',
      "'a b'",
      '"%s\\n"',
      '%d',
      'status',
      'log',
      'diff',
      'show',
      'branch',
      'tag',
      'grep',
      'blame',
      '-name',
      '-type',
      'f',
      '=',
    ),
  },
  { weight: 2, arbitrary: hostile },
)
const command = fc
  .tuple(fc.constantFrom(...names, 'git', 'git', 'printf', 'find', 'rg'), fc.array(word, { maxLength: 5 }))
  .map(([name, words]) => [name, ...words].join(' '))
const line = fc
  .array(fc.tuple(command, fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((parts) => parts.map(([text, end], index) => text + (index === parts.length - 1 ? '' : end)).join(''))

async function layOut(base: string): Promise<string> {
  const cwd = join(base, 'w')
  await rm(cwd, { recursive: true, force: true })
  await mkdir(join(cwd, 'sub'), { recursive: true })
  await writeFile(join(cwd, 'a.txt'), 'a b\n1 2\n')
  await writeFile(join(cwd, 'sub/b.txt'), 'b\n')
  // Programs that only a changed search path, or a flag that runs something, would find.
  for (const place of ['.', '0', '1', '2', '3', '4']) {
    await mkdir(join(cwd, place), { recursive: true })
    for (const name of ['evil', 'ls', 'cat', 'git', 'grep', 'sort', 'pager', 'less']) {
      await writeFile(join(cwd, place, name), `#!/bin/sh\n: > ${join(base, 'ran')}\n`)
      await chmod(join(cwd, place, name), 0o755)
    }
  }
  await run('git init -q . && git add a.txt && git -c user.name=a -c user.email=a commit -qm x', cwd)
  return cwd
}

function run(source: string, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: cwd,
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_CONFIG_NOSYSTEM: '1',
    }
    const child = spawn('/bin/bash', ['-c', source], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'ignore'],
      detached: true,
    })
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 2000)
    child.once('error', reject)
    child.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Names and contents; git's own caches left out. */
async function everything(cwd: string): Promise<string[]> {
  const found = await readdir(cwd, { recursive: true, withFileTypes: true })
  const files = found
    .filter((entry) => !entry.parentPath.includes('.git'))
    .map((entry) => join(entry.parentPath, entry.name))
  const texts = files.sort().map(async (path) => `${path}: ${await readFile(path, 'utf8').catch(() => '')}`)
  return Promise.all(texts)
}

describe('the read-only table', () => {
  it(
    'lets nothing through that changes a file or runs a program of the project',
    { timeout: LONG ? 0 : 120_000 },
    async () => {
      const base = await temporaryDirectory()
      const cwd = await layOut(base)
      const { realPath } = createFileSystem()
      const places = createPlaces({
        roots: [cwd],
        own: [],
        resolve: (path) => join(cwd, path.replace(cwd, '')),
        realPath,
      })
      const before = await everything(cwd)
      let ran = 0
      await fc.assert(
        fc.asyncProperty(line, async (source) => {
          const { kind } = await decide(
            { name: 'bash', arguments: { command: source } },
            { mode: () => 'ask', places, commandLanguage: 'bash' },
          )
          if (kind !== 'allow') return
          ran++
          await run(source, cwd)
          expect([source, (await readdir(base)).sort()]).toEqual([source, ['w']])
          expect([source, await everything(cwd)]).toEqual([source, before])
        }),
        scale('read-only table', { short: 600, long: 60_000 }),
      )
      console.log(`fuzz read-only table: ${ran} lines were run`)
      expect(ran).toBeGreaterThan(20)
    },
  )
})
