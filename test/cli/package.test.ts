import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ROOT } from './run-bin.ts'

const INITIALIZE = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientCapabilities: {} } })}\n`
const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))

let folder = ''
let installed = ''
let files: string[] = []

/** The tarball as npm packs it, unpacked where an install would put it, with the one dependency that is not bundled. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'deckhand pack '))
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ filename: string; files: { path: string }[] }]
  files = packed.files.map((file) => file.path)
  installed = join(folder, 'node_modules', 'deckhand')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', installed, '--strip-components', '1'])
  symlinkSync(join(ROOT, 'node_modules', '@vscode'), join(folder, 'node_modules', '@vscode'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the published package', () => {
  it('holds what runs, and nothing else', () => {
    expect(
      files.filter(
        (path) =>
          !/^(bin|dist|demo|fixtures\/cards)\/|^(package\.json|README\.md|CHANGELOG\.md|LICENSE)$/.test(path),
      ),
    ).toEqual([])
    expect(files).toEqual(
      expect.arrayContaining([
        'bin/deckhand.js',
        'dist/main.js',
        'dist/index.js',
        'dist/types/index.d.ts',
        'demo/cart/cart.js',
      ]),
    )
  })

  it('needs nothing but ripgrep, and runs no install script', () => {
    const { dependencies, scripts } = json('package.json') as {
      dependencies: object
      scripts: Record<string, string>
    }
    expect(Object.keys(dependencies)).toEqual(['@vscode/ripgrep'])
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare|publish)/.test(name))).toEqual(
      [],
    )
  })

  it.each(['directly', 'through a link'])(
    'answers initialize when its bin is run %s, from a path with spaces (B195)',
    (way) => {
      let bin = join(installed, 'bin', 'deckhand.js')
      if (way === 'through a link') {
        symlinkSync(bin, join(folder, 'deckhand'))
        bin = join(folder, 'deckhand')
      }
      const env = { PATH: process.env['PATH'] }
      const stdout = execFileSync(process.execPath, [bin, 'acp'], {
        input: INITIALIZE,
        env,
        cwd: folder,
        encoding: 'utf8',
      })
      expect(
        stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ).toMatchObject([{ id: 1, result: { protocolVersion: 1 } }])
    },
  )

  it('has types that a project of somebody else resolves', () => {
    const source = `import { defineTool, type ToolCallView } from 'deckhand'
import 'deckhand/testing'
const view: ToolCallView = { card: 'terminal', title: 'ls' }
// @ts-expect-error the union is closed
const wrong: ToolCallView = { card: 'hologram', title: 'ls' }
// @ts-expect-error it is a function
const number: number = defineTool
export { view, wrong, number }
`
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(folder, 'consumer.ts'), source)
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ] as const) {
      const options = [
        '--ignoreConfig',
        '--noEmit',
        '--strict',
        '--target',
        'es2024',
        '--skipLibCheck',
        'false',
        '--types',
        '',
      ]
      const run = () =>
        execFileSync(
          process.execPath,
          [tsc, ...options, '--module', module, '--moduleResolution', resolution, 'consumer.ts'],
          { cwd: folder, encoding: 'utf8', stdio: 'pipe' },
        )
      expect(run()).toBe('')
    }
  })

  it('has an entry for the editors that names this version', () => {
    const { version } = json('package.json') as { version: string }
    const entry = json('packaging/acp-registry/agent.json')
    expect(entry).toMatchObject({
      id: 'deckhand',
      version,
      distribution: { npx: { package: `deckhand@${version}`, args: ['acp'] } },
    })
    expect(readFileSync(join(ROOT, 'packaging/acp-registry/icon.svg'), 'utf8')).toMatch(
      /width="16" height="16".*currentColor/,
    )
  })
})

describe('the README', () => {
  const readme = () => readFileSync(join(ROOT, 'README.md'), 'utf8')

  it('shows the two commands for a fresh machine', () => {
    expect(readme()).toContain('npm ci && npm run demo')
    expect(readme()).toContain('npm ci && npm test')
  })

  it('names scripts and commands that exist', () => {
    const { scripts } = json('package.json') as { scripts: Record<string, string> }
    const text = readme() + readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
    const named = [...text.matchAll(/npm run ([\w:]+)/g)].map((match) => match[1] ?? '')
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  })

  it('has snippets that parse', () => {
    const snippets = [...readme().matchAll(/```json\n([\s\S]*?)```/g)].map(
      (match) => JSON.parse(match[1] ?? '') as object,
    )
    expect(snippets).toHaveLength(2)
    for (const snippet of snippets)
      expect(snippet).toMatchObject({
        agent_servers: { Deckhand: { args: [expect.stringContaining('bin/deckhand.js'), 'acp'] } },
      })
  })
})
