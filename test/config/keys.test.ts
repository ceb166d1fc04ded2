import { chmod, readFile, stat } from 'node:fs/promises'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { forgetKeys, keyFile, readStoredKeys, storeKey } from '#config/keys.ts'
import { createModelSource } from '#model/source.ts'
import { home } from './home.ts'

describe('stored keys', () => {
  it('are kept where only the owner reads them, and forgotten', async () => {
    await using place = await home()
    expect(readStoredKeys(place.state)).toEqual({})
    await storeKey(place.state, 'openai', 'sk-one')
    await chmod(keyFile(place.state), 0o644)
    await storeKey(place.state, 'anthropic', 'sk-two')
    expect((await stat(keyFile(place.state))).mode & 0o777).toBe(0o600)
    const keys = readStoredKeys(place.state)
    expect(Object.entries(keys).map(([id, key]) => [id, key.reveal()])).toEqual([
      ['openai', 'sk-one'],
      ['anthropic', 'sk-two'],
    ])
    expect(inspect(keys) + JSON.stringify(keys)).not.toContain('sk-')
    expect(await forgetKeys(place.state, 'openai')).toEqual(['openai'])
    expect(await forgetKeys(place.state, 'openai')).toEqual([])
    expect(await forgetKeys(place.state)).toEqual(['anthropic'])
    expect(readStoredKeys(place.state)).toEqual({})
  })

  it('that are broken are left alone', async () => {
    await using place = await home()
    await place.write(keyFile(place.state), '{ "openai": ')
    expect(readStoredKeys(place.state)).toEqual({})
    await expect(storeKey(place.state, 'openai', 'k')).rejects.toThrow(/keys\.json can't be read/)
    expect(await readFile(keyFile(place.state), 'utf8')).toBe('{ "openai": ')
  })

  it('make a model usable while the process runs, and give way to the environment', async () => {
    await using place = await home()
    const storedKeys = () => readStoredKeys(place.state)
    const models = createModelSource(await place.load(), { storedKeys })
    expect(models.selected).toBeUndefined()
    await storeKey(place.state, 'deepseek', 'k-1')
    expect(models.selected).toBe('deepseek/deepseek-flash')
    expect(models.models().map(({ name }) => name)).toContain('deepseek/deepseek-v4-pro')
    const first = await models.load('deepseek/deepseek-flash')
    expect(await models.load('deepseek/deepseek-flash')).toBe(first)
    await storeKey(place.state, 'deepseek', 'k-2')
    expect(await models.load('deepseek/deepseek-flash')).not.toBe(first)
    const env = createModelSource(await place.load({ ANTHROPIC_API_KEY: 'e' }), { storedKeys })
    expect(env.selected).toBe('anthropic/claude-sonnet-5-5')
    await forgetKeys(place.state)
    expect(models.selected).toBeUndefined()
  })
})
