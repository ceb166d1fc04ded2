import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Flags } from '#config/configuration.ts'
import type { Scenario, ScenarioStep } from '#model/scenario.ts'
import { run } from '#cli/run.ts'
import { flagsOf } from '#cli/flags.ts'
import { tools } from '#cli/tools.ts'
import { OPENAI_DONE, openaiChunks, startSseServer } from '../support/sse-server.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { fakeHost } from './fake-host.ts'

const ROOT = join(import.meta.dirname, '../..')
const NO_KEYS = { PATH: process.env['PATH'], HOME: '/nonexistent' }

interface Place {
  cwd: string
  env: NodeJS.ProcessEnv
  home: string
}

async function place(turns: Scenario['turns'] = [], files: Record<string, string> = {}): Promise<Place> {
  const root = await temporaryDirectory()
  const [cwd, home, scenario] = [join(root, 'project'), join(root, 'home'), join(root, 'scenario.json')]
  await Promise.all([mkdir(cwd), mkdir(home), writeFile(scenario, JSON.stringify({ name: 'test', turns }))])
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content)
  const env = {
    ...NO_KEYS,
    DECKHAND_MODEL: 'scripted/test',
    DECKHAND_SCENARIO: scenario,
    DECKHAND_HOME: home,
  }
  return { cwd, env, home }
}

async function ran({ cwd, env }: Place, options: { prompt?: string; json?: boolean; flags?: Flags } = {}) {
  const host = fakeHost({ cwd, env })
  const { prompt = 'Go', flags = {}, json } = options
  const code = await run(host, { prompt, flags, ...(json && { json }) })
  return { code, ...host.shown }
}

const bash = (command: string): ScenarioStep => ({ do: [{ call: { name: 'bash', arguments: { command } } }] })
const say = (words: string): ScenarioStep => ({ do: [{ text: words }] })
const read = { do: [{ text: 'I look.' }, { call: { name: 'read', arguments: { file_path: 'a.txt' } } }] }

