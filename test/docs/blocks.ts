// What each kind of block in the pages is held to. A new kind is a row here.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'vitest'
import { promptFile } from '#bridge/commands/prompt-files.ts'
import { loadConfiguration } from '#config/load.ts'
import { compileRules } from '#policy/rules.ts'
import { ROOT } from '../cli/run-bin.ts'
import type { Block } from './pages.ts'
import { aReader, type Models } from './reader.ts'
import { exchangesOf, matches, outputsOf, scriptOf } from './transcript.ts'

/** Throws, or fails an expectation, when the block is not true. */
type Check = (block: Block, models: Models) => Promise<void> | void

/** By info string. */
export const CHECKS: Readonly<Record<string, Check>> = {
  // Commands, run as they stand on a machine with a key and a stored session; all of them end with 0.
  sh: runs,
  // Commands that ask on a terminal: without one they say so, and don't refuse their arguments.
  'sh asks': asks,
  // Commands that install: npm knows them, and the scripts that they run exist.
  'sh installs': installs,
  // Commands and what they print, on a machine without a key.
  console: prints,
  'jsonc config': isConfiguration,
  'json scenario': plays,
  'ts program': isProgram,
  'json zed': launches,
  'json jetbrains': launches,
  'lua neovim': launchesFromLua,
  'markdown command': isCommandFile,
  // A snippet with a file of one's own that is loaded first.
  'json traced': launches,
  // Compiled and run by test/registry/tool-authors.test.ts.
  'ts example': on('docs/tool-authors.md'),
  'ts proof': on('docs/tool-authors.md'),
  // Run by test/telemetry/recipe.test.ts.
  'js tracing': on('docs/observability.md'),
  // Drawings and trees: nothing in them is to be typed.
  text: isDrawing,
}

async function runs({ text }: Block, models: Models): Promise<void> {
  await using reader = await aReader(models, { keyed: true })
  const { code, output } = await reader.bash(`set -e\n${text}`)
  expect({ code, output }).toMatchObject({ code: 0 })
}

async function asks({ text }: Block, models: Models): Promise<void> {
  await using reader = await aReader(models, { keyed: false })
  for (const line of commandsOf(text)) {
    expect(line).toMatch(/^deckhand /)
    const { code, output } = await reader.bash(line)
    expect({ line, code, output }).not.toMatchObject({ code: 2 })
    expect(output).not.toContain('    at ')
  }
}

async function installs({ text }: Block): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  const known = /^(?:npm (?:ci|test|install(?: [@\w./-]+)+|run (?<script>[\w:-]+)(?: -- .*)?)|npx .*|cd \S+)$/
  for (const line of commandsOf(text)) {
    for (const part of line.split(' && ')) {
      const match = known.exec(part)
      expect(match, part).not.toBeNull()
      const script = match?.groups?.['script'] ?? (part === 'npm test' ? 'test' : undefined)
      if (script !== undefined) expect(Object.keys(scripts)).toContain(script)
    }
  }
}

/** Without comments and blank lines. */
function commandsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/(^|\s+)#.*$/, '').trim())
    .filter(Boolean)
}

async function prints({ text, at }: Block, models: Models): Promise<void> {
  await using reader = await aReader(models, { keyed: false, vendors: text.includes('_API_KEY=') })
  const exchanges = exchangesOf(text)
  const { output } = await reader.bash(scriptOf(exchanges))
  const outputs = outputsOf(reader.asWritten(output))
  for (const [index, { command, printed }] of exchanges.entries()) {
    const seen = outputs[index] ?? ''
    if (!matches(printed, seen)) expect(seen, `${at}: ${command}`).toBe(printed)
  }
}

async function isConfiguration({ text }: Block, models: Models): Promise<void> {
  await using reader = await aReader(models, { keyed: true })
  const folder = join(reader.home, '.config/deckhand')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'config.jsonc'), text)
  const named = [...text.matchAll(/\$\{(\w+)\}|"apiKeyEnv": "(\w+)"/g)].map((match) => match[1] ?? match[2])
  const env = { DECKHAND_HOME: folder, ...Object.fromEntries(named.map((name) => [name, 'a-value'])) }
  const { warnings, permissions, sources } = await loadConfiguration({ env, cwd: reader.project })
  expect(sources).toHaveLength(1)
  expect([...warnings, ...compileRules(permissions).problems]).toEqual([])
  for (const [, path = ''] of text.matchAll(/\/path\/to\/deckhand\/([\w/.-]+)/g))
    await access(join(ROOT, path))
}

