// The configuration: whatever stands in a file, loading says so and goes on, and no rule that forbids is lost with it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MODE_IDS } from '#config/settings.ts'
import { compileRules } from '#policy/rules.ts'
import { home } from '../config/home.ts'
import { blowUp, changed, changeWith, type Json, odd } from './mutate.ts'
import { LONG, scale } from './scale.ts'

const WHOLE: Record<string, Json> = {
  model: 'scripted/x',
  smallModel: 'scripted/y',
  mode: 'accept-edits',
  permissions: { allow: ['bash(npm test *)', 'edit(src/**)'], ask: ['web(*)'] },
  providers: {
    local: {
      api: 'openai-compatible',
      baseURL: 'http://localhost:1/v1',
      headers: { a: '${HOME}' },
      models: { m: { contextWindow: 9, prices: { input: 1, output: 2 } } },
    },
    openai: { apiKeyEnv: 'K', models: ['a', 'b'] },
  },
  mcpServers: {
    files: { command: 'npx', args: ['-y', 'server'], env: { A: '${B}' }, trust: true },
    remote: { url: 'https://x.example/mcp', headers: { b: 'c' }, sampling: true, disabled: true },
  },
  tools: { allow: ['read', 'bash'] },
  codeMode: 'both',
  files: 'disk',
  sandbox: { writes: 'workspace', allowHosts: ['a.example'] },
  env: { pass: ['A'] },
  web: { search: { kind: 'searxng', url: 'http://localhost:2' }, allowHosts: ['h'] },
  limits: { modelRequests: 9, parallel: 2, bashTimeoutMs: 100 },
  retention: { sessionDays: 3 },
  plugins: ['./a.mjs'],
  instructions: ['./b.md'],
  askReason: false,
}

const changes = fc.array(changeWith(odd), { maxLength: 6 })
const name = fc.constantFrom(...Object.keys(WHOLE), '__proto__', 'constructor', 'Permissions', '')

/** Sections as they may be, hurt, with rules that forbid beside whatever stands there. */
const file = fc
  .tuple(
    fc.uniqueArray(name, { maxLength: 8 }),
    changes,
    fc.array(
      fc.oneof(
        { weight: 3, arbitrary: fc.string({ minLength: 1, maxLength: 8 }).map((rule) => `bash(${rule} *)`) },
        odd,
      ),
      { maxLength: 40 },
    ),
    fc.boolean(),
  )
  .map(([names, harm, deny, alone]) => {
    const sections = changed(
      Object.fromEntries(names.map((each) => [each, Object.hasOwn(WHOLE, each) ? (WHOLE[each] as Json) : 1])),
      harm,
    )
    const { permissions, ...rest } =
      typeof sections === 'object' && sections !== null && !Array.isArray(sections) ? sections : {}
    const others =
      alone || typeof permissions !== 'object' || permissions === null || Array.isArray(permissions)
        ? {}
        : permissions
    return { text: blowUp(JSON.stringify({ ...rest, permissions: { ...others, deny } })), deny }
  })

describe('the configuration', () => {
  it(
    'loads whatever is in the file, and keeps every rule that forbids',
    { timeout: LONG ? 0 : 60_000 },
    async () => {
      await using place = await home()
      await fc.assert(
        fc.asyncProperty(file, async ({ text, deny }) => {
          await place.write(place.own, text)
          const { permissions, mode, warnings, sandbox } = await place.load()
          const texts = deny.filter((rule) => typeof rule === 'string' && rule !== '' && !/§/.test(rule))
          for (const rule of texts) expect(permissions.deny).toContain(rule)
          expect(MODE_IDS).toContain(mode)
          for (const warning of warnings) expect(warning).toBeTypeOf('string')
          if (text.includes('"workspace"')) expect(sandbox).toBeDefined()
          compileRules(permissions)
        }),
        scale('configuration', { short: 80, long: 12_000 }),
      )
    },
  )

  it('is at least as strict where the text is damaged', { timeout: LONG ? 0 : 60_000 }, async () => {
    await using place = await home()
    const rules = JSON.stringify({ permissions: { deny: ['bash(rm *)', 'edit(secret/**)'] } }).slice(0, -1)
    const whole = `${rules}, ${JSON.stringify(WHOLE).slice(1)}`
    const harm = fc.record({
      at: fc.nat({ max: whole.length - rules.length }),
      cut: fc.nat({ max: 30 }),
      text: fc.oneof(
        fc.string({ maxLength: 4 }),
        fc.constantFrom(
          '"',
          '{',
          '}',
          '[',
          ']',
          ',',
          ':',
          '//',
          '/*',
          '\\',
          '\0',
          '\ufeff',
          '\n',
          blowUp('"§deep:20000§"'),
          blowUp('"§deepo:20000§"').slice(0, 60_000),
        ),
      ),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 3 }), async (harms) => {
        const text = harms.reduce((before, { at, cut, text: put }) => {
          const place = Math.min(rules.length + at, before.length)
          return before.slice(0, place) + put + before.slice(place + cut)
        }, whole)
        await place.write(place.own, text)
        const { permissions, mode, warnings } = await place.load()
        // A file that is no text at all is told as such, and nothing of it is used.
        if (!text.includes('\0'))
          expect(permissions.deny.slice(0, 2)).toEqual(['bash(rm *)', 'edit(secret/**)'])
        expect(['ask', 'accept-edits']).toContain(mode)
        if (mode !== 'ask') expect(permissions.allow.length + warnings.length).toBeGreaterThan(0)
      }),
      scale('damaged configuration', { short: 80, long: 12_000 }),
    )
  })

  it('of a project that nobody trusts only forbids and hides', { timeout: LONG ? 0 : 60_000 }, async () => {
    await using place = await home({ permissions: { deny: ['bash(own *)'] } })
    const bare = await place.load()
    await fc.assert(
      fc.asyncProperty(file, async ({ text }) => {
        await place.write(place.projectFile, text)
        const loaded = await place.load()
        const { warnings: _w, sources: _s, project, permissions, tools, ...rest } = loaded
        const { warnings: _w2, sources: _s2, project: _p, permissions: _r, tools: _t, ...before } = bare
        expect(rest).toEqual(before)
        expect(permissions.allow).toEqual([])
        expect(permissions.deny).toContain('bash(own *)')
        expect(tools.allow).toBeUndefined()
        expect(project?.trusted).toBe(false)
        for (const effect of project?.effects ?? []) expect(effect).toBeTypeOf('string')
      }),
      scale('untrusted project', { short: 60, long: 8000 }),
    )
  })
})