describe('run', () => {
  it('draws a whole turn and ends with 0', async () => {
    const here = await place([{ steps: [read, say('It says: {{result}}')] }], { 'a.txt': 'forty-two\n' })
    const { code, stdout, stderr } = await ran(here)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('I look.')
    expect(stdout).toMatch(/a\.txt/)
    expect(stdout).toContain('forty-two')
  })

  it('prints the updates and the stop reason as lines of JSON', async () => {
    const here = await place([{ steps: [read, say('Done.')] }], { 'a.txt': 'x\n' })
    const { code, stdout, stderr } = await ran(here, { json: true })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(lines.at(-1)).toEqual({ stopReason: 'end_turn' })
    const kinds = lines.map((line: { sessionUpdate?: string }) => line.sessionUpdate)
    expect(kinds).toEqual(expect.arrayContaining(['agent_message_chunk', 'tool_call', 'tool_call_update']))
  })

  it.each([{}, { json: true }])(
    'does not say that a person rejected what nobody was asked: %j',
    async (options) => {
      const here = await place([{ steps: [bash('echo hi > made.txt'), say('{{result}}')] }])
      const { stdout } = await ran(here, options)
      expect(stdout).toMatch(/approval for .*bash.* is unavailable/)
      expect(stdout).not.toMatch(/reject/i)
      const [log = ''] = await readdir(join(here.home, 'sessions'))
      const events = await readFile(join(here.home, 'sessions', log), 'utf8')
      expect(events).toMatch(/"approval_decided".*"unavailable"/)
      expect(events).not.toContain('rejected')
    },
  )

  it('draws each notice as a line of its own', async () => {
    const here = await place([{ steps: [say('Well.')] }])
    const permissions = { allow: ['one (', 'two ('] }
    await writeFile(join(here.home, 'config.jsonc'), JSON.stringify({ permissions }))
    const { stdout } = await ran(here)
    const [first = '', ...others] = stdout.trim().split(/\n(?=!)/)
    expect([first, ...others]).toHaveLength(2)
    expect(first).toMatch(/^! .*(one|two)/)
    expect(others.join()).not.toMatch(/\n\n!/)
  })

  it('does not run what nobody can be asked for, unless a rule allows it', async () => {
    const here = await place([{ steps: [bash('echo hi > made.txt'), say('{{result}}')] }])
    const made = join(here.cwd, 'made.txt')
    const refused = await ran(here, { prompt: 'Go' })
    expect(refused.code).toBe(0)
    expect(refused.stderr).toMatch(/not allowed, because nobody can be asked: .*echo hi/)
    expect(existsSync(made)).toBe(false)
    const allowed = await ran(here, {
      flags: flagsOf({ allow: 'bash(echo *)', mode: 'accept-edits' }) as Flags,
    })
    expect(allowed).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(made, 'utf8')).toBe('hi\n')
  })

  it('forbids by a rule what the mode would allow, and by the rules of the files', async () => {
    const here = await place([{ steps: [bash('touch made.txt'), say('{{result}}')] }])
    const flags: Flags = { mode: 'bypass', deny: ['bash(touch *)'] }
    const byFlag = await ran(here, { flags })
    expect(byFlag.stdout).toContain('touch')
    expect(existsSync(join(here.cwd, 'made.txt'))).toBe(false)
    await mkdir(join(here.cwd, '.deckhand'))
    await writeFile(
      join(here.cwd, '.deckhand', 'config.jsonc'),
      '{ "permissions": { "deny": ["bash(touch *)"] } }',
    )
    await ran(here, { flags: { mode: 'bypass' } })
    expect(existsSync(join(here.cwd, 'made.txt'))).toBe(false)
    await writeFile(join(here.cwd, '.deckhand', 'config.jsonc'), '{}')
    await ran(here, { flags: { mode: 'bypass' } })
    expect(existsSync(join(here.cwd, 'made.txt'))).toBe(true)
  })

  it.each([
    ['refusal', 3],
    ['length', 4],
  ] as const)('tells by its exit code: %s is %i', async (finish, expected) => {
    const step: ScenarioStep = { do: [{ text: 'Well' }], finish }
    const { code, stdout } = await ran(await place([{ steps: [step, step, step] }]))
    expect(code).toBe(expected)
    expect(stdout).toMatch(/! (refusal|max tokens)/)
  })

  it('says what failed, and ends with 1', async () => {
    const error = { code: 'bad_request' as const, message: 'OpenAI refused the request (400).' }
    const failing = await ran(await place([{ steps: [{ do: [{ error }] }] }]))
    expect(failing.code).toBe(1)
    expect(failing.stderr + failing.stdout).toContain('OpenAI refused the request (400)')
    const { cwd, home } = await place()
    const keyless = await ran({ cwd, home, env: { ...NO_KEYS, DECKHAND_HOME: home } })
    expect(keyless.code).toBe(1)
    expect(keyless.stderr).toMatch(/^deckhand: .*model/m)
  })

  it('reads the prompt from stdin, and refuses an empty one', async () => {
    const here = await place([{ steps: [say('You said {{prompt}}')] }])
    const host = fakeHost(here)
    host.type('from a pipe')
    host.stdin.push(null)
    expect(await run(host, { prompt: '-', flags: {} })).toBe(0)
    expect(host.shown.stdout).toContain('You said from a pipe')
    expect(await ran(here, { prompt: ' ' })).toMatchObject({ code: 2, stdout: '' })
  })

  it('takes model and endpoint from the configuration, with a stored key', async () => {
    const chunks = [...openaiChunks({ content: 'Over the wire.' }, { finish: 'stop' }), OPENAI_DONE]
    await using server = await startSseServer({ chunks })
    const { cwd, home } = await place()
    const providers = { mine: { api: 'openai-compatible', baseURL: server.url, models: ['m'] } }
    await writeFile(join(home, 'config.jsonc'), JSON.stringify({ providers }))
    await writeFile(join(home, 'keys.json'), JSON.stringify({ mine: 'stored-key' }))
    const { code, stdout } = await ran({ cwd, home, env: { ...NO_KEYS, DECKHAND_HOME: home } })
    expect(code).toBe(0)
    expect(stdout).toContain('Over the wire.')
    expect(server.requests[0]?.headers.authorization).toBe('Bearer stored-key')
    expect(server.requests[0]?.body.model).toBe('m')
  })

  it('is cancelled by an interrupt', async () => {
    const { cwd, env } = await place([{ steps: [{ do: [{ text: 'Waiting' }, { hang: true }] }] }])
    const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), 'run', 'Go', '--json'], { cwd, env })
    const exited = once(child, 'exit')
    let shown = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (!shown.includes('Waiting') && (shown += chunk.toString()).includes('Waiting')) child.kill('SIGINT')
    })
    expect(await exited).toEqual([130, null])
    expect(shown).toContain('Waiting')
  })

  it('is cancelled in order by an interrupt while a command runs', async () => {
    const { cwd, env } = await place([{ steps: [bash('echo begun; sleep 30; echo over')] }])
    const args = [join(ROOT, 'src/main.ts'), 'run', 'Go', '--json', '--mode', 'bypass']
    const child = spawn(process.execPath, args, { cwd, env })
    const exited = once(child, 'exit')
    let shown = ''
    child.stdout.on('data', (chunk: Buffer) => {
      const before = shown
      shown += chunk.toString()
      if (!/begun\\n/.test(before) && /begun\\n/.test(shown)) child.kill('SIGINT')
    })
    expect(await exited).toEqual([130, null])
    expect(shown).toContain('{"stopReason":"cancelled"}')
  })
})

