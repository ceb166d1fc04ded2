// The tarball in somebody else's empty directory: it installs without scripts, starts in an empty home, its types resolve.
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, type TestContext } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { ROOT } from '../cli/run-bin.ts'
import { BinClient } from '../support/bin-client.ts'
import { orSkip } from './npm.ts'
import { scrubbedEnvironment } from './scrubbed.ts'
import { install, pack, type Tarball } from './tarball.ts'

const INSTALL_MS = 180_000

let tarball: Tarball
let installing: Promise<string>
beforeAll(async () => {
  tarball = await pack()
  installing = install(tarball)
  installing.catch(() => undefined)
  return async () => {
    await installing.catch(() => undefined)
    await tarball.remove()
  }
}, INSTALL_MS)
const projectOf = (context: TestContext): Promise<string> => orSkip(context, installing)

/** An empty home and an empty working directory. */
async function emptyPlaces(): Promise<{ home: string; cwd: string }> {
  const root = await mkdtemp(join(tarball.directory, 'place '))
  const [home, cwd] = [join(root, 'home'), join(root, 'work')]
  await Promise.all([mkdir(home), mkdir(cwd)])
  return { home, cwd }
}

const call = (id: string, name: string, args: object) => ({
  call: { id, name, arguments: args as Record<string, string> },
})

const TURNS: Scenario['turns'] = [
  {
    steps: [
      { do: [call('write', 'write', { file_path: 'a.txt', content: 'needle\n' })] },
      { do: [call('grep', 'grep', { pattern: 'needle' })] },
      {
        do: [
          call('code', 'run_code', {
            description: 'Count',
            code: 'return (await tools.read({ file_path: "a.txt" })).lines.length',
          }),
        ],
      },
      { do: [{ text: 'The program gave {{result}}.' }] },
    ],
  },
]

describe('the installed package', () => {
  it(
    'brings ripgrep for this platform and nothing else, and wants no install script',
    async (context) => {
      const project = await projectOf(context)
      const lock = JSON.parse(await readFile(join(project, 'node_modules', '.package-lock.json'), 'utf8'))
      const packages = Object.entries(lock.packages as Record<string, { hasInstallScript?: boolean }>)
      const names = packages.map(([path]) => path.replace('node_modules/', ''))
      expect(names).toContain('deckhand')
      expect(names.filter((name) => name !== 'deckhand' && !name.startsWith('@vscode/ripgrep'))).toEqual([])
      expect(packages.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
    },
    INSTALL_MS,
  )

  it(
    'says its version with an empty home and a scrubbed environment',
    async (context) => {
      const project = await projectOf(context)
      const { home, cwd } = await emptyPlaces()
      const bin = join(project, 'node_modules', '.bin', 'deckhand')
      const options = { cwd, env: scrubbedEnvironment(home), encoding: 'utf8' } as const
      const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
      expect(execFileSync(bin, ['--version'], options).trim()).toBe(version)
      expect(await readdir(home)).toEqual([])
    },
    INSTALL_MS,
  )

  it(
    'runs a turn with files, ripgrep and Code Mode, and leaves its state in the home',
    async (context) => {
      const project = await projectOf(context)
      const { home, cwd } = await emptyPlaces()
      const scenario = join(home, '..', 'scenario.json')
      await writeFile(scenario, JSON.stringify({ name: 'test', turns: TURNS }))
      const client = new BinClient({
        command: [join(project, 'node_modules', '.bin', 'deckhand'), 'acp'],
        cwd,
        inherit: false,
        env: {
          ...scrubbedEnvironment(home),
          DECKHAND_MODEL: 'scripted/test',
          DECKHAND_SCENARIO: scenario,
          DECKHAND_CODE_MODE: 'both',
        },
      })
      const sessionId = await client.open(cwd)
      expect((await client.prompt(sessionId, 'go')).stopReason).toBe('end_turn')
      const ends = client
        .updates()
        .flatMap(({ toolCallId, status }) =>
          status === 'completed' || status === 'failed' ? [`${toolCallId} ${status}`] : [],
        )
      expect(ends).toEqual(expect.arrayContaining(['write completed', 'grep completed', 'code completed']))
      const said = client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
      expect(said.map(({ content }) => content.text).join('')).toBe('The program gave 1.')
      expect(client.faults).toEqual([])
      expect(await client.end()).toBe(0)
      expect(client.stderr).toBe('')
      expect(await readdir(cwd)).toEqual(['a.txt'])
      expect((await readdir(home)).length).toBeGreaterThan(0)
    },
    INSTALL_MS,
  )

  it(
    'has types that resolve for both entries, with nothing else installed',
    async (context) => {
      const project = await projectOf(context)
      await writeFile(join(project, 'consumer.ts'), CONSUMER)
      const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
      const options = '--ignoreConfig --noEmit --strict --target es2024 --skipLibCheck false --types'.split(
        ' ',
      )
      for (const [module, resolution] of [
        ['nodenext', 'nodenext'],
        ['esnext', 'bundler'],
      ] as const) {
        const args = [...options, '', '--module', module, '--moduleResolution', resolution, 'consumer.ts']
        const run = () => execFileSync(process.execPath, [tsc, ...args], { cwd: project, encoding: 'utf8' })
        expect(run()).toBe('')
      }
    },
    INSTALL_MS,
  )

  it(
    'can be imported by both entries',
    async (context) => {
      const project = await projectOf(context)
      const program = `
      import { defineTool } from 'deckhand'
      import * as testing from 'deckhand/testing'
      process.stdout.write([typeof defineTool, Object.values(testing).length > 0].join())`
      const options = { cwd: project, encoding: 'utf8' } as const
      expect(execFileSync(process.execPath, ['--input-type=module', '-e', program], options)).toBe(
        'function,true',
      )
    },
    INSTALL_MS,
  )
})

const CONSUMER = `import { defineTool, type ToolCallView } from 'deckhand'
import * as testing from 'deckhand/testing'
const view: ToolCallView = { card: 'terminal', title: 'ls' }
// @ts-expect-error the union is closed
const wrong: ToolCallView = { card: 'hologram', title: 'ls' }
// @ts-expect-error it is a function
const number: number = defineTool
// @ts-expect-error there is no such thing: the entry has types
testing.nothing
export { view, wrong, number }
`
