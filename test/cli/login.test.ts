import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keyFile, readStoredKeys } from '#config/keys.ts'
import { login } from '#cli/login.ts'
import { logout } from '#cli/logout.ts'
import { type Reply, startSseServer } from '../support/sse-server.ts'
import { type FakeHost, fakeHost } from './fake-host.ts'
import { runBin } from './run-bin.ts'

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'deckhand-login-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const JSON_TYPE = { 'content-type': 'application/json' }
const reply = (status: number, body: object): Reply => ({
  status,
  headers: JSON_TYPE,
  chunks: [JSON.stringify(body)],
})
const KEY = 'sk-live-0123456789'

/** A host whose configuration sends all providers to one address. */
async function hostAt(url: string, terminal = true): Promise<FakeHost> {
  const ids = ['anthropic', 'openai', 'google', 'deepseek']
  const providers = Object.fromEntries(ids.map((id) => [id, { baseURL: url }]))
  await writeFile(join(home, 'config.jsonc'), JSON.stringify({ providers }))
  return fakeHost({ env: { DECKHAND_HOME: home }, terminal })
}

/** Types once the question stands there. */
async function answer(host: FakeHost, question: string, text: string): Promise<void> {
  await vi.waitFor(() => expect(host.shown.stderr).toContain(question))
  host.type(text)
}

