// What can be chosen, what it is known to do, and what it costs.
import { describe, expect, it } from 'vitest'
import { readSettings, type ProviderSettings, type Settings } from '#config/settings.ts'
import { createModelSource } from '#model/source.ts'
import { OPENAI_DONE, openaiChunks, startSseServer } from '../support/sse-server.ts'
import { apiOf } from './apis.ts'
import { play } from './harness.ts'

function source(
  env: NodeJS.ProcessEnv,
  providers: Record<string, ProviderSettings> = {},
  more: Partial<Settings> = {},
) {
  const settings = readSettings(env)
  const merged = { ...settings.providers }
  for (const [id, own] of Object.entries(providers)) merged[id] = { ...merged[id], ...own }
  return createModelSource({ ...settings, providers: merged, ...more })
}
const names = (models: ReturnType<typeof source>) => models.models().map(({ name }) => name)

describe('the list of models', () => {
  it('holds the known ones of providers that are set up, the configured ones, and the selected one', () => {
    expect(names(source({}))).toEqual([])
    expect(names(source({ DEEPSEEK_API_KEY: 'k' }))).toEqual([
      'deepseek/deepseek-flash',
      'deepseek/deepseek-v4-pro',
    ])
    const ollama = {
      api: 'openai-compatible' as const,
      baseURL: 'http://127.0.0.1:1',
      models: { a: {}, b: { label: 'B!' } },
    }
    const models = source({ DECKHAND_MODEL: 'anthropic/claude-next', ANTHROPIC_API_KEY: 'k' }, { ollama })
    expect(names(models)).toEqual([
      'anthropic/claude-next',
      'anthropic/claude-sonnet-5-5',
      'anthropic/claude-opus-5-5',
      'anthropic/claude-haiku-5-5',
      'ollama/a',
      'ollama/b',
    ])
    expect(models.models().find(({ name }) => name === 'ollama/b')?.label).toBe('B!')
    expect(names(source({ DECKHAND_MODEL: 'scripted/demo' }))).toEqual(['scripted/demo'])
    const proxied = { DECKHAND_MODEL: 'openai/gpt-x', DECKHAND_BASE_URL: 'http://127.0.0.1:1' }
    expect(names(source(proxied))).toEqual(['openai/gpt-x'])
  })

  it('says window, images and levels of thought, as assumed or configured', () => {
    const models = {
      tiny: { contextWindow: 4096, images: true, thoughtLevels: ['low' as const] },
      plain: {},
    }
    const local = {
      api: 'openai-compatible' as const,
      baseURL: 'http://127.0.0.1:1',
      models,
      contextWindow: 9000,
    }
    const list = source({ OPENAI_API_KEY: 'k' }, { local }).models()
    const facts = (name: string) => list.find((each) => each.name === name)
    expect(facts('local/tiny')).toMatchObject({ contextWindow: 4096, images: true, thoughtLevels: ['low'] })
    expect(facts('local/plain')).toMatchObject({ contextWindow: 9000, images: false, thoughtLevels: [] })
    expect(facts('openai/gpt-5.5')).toMatchObject({
      images: true,
      thoughtLevels: ['off', 'low', 'medium', 'high'],
    })
    expect(facts('openai/gpt-6.1-sol')?.thoughtLevels).not.toContain('off')
  })

  it('chooses a configured provider that lists its models when no vendor is set up', async () => {
    const local = { api: 'openai-compatible' as const, baseURL: 'http://127.0.0.1:1', models: { m: {} } }
    const models = source({}, { local })
    expect(models.selected).toBe('local/m')
    expect(await models.load('local/m')).toMatchObject({ provider: 'local', id: 'm', contextWindow: 128_000 })
    expect(source({ ANTHROPIC_API_KEY: 'k' }, { local }).selected).toBe('anthropic/claude-sonnet-5-5')
  })
})

describe('the small model', () => {
  it('is the configured one, if it can be asked', () => {
    const smallModel = 'openai/gpt-5.4-mini'
    expect(source({ OPENAI_API_KEY: 'k' }, {}, { smallModel }).small).toBe(smallModel)
    expect(source({ ANTHROPIC_API_KEY: 'k' }, {}, { smallModel }).small).toBeUndefined()
    expect(source({ OPENAI_API_KEY: 'k' }).small).toBeUndefined()
    expect(source({}, {}, { smallModel: 'scripted/demo' }).small).toBe('scripted/demo')
    const general = { DECKHAND_MODEL: 'anthropic/x', DECKHAND_API_KEY: 'k' }
    expect(source(general, {}, { smallModel }).small).toBeUndefined()
    expect(source(general, {}, { smallModel: 'anthropic/small' }).small).toBe('anthropic/small')
  })
})

describe('the cost of a request', () => {
  async function usageOf(name: string, own: ProviderSettings, chunks: string[]) {
    await using server = await startSseServer({ chunks })
    const id = name.split('/')[0] ?? ''
    const models = source({}, { [id]: { ...own, baseURL: server.url } })
    const { events, error } = await play(await models.load(name))
    expect(error).toBeUndefined()
    const last = events.at(-1)
    return last?.type === 'finish' ? last.usage : undefined
  }

  it('follows from configured prices, cached tokens apart', async () => {
    for (const name of ['anthropic/claude-sonnet-4-5', 'openai/gpt-5.5', 'google/gemini-3.8-flash']) {
      const prices = { input: 3, cachedInput: 0.3, output: 15, currency: 'EUR' }
      const models = { [name.slice(name.indexOf('/') + 1)]: { prices } }
      const usage = await usageOf(name, { models }, apiOf(name).chunks([{ text: ['ok'] }], 'stop'))
      expect(usage?.cost?.currency).toBe('EUR')
      expect(usage?.cost?.amount).toBeCloseTo((15 * 3 + 5 * 0.3 + 7 * 15) / 1e6, 12)
    }
  })

  it('is what the endpoint reports, where it does; unknown without prices', async () => {
    const usage = { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27, cost: 0.0125 }
    const chunks = [...openaiChunks({ content: 'ok' }, { finish: 'stop' }, { usage }), OPENAI_DONE]
    const router = { api: 'openai-compatible' as const }
    expect((await usageOf('router/m', router, chunks))?.cost).toEqual({ amount: 0.0125, currency: 'USD' })
    const name = 'openai-compatible/qwen3'
    const plain = await usageOf(name, {}, apiOf(name).chunks([{ text: ['ok'] }], 'stop'))
    expect(plain).toEqual({ inputTokens: 20, outputTokens: 7, cachedInputTokens: 5 })
  })
})
