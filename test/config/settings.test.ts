import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readPaths } from '#config/paths.ts'
import { readSettings } from '#config/settings.ts'

describe('readSettings', () => {
  it('reads an empty environment without a warning', () => {
    const settings = readSettings({})
    expect(settings).toMatchObject({ mode: 'ask', log: { level: 'warn' }, chosen: {}, warnings: [] })
    expect(settings.model).toBeUndefined()
  })

  it('reads everything', () => {
    const settings = readSettings({
      DECKHAND_MODEL: ' openai-compatible/org/qwen3:8b ',
      DECKHAND_BASE_URL: 'http://localhost:11434/v1/',
      DECKHAND_API_KEY: 'general\n',
      ANTHROPIC_API_KEY: 'a',
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: 'https://proxy.example/v1',
      DEEPSEEK_API_KEY: 'd',
      GEMINI_API_KEY: 'g',
      DECKHAND_MODE: 'plan',
      DECKHAND_LOG: 'debug',
      DECKHAND_SCENARIO: 'x.json',
    })
    expect(settings).toMatchObject({
      model: 'openai-compatible/org/qwen3:8b',
      mode: 'plan',
      log: { level: 'debug' },
      scenario: 'x.json',
    })
    expect(settings.chosen.baseURL).toBe('http://localhost:11434/v1')
    expect(settings.chosen.apiKey?.reveal()).toBe('general')
    const keys = Object.entries(settings.providers).map(([id, { apiKey }]) => [id, apiKey?.reveal()])
    expect(keys).toEqual([
      ['anthropic', 'a'],
      ['openai', 'o'],
      ['deepseek', 'd'],
      ['google', 'g'],
    ])
    expect(settings.providers['openai']?.baseURL).toBe('https://proxy.example/v1')
    expect(settings.warnings).toEqual([])
  })

  it.each([
    ['DECKHAND_MODEL', '5'],
    ['DECKHAND_MODEL', 'openai/'],
    ['DECKHAND_MODEL', '/gpt'],
    ['DECKHAND_BASE_URL', 'localhost:11434'],
    ['DECKHAND_BASE_URL', 'http://'],
    ['DECKHAND_API_KEY', 'two words'],
    ['ANTHROPIC_API_KEY', 'schlüssel'],
    ['DECKHAND_MODE', 'yolo2'],
    ['DECKHAND_LOG', 'loud'],
  ])('ignores %s=%s with a warning that names it', (name, value) => {
    const settings = readSettings({ [name]: value })
    expect(settings.warnings).toHaveLength(1)
    expect(settings.warnings[0]).toContain(name)
    expect({ ...settings, warnings: [] }).toEqual(readSettings({}))
    if (name.endsWith('_KEY')) expect(settings.warnings[0]).not.toContain(value)
  })

  it('takes the path of a file for the log', () => {
    expect(readSettings({ DECKHAND_LOG: '/tmp/deck.log' }).log).toEqual({
      level: 'debug',
      file: '/tmp/deck.log',
    })
  })

  it('never prints a key', () => {
    const settings = readSettings({ DECKHAND_API_KEY: 'hush-1', OPENAI_API_KEY: 'hush-2' })
    const key = settings.chosen.apiKey
    const printed = [
      JSON.stringify(settings),
      inspect(settings, { depth: 9, showHidden: true }),
      String(key),
      inspect(key),
    ]
    for (const text of printed) expect(text).not.toContain('hush')
  })
})

describe('readPaths', () => {
  it('puts everything below DECKHAND_HOME', () => {
    expect(readPaths({ DECKHAND_HOME: '/srv/deck' })).toEqual({ config: '/srv/deck', state: '/srv/deck' })
    expect(readPaths({ DECKHAND_HOME: '~/deck' }).state).toBe(join(homedir(), 'deck'))
    expect(readPaths({ DECKHAND_HOME: 'deck' }).config).toBe(resolve('deck'))
  })

  it.runIf(process.platform === 'linux')('follows XDG, without creating anything', () => {
    expect(readPaths({ XDG_STATE_HOME: '/state' }).state).toBe('/state/deckhand')
    expect(readPaths({ XDG_STATE_HOME: 'relative' }).state).toBe(join(homedir(), '.local/state/deckhand'))
    expect(readPaths({}).config).toMatch(/deckhand$/)
  })
})