describe('login', () => {
  it.each([
    ['anthropic', 'x-api-key', KEY],
    ['openai', 'authorization', `Bearer ${KEY}`],
    ['google', 'x-goog-api-key', KEY],
    ['deepseek', 'authorization', `Bearer ${KEY}`],
  ])('asks without echo, checks with %s, and stores for the owner alone', async (provider, header, value) => {
    await using server = await startSseServer(reply(200, { data: [] }))
    const host = await hostAt(server.url)
    const done = login(host, { provider })
    await answer(host, 'Key of', `${KEY.slice(0, 5)}x`)
    host.type('\u007f')
    host.type(`\u001b[200~${KEY.slice(5)}\u001b[201~\r`)
    expect(await done).toBe(0)
    expect(server.requests).toMatchObject([{ path: '/models', headers: { [header]: value } }])
    expect(readStoredKeys(home)[provider]?.reveal()).toBe(KEY)
    expect((await stat(keyFile(home))).mode & 0o777).toBe(0o600)
    expect(host.raw).toEqual([true, false])
    expect(host.shown.stdout + host.shown.stderr).not.toContain(KEY.slice(5))
  })

  it('asks for the provider when none is named', async () => {
    await using server = await startSseServer(reply(200, {}))
    const host = await hostAt(server.url)
    const done = login(host, {})
    await answer(host, 'Provider (anthropic, openai, google, deepseek', 'deepseek\n')
    await answer(host, 'Key of DeepSeek', `${KEY}\r`)
    expect(await done).toBe(0)
    expect(Object.keys(readStoredKeys(home))).toEqual(['deepseek'])
  })

  it.each([
    ['scripted/x', 'anthropic'],
    ['own/m', 'anthropic'],
    ['deepseek/m', 'deepseek'],
  ])('offers only a provider that it knows: for %s it is %s', async (model, provider) => {
    const providers = { own: { baseURL: 'http://127.0.0.1:1' }, mine: { api: 'openai-chat' } }
    await writeFile(join(home, 'config.jsonc'), JSON.stringify({ providers }))
    const host = fakeHost({ env: { DECKHAND_HOME: home, DECKHAND_MODEL: model }, terminal: true })
    const done = login(host, {})
    await answer(host, `openai-compatible, mine) [${provider}]: `, '\n')
    await answer(host, 'Key of', '\u0003')
    expect(await done).toBe(1)
  })

  it.each(['\u0003', '\u0004'])('stores nothing for %j instead of a provider', async (typed) => {
    const host = await hostAt('http://127.0.0.1:1')
    Object.assign(host.stderr, { isTTY: true })
    const done = login(host, {})
    await answer(host, 'Provider (', typed)
    expect(await done).toBe(1)
    expect(host.shown.stderr).toContain('\ndeckhand: no provider was chosen; nothing is stored')
  })

  it('stores nothing when the input ends instead of a provider', async () => {
    const host = await hostAt('http://127.0.0.1:1')
    const done = login(host, {})
    setImmediate(() => host.stdin.push(null))
    expect(await done).toBe(1)
    expect(host.shown.stderr).toContain('no provider was chosen')
  })

  it.each([
    ['anthropic', 401, { error: { message: `invalid x-api-key ${KEY}` } }],
    ['openai', 403, {}],
    ['google', 400, { error: { message: 'API key not valid. Please pass a valid API key.' } }],
  ])('stores nothing that %s refuses (%i)', async (provider, status, body) => {
    await using server = await startSseServer(reply(status, body))
    const host = await hostAt(server.url)
    const done = login(host, { provider })
    await answer(host, 'Key of', `${KEY}\r`)
    expect(await done).toBe(1)
    expect(host.shown.stderr).toContain(`refused the key (${status})`)
    expect(host.shown.stderr).not.toContain(KEY)
    expect(existsSync(keyFile(home))).toBe(false)
  })

  it('stores what could not be checked, and says so', async () => {
    await using server = await startSseServer(reply(404, {}))
    const { url } = server
    const host = await hostAt(url, false)
    host.type(`${KEY}\n`)
    host.stdin.push(null)
    expect(await login(host, { provider: 'openai' })).toBe(0)
    expect(host.shown.stderr).toContain('OpenAI answered with 404')
    await server[Symbol.asyncDispose]()
    const offline = await hostAt(url, false)
    offline.type(`${KEY}\n`)
    offline.stdin.push(null)
    expect(await login(offline, { provider: 'openai' })).toBe(0)
    expect(offline.shown.stderr).toMatch(/nothing listens at .*\(ECONNREFUSED\)/)
  })

  it.each(['\u0003', '\u0004', '\u001b', '\r', 'two words\r', 'schlüssel\r'])(
    'stores nothing for %j',
    async (typed) => {
      const host = await hostAt('http://127.0.0.1:1')
      const done = login(host, { provider: 'openai' })
      await answer(host, 'Key of', typed)
      expect(await done).toBe(1)
      expect(host.shown.stderr).toContain('nothing is stored')
      expect(existsSync(keyFile(home))).toBe(false)
      expect(host.raw).toEqual([true, false])
    },
  )

  it('does not overwrite a file that it can not read', async () => {
    await writeFile(keyFile(home), '{ broken')
    await using server = await startSseServer(reply(200, {}))
    const host = await hostAt(server.url)
    const done = login(host, { provider: 'openai' })
    await answer(host, 'Key of', `${KEY}\r`)
    expect(await done).toBe(1)
    expect(host.shown.stderr).toMatch(/keys\.json can't be read.*repair or delete it/)
    expect(await readFile(keyFile(home), 'utf8')).toBe('{ broken')
  })

  it('knows no other providers', async () => {
    const host = await hostAt('http://127.0.0.1:1')
    expect(await login(host, { provider: 'antropic' })).toBe(2)
    expect(host.shown.stderr).toContain('known are anthropic, openai')
  })
})

describe('logout', () => {
  it('forgets one key, or all', async () => {
    await writeFile(keyFile(home), JSON.stringify({ openai: 'a', google: 'b', deepseek: 'c' }))
    const run = async (provider?: string) => {
      const host = fakeHost({ env: { DECKHAND_HOME: home } })
      const code = await logout(host, provider === undefined ? {} : { provider })
      return [code, host.shown.stderr.trim()]
    }
    expect(await run('google')).toEqual([0, 'The key of google is forgotten.'])
    expect(await run('google')).toEqual([0, 'No key of google was stored.'])
    expect(await run()).toEqual([0, 'The key of openai, deepseek is forgotten.'])
    expect(readStoredKeys(home)).toEqual({})
  })

  it('refuses a provider that nobody knows, unless a key of it is stored', async () => {
    await writeFile(keyFile(home), JSON.stringify({ gone: 'a' }))
    const run = (): [FakeHost, Promise<number>] => {
      const host = fakeHost({ env: { DECKHAND_HOME: home } })
      return [host, logout(host, { provider: 'gone' })]
    }
    const [first, forgotten] = run()
    expect([await forgotten, first.shown.stderr]).toEqual([0, 'The key of gone is forgotten.\n'])
    const [second, refused] = run()
    expect(await refused).toBe(2)
    expect(second.shown.stderr).toMatch(/^deckhand: there is no provider "gone"; known are anthropic, openai/)
  })
})

describe('on the command line', () => {
  it('login and logout take a provider', async () => {
    const env = { DECKHAND_HOME: home }
    const { code, stderr } = await runBin(['login', 'nobody'], { env })
    expect({ code, stderr }).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no provider "nobody"'),
    })
    expect(await runBin(['logout', 'openai'], { env })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No key of openai was stored.\n',
    })
  })
})