async function plays({ text }: Block, models: Models): Promise<void> {
  await using reader = await aReader(models, { keyed: false })
  await writeFile(join(reader.home, 'try.json'), text)
  const environment = 'DECKHAND_MODEL=scripted/try DECKHAND_SCENARIO=../try.json'
  const { code, output } = await reader.bash(`${environment} deckhand run "what is here?"`)
  expect({ code, output }).toMatchObject({ code: 0 })
  expect(output).toContain('cart.test.js')
}

/** Runs it in Code Mode, over a model by script. */
async function isProgram({ text }: Block, models: Models): Promise<void> {
  await using reader = await aReader(models, { keyed: false })
  const call = { name: 'run_code', arguments: { code: text, description: 'Count' } }
  const steps = [{ do: [{ call }] }, { do: [{ text: 'It says: {{result}}' }] }]
  await writeFile(join(reader.home, 'try.json'), JSON.stringify({ name: 'try', turns: [{ steps }] }))
  const environment = 'DECKHAND_CODE_MODE=code DECKHAND_MODEL=scripted/try DECKHAND_SCENARIO=../try.json'
  const { output } = await reader.bash(`${environment} deckhand run count`)
  expect(output).toMatch(/It says: 2 files[^]*cart\.js: 20 lines/)
}

/** The command of the snippet answers `initialize`. */
async function launches({ text, label }: Block, models: Models): Promise<void> {
  const { agent_servers: servers } = JSON.parse(text) as {
    agent_servers: Record<
      string,
      { type?: string; command: string; args: string[]; env: Record<string, string> }
    >
  }
  expect(Object.keys(servers)).toEqual(['Deckhand'])
  for (const { type, command, args, env } of Object.values(servers)) {
    expect(type).toBe(label === 'json zed' ? 'custom' : undefined)
    await initializes(models, command, args, env)
  }
}

async function launchesFromLua({ text }: Block, models: Models): Promise<void> {
  const strings = (source: string | undefined): string[] =>
    [...(source ?? '').matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '')
  const [command = ''] = strings(/command = ('[^']*')/.exec(text)?.[1])
  const model = /DECKHAND_MODEL = '([^']*)'/.exec(text)?.[1] ?? ''
  expect(text.split('{').length).toBe(text.split('}').length)
  expect(/provider = '(\w+)'[^]*acp_providers = \{\s*(\w+) =/.exec(text)?.slice(1)).toEqual([
    'deckhand',
    'deckhand',
  ])
  await initializes(models, command, strings(/args = \{([^}]*)\}/.exec(text)?.[1]), { DECKHAND_MODEL: model })
}

async function initializes(
  models: Models,
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  await using reader = await aReader(models, { keyed: true })
  const own = (path: string): string => path.replace('/home/you', reader.home)
  for (const file of args.filter((arg) => arg.startsWith('/home/you/'))) {
    await mkdir(dirname(own(file)), { recursive: true })
    await writeFile(own(file), '')
  }
  const real = args.map((arg) => own(arg).replace('/path/to/deckhand/', ROOT))
  const child = spawn(command, real, { cwd: reader.project, env: { ...reader.env, ...env } })
  try {
    const request = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1 } }
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    expect(JSON.parse(line)).toMatchObject({ id: 1, result: { agentInfo: { name: 'deckhand' } } })
  } finally {
    child.stdin.end()
    await once(child, 'exit')
  }
}

function isCommandFile({ text }: Block): void {
  const file = promptFile('review', text)
  expect(file).toMatchObject({ description: expect.any(String), hint: expect.any(String) })
  expect(file?.text).toContain('$ARGUMENTS')
}

/** Kinds that a test of their page runs stand on that page only. */
function on(page: string): Check {
  return ({ at }) => expect(at.split(':')[0]).toBe(page)
}

function isDrawing({ text }: Block): void {
  expect(text).not.toMatch(/^\s*(?:\$ |deckhand |npm |npx |node )/m)
}