describe('flags', () => {
  it('are split at commas that are no part of a rule', () => {
    const flags = flagsOf({ allow: 'bash(git log -n 1, x), edit(src/**),read', model: 'a/b', mode: 'plan' })
    expect(flags).toEqual({
      allow: ['bash(git log -n 1, x)', 'edit(src/**)', 'read'],
      model: 'a/b',
      mode: 'plan',
    })
  })

  it.each([
    [['run', 'x', '--model', ''], "--model is provider/model, not ''"],
    [['run', 'x', '--model', 'gpt'], "--model is provider/model, not 'gpt'"],
    [['run', 'x', '--mode', 'yolo2'], '--mode is one of ask'],
    [['run', 'x', '--allow', ' , '], '--allow needs a rule'],
    [['run', 'x', '--deny'], 'argument missing'],
    [['run'], 'missing argument <prompt>'],
    [['acp', '--model', ''], '--model is provider/model'],
    [['tools', '--xml'], "unknown option '--xml'"],
  ])('that are wrong are told on stderr only, with exit code 2: %j (B190)', async (args, words) => {
    const child = spawn(process.execPath, [join(ROOT, 'src/main.ts'), ...args], { env: NO_KEYS })
    child.stdin.end()
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(words)
  })
})

describe('tools', () => {
  it('lists what a session here has', async () => {
    const here = await place()
    const host = fakeHost(here)
    expect(await tools(host, {})).toBe(0)
    expect(host.shown.stdout).toMatch(/^read \(built in\)\n {2}Reads a file/m)
    expect(host.shown.stdout).toMatch(/^ {4}file_path /m)
    expect(host.shown.stdout).toMatch(/^ {4}offset\? /m)
  })

  it('lists what Code Mode, plug-ins and MCP servers bring, each with its origin', async () => {
    const here = await place()
    const plugin = join(here.cwd, 'own.js')
    const definition = `{ name: 'own_tool', description: 'Mine.', parameters: {}, output: { schema: { type: 'object', additionalProperties: false, properties: {} }, render: () => [] }, execute: async () => ({}) }`
    await writeFile(plugin, `export default (deck) => deck.tools.register(deck.defineTool(${definition}))`)
    const server = join(ROOT, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')
    const mcpServers = { all: { command: process.execPath, args: [server, 'stdio'] } }
    const configuration = { codeMode: 'both', plugins: [plugin], mcpServers }
    await writeFile(join(here.home, 'config.jsonc'), JSON.stringify(configuration))
    const host = fakeHost(here)
    expect(await tools(host, {})).toBe(0)
    expect(host.shown.stderr).toBe('')
    expect(host.shown.stdout).toMatch(/^web_fetch \(built in\)/m)
    expect(host.shown.stdout).toMatch(/^run_code \(built in\)/m)
    expect(host.shown.stdout).toContain(`\nown_tool (plug-in ${plugin})\n`)
    expect(host.shown.stdout).toMatch(/^mcp__all__echo \(MCP server all\)/m)
  })

  it('prints schemas as JSON, without what the configuration hides', async () => {
    const here = await place()
    await writeFile(join(here.home, 'config.jsonc'), '{ "tools": { "deny": ["bash"] } }')
    const host = fakeHost(here)
    expect(await tools(host, { json: true })).toBe(0)
    const listed = JSON.parse(host.shown.stdout) as {
      name: string
      origin: string
      parameters: { type: string }
    }[]
    expect(listed.map(({ name }) => name)).toContain('edit')
    expect(listed.map(({ name }) => name)).not.toContain('bash')
    expect(
      listed.every(({ origin, parameters }) => origin === 'built in' && parameters.type === 'object'),
    ).toBe(true)
  })
})
