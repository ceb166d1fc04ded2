import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { fileSchema, jsonSchema } from '#config/schema.ts'
import { home } from './home.ts'

describe('a configuration file', () => {
  it('says everything that can be said', async () => {
    await using place = await home(`{
      "$schema": "./config.schema.json",
      // A comment, and a comma at the end of lists.
      "model": "ollama/qwen3:8b",
      "smallModel": "anthropic/claude-haiku-5-5",
      "providers": {
        "ollama": { "api": "openai-compatible", "baseURL": "http://localhost:11434/v1/", "models": ["qwen3:8b"] },
        "work": {
          "api": "anthropic", "apiKeyEnv": "WORK_KEY", "headers": { "x-team": "\${TEAM}" }, "contextWindow": 100000,
          "models": { "claude-opus-5-5": { "label": "Opus", "prices": { "input": 5, "output": 25 } } },
        },
      },
      "mode": "plan",
      "permissions": { "allow": ["bash(npm test *)"], "ask": ["edit(src/**)"], "deny": ["bash(rm *)"] },
      "mcpServers": {
        "files": { "command": "npx", "args": ["-y", "server"], "env": { "A": "\${TEAM}!" }, "trust": true },
        "remote": { "type": "http", "url": "https://mcp.example/x", "headers": { "authorization": "Bearer \${TEAM}" } },
        "off": { "command": "x", "disabled": true },
      },
      "tools": { "deny": ["bash"] },
      "codeMode": "both",
      "files": "disk",
      "sandbox": "workspace",
      "env": { "pass": ["NPM_TOKEN"] },
      "web": { "search": { "kind": "searxng", "url": "http://localhost:8080" }, "allowHosts": ["localhost"] },
      "limits": { "modelRequests": 20, "parallel": 2 },
      "retention": { "outputDays": 7 },
      "plugins": ["./my-tools.ts"],
      "instructions": ["team.md"],
      "askReason": false,
    }`)
    const configuration = await place.load({ TEAM: 'blue', WORK_KEY: 'w-key' })
    expect(configuration.warnings).toEqual([])
    expect(configuration).toMatchObject({
      model: 'ollama/qwen3:8b',
      smallModel: 'anthropic/claude-haiku-5-5',
      mode: 'plan',
      permissions: { allow: ['bash(npm test *)'], ask: ['edit(src/**)'], deny: ['bash(rm *)'] },
      mcpServers: {
        files: {
          type: 'stdio',
          command: 'npx',
          args: ['-y', 'server'],
          env: { A: 'blue!' },
          trust: true,
          sampling: false,
        },
        remote: {
          type: 'http',
          url: 'https://mcp.example/x',
          headers: { authorization: 'Bearer blue' },
          trust: false,
          sampling: false,
        },
      },
      tools: { deny: ['bash'] },
      codeMode: 'both',
      files: 'disk',
      sandbox: { allowHosts: [] },
      env: { pass: ['NPM_TOKEN'] },
      web: { search: { kind: 'searxng' }, allowHosts: ['localhost'] },
      limits: { modelRequests: 20, parallel: 2 },
      retention: { outputDays: 7 },
      plugins: [join(place.state, 'my-tools.ts')],
      instructions: [join(place.state, 'team.md')],
      askReason: false,
      sources: [place.own],
    })
    expect(Object.keys(configuration.mcpServers)).toEqual(['files', 'remote'])
    const { ollama, work } = configuration.providers
    expect(ollama).toEqual({
      api: 'openai-compatible',
      baseURL: 'http://localhost:11434/v1',
      models: { 'qwen3:8b': {} },
    })
    expect(work).toMatchObject({
      keyVariable: 'WORK_KEY',
      headers: { 'x-team': 'blue' },
      contextWindow: 100000,
    })
    expect(work?.apiKey?.reveal()).toBe('w-key')
  })

  it('is not needed', async () => {
    await using place = await home()
    const configuration = await place.load()
    expect(configuration).toMatchObject({
      mode: 'ask',
      sources: [],
      warnings: [],
      files: 'editor',
      askReason: true,
    })
    expect(configuration.project).toBeUndefined()
  })

  it('gives way to the environment, and that to the flags', async () => {
    await using place = await home({
      model: 'a/file',
      mode: 'plan',
      codeMode: 'code',
      limits: { codeTimeoutMs: 5 },
      permissions: { deny: ['one'] },
    })
    expect(await place.load()).toMatchObject({ model: 'a/file', mode: 'plan', codeMode: 'code' })
    const env = {
      DECKHAND_MODEL: 'b/env',
      DECKHAND_MODE: 'accept-edits',
      DECKHAND_CODE_MODE: 'native',
      DECKHAND_CODE_TIMEOUT_MS: '9000',
    }
    expect(await place.load(env)).toMatchObject({
      model: 'b/env',
      mode: 'accept-edits',
      codeMode: 'native',
      limits: { codeTimeoutMs: 9000 },
    })
    const flags = { model: 'c/flag', mode: 'bypass' as const, deny: ['two'], allow: ['three'] }
    expect(await place.load(env, flags)).toMatchObject({
      model: 'c/flag',
      mode: 'bypass',
      permissions: { allow: ['three'], deny: ['one', 'two'] },
    })
  })

  it('warns of variables that make no sense', async () => {
    await using place = await home({ mode: 'plan' })
    const configuration = await place.load({
      DECKHAND_MODE: 'yolo2',
      DECKHAND_CODE_MODE: 'x',
      DECKHAND_CODE_TIMEOUT_MS: '-5',
    })
    expect(configuration.mode).toBe('ask')
    expect(configuration.warnings.map((text) => text.split(' ')[0])).toEqual([
      'DECKHAND_MODE',
      'DECKHAND_CODE_TIMEOUT_MS',
      'DECKHAND_CODE_MODE',
    ])
  })

  it('is read with a byte order mark and CRLF; other encodings and an empty file are refused with a message', async () => {
    const text = '{\r\n  // one\r\n  "model": "a/b"\r\n}\r\n'
    await using bom = await home(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)]))
    expect(await bom.load()).toMatchObject({ model: 'a/b', warnings: [] })
    for (const [bytes, words] of [
      [Buffer.from(`\ufeff${text}`, 'utf16le'), /UTF-16.*UTF-8/],
      [Buffer.from(text, 'utf16le'), /UTF-16.*UTF-8/],
      [Buffer.from([0x7b, 0xff, 0x7d]), /not valid UTF-8/],
      [Buffer.from(''), /:1:1: expected an object/],
      [Buffer.from('// nothing'), /expected an object/],
      [Buffer.from('[1]'), /:1:1: expected an object/],
    ] as const) {
      await using place = await home(bytes)
      const { model, warnings } = await place.load()
      expect(model).toBeUndefined()
      expect(warnings[0]).toMatch(words)
      expect(warnings[0]).toContain(place.own)
      expect(await readFile(place.own)).toEqual(bytes)
    }
  })

  it('that can not be read is named', async () => {
    await using place = await home()
    await mkdir(place.own, { recursive: true })
    expect((await place.load()).warnings).toEqual([`${place.own}: it can't be read (EISDIR).`])
  })

  it('has one name', async () => {
    await using place = await home()
    await place.write(join(place.state, 'config.json'), '{}')
    expect((await place.load()).warnings[0]).toMatch(/config\.json is not read; call it config\.jsonc/)
  })
})

