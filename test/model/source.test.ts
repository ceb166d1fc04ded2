import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readSettings } from '#config/settings.ts'
import { createModelSource } from '#model/source.ts'

const source = (env: NodeJS.ProcessEnv) => createModelSource(readSettings(env))

describe('the selected model', () => {
  it.each([
    [{}, undefined],
    [{ ANTHROPIC_API_KEY: 'k' }, 'anthropic/claude-sonnet-5-5'],
    [{ OPENAI_API_KEY: 'k' }, 'openai/gpt-5.5'],
    [{ OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }, 'anthropic/claude-sonnet-5-5'],
    [{ ANTHROPIC_API_KEY: 'k', DECKHAND_MODEL: 'openai/gpt-4o', OPENAI_API_KEY: 'k' }, 'openai/gpt-4o'],
    [{ ANTHROPIC_API_KEY: 'k', DECKHAND_MODEL: 'openai/gpt-4o' }, undefined],
    [{ DECKHAND_MODEL: 'openai/gpt-4o', DECKHAND_API_KEY: 'k' }, 'openai/gpt-4o'],
    [{ DECKHAND_MODEL: 'openai/gpt-4o', DECKHAND_BASE_URL: 'http://127.0.0.1:1' }, 'openai/gpt-4o'],
    [
      { DECKHAND_MODEL: 'openai-compatible/q', DECKHAND_BASE_URL: 'http://127.0.0.1:1' },
      'openai-compatible/q',
    ],
    [{ DECKHAND_API_KEY: 'k' }, undefined],
    [{ DECKHAND_BASE_URL: 'http://127.0.0.1:1' }, undefined],
    [{ DECKHAND_SCENARIO: '/x.json' }, undefined],
    [{ DECKHAND_MODEL: 'scripted/demo' }, 'scripted/demo'],
  ])('of %j is %s', (env, selected) => {
    const models = source(env)
    expect(models.selected).toBe(selected)
    expect(models.problem === undefined).toBe(selected !== undefined)
  })

  it('stays selected with a problem when its name or address is wrong, and load says so', async () => {
    const unknown = source({ DECKHAND_MODEL: 'antropic/x', ANTHROPIC_API_KEY: 'k' })
    expect(unknown.selected).toBe('antropic/x')
    await expect(unknown.load('antropic/x')).rejects.toMatchObject({
      code: 'config',
      message: unknown.problem,
    })
    expect(unknown.problem).toMatch(
      /antropic.*known are anthropic, openai, google, deepseek, openai-compatible, scripted/,
    )
    const nowhere = source({ DECKHAND_MODEL: 'openai-compatible/q' })
    await expect(nowhere.load('openai-compatible/q')).rejects.toMatchObject({
      code: 'config',
      message: nowhere.problem,
    })
    expect(nowhere.problem).toContain('DECKHAND_BASE_URL')
  })

  it('is loaded once; a missing key or a nameless model is told', async () => {
    const models = source({ ANTHROPIC_API_KEY: 'k' })
    const first = await models.load('anthropic/claude-x')
    expect(await models.load('anthropic/claude-x')).toBe(first)
    expect(first).toMatchObject({ provider: 'anthropic', id: 'claude-x', images: true })
    await expect(models.load('openai/gpt-4o')).rejects.toMatchObject({ code: 'auth' })
    await expect(models.load('gpt-4o')).rejects.toMatchObject({ code: 'config' })
    await expect(models.load('openai/')).rejects.toMatchObject({ code: 'config' })
  })

  it('keeps the general key and address away from other providers', async () => {
    const models = source({
      DECKHAND_MODEL: 'openai/x',
      DECKHAND_API_KEY: 'k',
      DECKHAND_BASE_URL: 'http://127.0.0.1:1',
    })
    await expect(models.load('anthropic/x')).rejects.toMatchObject({ code: 'auth' })
    await expect(models.load('openai/y')).resolves.toMatchObject({ provider: 'openai' })
  })
})

const PROBE = `
import { registerHooks } from 'node:module'
const seen = []
registerHooks({ load: (url, context, next) => (seen.push(url), next(url, context)) })
const heavy = () => seen.filter((url) => /node_modules\\/(ai|@ai-sdk|zod)\\//.test(url)).length
const { createModelSource } = await import('#model/source.ts')
const { readSettings } = await import('#config/settings.ts')
const models = createModelSource(readSettings(process.env))
const selected = models.selected
const before = heavy()
await models.load(selected)
console.log(JSON.stringify({ selected, before, after: heavy(), modules: seen.length }))
`

describe('start-up', () => {
  it('loads neither the AI SDK nor zod before a model is loaded', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROBE], {
      cwd: join(import.meta.dirname, '../..'),
      env: { PATH: process.env['PATH'], ANTHROPIC_API_KEY: 'k' },
    })
    const seen = JSON.parse(stdout)
    expect(seen).toMatchObject({ selected: 'anthropic/claude-sonnet-5-5', before: 0 })
    expect(seen.after).toBeGreaterThan(0)
  })
})
