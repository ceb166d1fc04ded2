// What is wrong in a file: told with file and line, at the cost of as little as possible, never of a rule that forbids.
import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createModelSource } from '#model/source.ts'
import { configuredTools } from '#tools/configured.ts'
import { home } from './home.ts'

async function loaded(own: unknown, env: NodeJS.ProcessEnv = {}) {
  await using place = await home(own)
  const configuration = await place.load(env)
  const warnings = configuration.warnings.map((text) => text.replace(place.own, 'FILE'))
  return { ...configuration, warnings }
}

describe('a bad field', () => {
  it('costs that field and is told with its place', async () => {
    const configuration = await loaded(`{
  "model": 5,
  "mode": "yolo2",
  "permissions": {
    "deny": ["bash(rm *)", 7, "edit(secret/**)"],
    "allow": { "no": "list" },
    "forbid": []
  },
  "limits": { "parallel": 0, "modelRequests": 3 },
  "permission": {},
  "tools": { "deny": ["bash", ""] }
}`)
    expect(configuration).toMatchObject({
      mode: 'ask',
      permissions: { allow: [], deny: ['bash(rm *)', 'edit(secret/**)'] },
      limits: { modelRequests: 3 },
      tools: { deny: ['bash'] },
    })
    expect(configuration.model).toBeUndefined()
    expect(configuration.limits.parallel).toBeUndefined()
    expect(configuration.warnings).toEqual([
      'FILE:2:12: model: expected a text; it is ignored.',
      'FILE:3:11: mode: expected one of ask, accept-edits, plan, bypass; the mode is ask.',
      'FILE:6:14: permissions.allow: expected a list, or a text; it is ignored.',
      'FILE:5:28: permissions.deny.1: expected a text; it is ignored.',
      'FILE:7:15: permissions.forbid: there is no such setting; it is ignored.',
      'FILE:11:31: tools.deny.1: expected a text that is not empty; it is ignored.',
      'FILE:9:27: limits.parallel: expected more than 0; it is ignored.',
      'FILE:10:17: permission: there is no such setting; is "permissions" meant?; it is ignored.',
    ])
  })

  it('names a variable that the environment does not have, whatever every object answers to', async () => {
    const { providers, warnings, web } = await loaded({
      providers: {
        openai: { apiKeyEnv: 'constructor' },
        local: { api: 'openai-compatible', baseURL: 'http://localhost:1', headers: { a: '${toString}' } },
      },
      web: { search: { kind: 'brave', apiKeyEnv: 'valueOf' } },
    })
    expect(providers).toMatchObject({ openai: { keyVariable: 'constructor' }, local: { headers: { a: '' } } })
    expect(providers['openai']).not.toHaveProperty('apiKey')
    expect(warnings.join('\n')).toContain('toString')
    const said: string[] = []
    const { web: tools } = configuredTools({ web }, process.env, (sentence) => said.push(sentence))
    expect(tools).not.toHaveProperty('search')
    expect(said.join('\n')).toContain('valueOf')
  })

  it('takes a rule that stands alone for a list of one', async () => {
    const { permissions, warnings } = await loaded({ permissions: { deny: 'bash(rm *)' } })
    expect(permissions.deny).toEqual(['bash(rm *)'])
    expect(warnings).toEqual([])
  })

  it('costs a server or a provider as a whole: half of one would be another', async () => {
    const configuration = await loaded(
      {
        mcpServers: {
          bad: { command: 'docker', args: 'run' },
          both: { command: 'x', url: 'http://x' },
          good: { command: 'y' },
        },
        providers: { openai: { baseURL: 'proxy.internal:8080' }, anthropic: { apiKey: 'sk-oops' } },
      },
      { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' },
    )
    expect(Object.keys(configuration.mcpServers)).toEqual(['good'])
    expect(configuration.warnings).toHaveLength(4)
    expect(configuration.warnings.join('\n')).toMatch(/expected a list; "bad" is not used/)
    expect(configuration.warnings.join('\n')).toMatch(/either command or url; "both" is not used/)
    expect(configuration.warnings.join('\n')).toMatch(/name a variable with apiKeyEnv/)
    const models = createModelSource(configuration)
    expect(models.selected).toBeUndefined()
    await expect(models.load('openai/gpt-4o')).rejects.toMatchObject({
      message: expect.stringContaining('baseURL'),
    })
  })

  it.each(['workspce', { writes: 'workspace', allowHosts: 5 }, 7])(
    'never opens the sandbox: %j',
    async (sandbox) => {
      const configuration = await loaded({ sandbox })
      expect(configuration.sandbox).toEqual({ allowHosts: [] })
      expect(configuration.warnings[0]).toContain('confined')
    },
  )

  it('costs no rule that forbids, however many there are', async () => {
    const wrong = Array.from({ length: 60 }, (_, index) => index)
    const { permissions, warnings } = await loaded({
      sandbox: { writes: 5, allowHosts: 6, more: 7 },
      permissions: { deny: [...wrong, 'bash(rm *)'], ask: [[], ' ', {}] },
    })
    expect(permissions).toMatchObject({ deny: ['bash(rm *)'], ask: [' '] })
    expect(warnings.filter((text) => text.includes('permissions.deny'))).toHaveLength(60)
    expect(warnings.join()).not.toContain('FILE: it is ignored')
  })

  it('says what a header lacks', async () => {
    const { warnings } = await loaded({ providers: { openai: { headers: { a: '${NOBODY_HAS_THIS}' } } } })
    expect(warnings).toEqual(['The configuration uses NOBODY_HAS_THIS, which the environment does not have.'])
  })
})

describe('broken syntax', () => {
  it('is told with its place, leaves the rules that forbid, and the file alone', async () => {
    const text =
      '{\n  "mode": "bypass",\n  "permissions": { "deny": ["bash(rm *)"], "allow": ["bash(*)"] },\n  "model": "a/b'
    await using place = await home(text)
    const configuration = await place.load()
    expect(configuration).toMatchObject({ mode: 'ask', permissions: { allow: [], deny: ['bash(rm *)'] } })
    expect(configuration.model).toBeUndefined()
    expect(configuration.warnings[0]).toBe(`${place.own}:4:12: unexpected end of string.`)
    expect(configuration.warnings.at(-1)).toMatch(
      /only the rules that forbid and ask, and the sandbox, are used/,
    )
    expect(await readFile(place.own, 'utf8')).toBe(text)
  })

  it('leaves the sandbox closed, and lets nothing through it', async () => {
    for (const sandbox of ['"workspace"', '{ "writes": "workspace", "allowHosts": ["a.example"] }']) {
      expect((await loaded(`{ "sandbox": ${sandbox}, "model": `)).sandbox).toEqual({ allowHosts: [] })
    }
    expect((await loaded('{ "sandbox": "off", "model": ')).sandbox).toBeUndefined()
  })

  it.each(['[', '{ "a": ', '/* " */ ['])(
    'nested without end is told, and costs what is nested: %s',
    async (open) => {
      const close = open.includes('[') ? ']'.repeat(50_000) : `1 ${'}'.repeat(50_000)}`
      const { permissions, warnings, mode } = await loaded(
        `{ "model": ${open.repeat(50_000)}${close},\n "mode": "bypass", "permissions": { "deny": ["bash(rm *)"], "allow": ["bash(*)"] } }`,
      )
      expect(permissions).toMatchObject({ deny: ['bash(rm *)'], allow: [] })
      expect(mode).toBe('ask')
      expect(warnings[0]).toMatch(/^FILE:1:\d+: nested more than 100 levels deep\.$/)
    },
  )

  it('joins what stands there twice', async () => {
    const { permissions, warnings } = await loaded(
      '{ "permissions": { "deny": ["one"] },\n  "permissions": { "deny": ["two"] } }',
    )
    expect(permissions.deny).toEqual(['one', 'two'])
    expect(warnings).toEqual(['FILE:2:3: "permissions" stands there twice; both count.'])
  })

  it.each(['"w"', 'null', '[]', '{ "deny": 1 }'])(
    'loses no rule to a second part that is %s',
    async (second) => {
      const { permissions } = await loaded(`{ "permissions": { "deny": ["one"] }, "permissions": ${second} }`)
      expect(permissions.deny).toEqual(['one'])
    },
  )
})

describe('whatever stands in a file', () => {
  const json = fc.jsonValue({ maxDepth: 3 })
  const known = fc.constantFrom(
    'model',
    'mode',
    'permissions',
    'providers',
    'mcpServers',
    'tools',
    'limits',
    'sandbox',
    'web',
    'x',
  )

  it('loading never fails, and deny rules that are texts stay', async () => {
    await using place = await home()
    const rule = fc.string({ minLength: 1 })
    const member = fc.tuple(known, json)
    await fc.assert(
      fc.asyncProperty(
        fc.array(member),
        fc.array(fc.oneof(rule, json), { minLength: 1 }),
        async (members, deny) => {
          const value = { ...Object.fromEntries(members), permissions: { deny, allow: members[0]?.[1] } }
          await place.write(place.own, JSON.stringify(value))
          const { permissions } = await place.load()
          expect(permissions.deny).toEqual(deny.filter((each) => typeof each === 'string' && each !== ''))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('cutting it anywhere loses no deny rule before the cut', async () => {
    const text =
      '{ "permissions": { "deny": ["one", "two"] }, "mode": "bypass", "tools": { "deny": ["bash"] } }'
    await using place = await home()
    for (let at = 0; at < text.length; at++) {
      await place.write(place.own, text.slice(0, at))
      const { permissions, warnings, mode } = await place.load()
      expect(mode).toBe('ask')
      expect(warnings.length).toBeGreaterThan(0)
      if (at > text.indexOf('"one"') + 5) expect(permissions.deny).toContain('one')
      if (at > text.indexOf('"two"') + 5) expect(permissions.deny).toContain('two')
    }
  })
})