describe('the published schema', () => {
  it('is what the program checks', async () => {
    const file = join(import.meta.dirname, '../../packaging/config.schema.json')
    await expect(`${JSON.stringify(jsonSchema(), null, 2)}\n`).toMatchFileSnapshot(file)
  })

  it('is valid, and agrees with the program', async () => {
    const { Ajv } = await import('ajv')
    const ajv = new Ajv({ strict: false })
    const validate = ajv.compile(jsonSchema())
    expect(
      validate({ model: 'a/b', permissions: { deny: ['x'] }, mcpServers: { a: { command: 'x' } } }),
    ).toBe(true)
    for (const wrong of [{ model: 5 }, { mode: 'yolo' }, { limits: { parallel: 0 } }, { modle: 'a/b' }]) {
      expect(validate(wrong)).toBe(false)
    }
  })
})

const PROBE = `
import { registerHooks } from 'node:module'
const seen = []
registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) })
const { loadConfiguration } = await import('#config/load.ts')
const { warnings } = await loadConfiguration({ env: process.env, cwd: process.env.PROJECT })
console.log(JSON.stringify({ warnings, heavy: seen.filter((url) => /node_modules\\/(zod|jsonc-parser)\\//.test(url)).length }))
`

describe('the page about it', () => {
  it('shows files that are right, and names every setting', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/configuration.md'), 'utf8')
    const files = Array.from(page.matchAll(/```jsonc config\n([\s\S]*?)```/g), ([, shown = '']) => shown)
    const environment = { USER: 'me', SOME_TOKEN: 't', WORK_ANTHROPIC_KEY: 'k' }
    for (const shown of files) {
      await using place = await home(shown)
      expect((await place.load(environment)).warnings).toEqual([])
    }
    const shown = files.join('')
    const settings = Object.keys(fileSchema.shape).filter((key) => key !== '$schema')
    expect(settings.filter((key) => !shown.includes(`"${key}"`))).toEqual([])
  })
})

describe('start-up', () => {
  it('loads neither zod nor the parser unless there is a file', async () => {
    const root = join(import.meta.dirname, '../..')
    const probe = async (state: string, project: string) => {
      const env = { PATH: process.env['PATH'], DECKHAND_HOME: state, PROJECT: project }
      const args = ['--input-type=module', '-e', PROBE]
      const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: root, env })
      return JSON.parse(stdout)
    }
    await using place = await home()
    expect(await probe(place.state, place.project)).toEqual({ warnings: [], heavy: 0 })
    await mkdir(place.state, { recursive: true })
    await writeFile(place.own, '{}')
    expect((await probe(place.state, place.project)).heavy).toBeGreaterThan(0)
  })
})
