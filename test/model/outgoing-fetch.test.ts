// Proxies and certificates, with a real proxy and a real certificate that nobody knows.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer as createTlsServer } from 'node:https'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { readSettings } from '#config/settings.ts'
import { outgoingFetch } from '#model/outgoing-fetch.ts'
import { createModelSource } from '#model/source.ts'
import { listening, startProxy, stop } from '../support/proxy.ts'
import { startSseServer } from '../support/sse-server.ts'
import { apiOf } from './apis.ts'
import { play, textIn } from './harness.ts'

const TLS = join(import.meta.dirname, '../support/tls')
const API = apiOf('openai-compatible/qwen3')
const CHUNKS = API.chunks([{ text: ['through'] }], 'stop')

async function ask(baseURL: string, env: NodeJS.ProcessEnv) {
  const settings = readSettings({ DECKHAND_MODEL: API.name, DECKHAND_BASE_URL: baseURL })
  const source = createModelSource(settings, { fetch: outgoingFetch(env), idleTimeoutMs: 10_000 })
  return play(await source.load(API.name))
}

const portOf = (url: string): number => Number(new URL(url).port)

describe('a proxy', () => {
  it('is used for other hosts, with its credentials', async () => {
    await using server = await startSseServer({ chunks: CHUNKS })
    await using proxy = await startProxy(portOf(server.url))
    const withUser = proxy.url.replace('//', '//me:secret@')
    const { events, error } = await ask('http://model.test/v1', { HTTP_PROXY: withUser })
    expect(error).toBeUndefined()
    expect(textIn(events)).toBe('through')
    const credentials = `Basic ${Buffer.from('me:secret').toString('base64')}`
    expect(proxy.tunnels).toEqual([{ to: 'model.test:80', credentials }])
  })

  it.each([
    [{ http_proxy: 'PROXY' }, true],
    [{ ALL_PROXY: 'PROXY' }, true],
    [{ HTTP_PROXY: 'PROXY', NO_PROXY: 'other.test' }, true],
    [{ HTTPS_PROXY: 'PROXY' }, false],
    [{ HTTP_PROXY: 'PROXY', NO_PROXY: 'model.test' }, false],
    [{ HTTP_PROXY: 'PROXY', no_proxy: '.test' }, false],
    [{ HTTP_PROXY: 'PROXY', NO_PROXY: 'model.test:81' }, true],
    [{ HTTP_PROXY: 'PROXY', NO_PROXY: '*' }, false],
  ])('%j: %s', async (env, used) => {
    await using server = await startSseServer({ chunks: CHUNKS })
    await using proxy = await startProxy(portOf(server.url))
    const real = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, value === 'PROXY' ? proxy.url : value]),
    )
    const { error } = await ask('http://model.test/v1', real)
    expect(error === undefined).toBe(used)
    expect(proxy.tunnels.length).toBe(used ? 1 : 0)
  })

  it('is not used for a model of the own machine', async () => {
    await using server = await startSseServer({ chunks: CHUNKS })
    await using proxy = await startProxy(1)
    const { events } = await ask(server.url, { HTTP_PROXY: proxy.url })
    expect(textIn(events)).toBe('through')
    expect(proxy.tunnels).toEqual([])
  })

  it('that is not there is a failed connection, without its password', async () => {
    const { error } = await ask('http://model.test/v1', { HTTP_PROXY: 'http://me:secret@127.0.0.1:1' })
    expect(error).toMatchObject({ code: 'transport', retryable: true })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)) + String(error?.cause)).not.toContain(
      'secret',
    )
  })

  it('that is no address is told, without its password', async () => {
    const { error } = await ask('http://model.test/v1', { HTTPS_PROXY: 'http://me:secret@ho st:99' })
    expect(error).toMatchObject({ code: 'config', message: expect.stringContaining('HTTPS_PROXY') })
    expect(error?.message).not.toContain('secret')
  })

  it('is no matter without one', () => {
    expect(outgoingFetch({ NO_PROXY: 'x', HTTP_PROXY: ' ' })).toBe(globalThis.fetch)
  })
})

const CLIENT = `
const { outgoingFetch } = await import('#model/outgoing-fetch.ts')
const answer = await outgoingFetch(process.env)(process.env.TARGET).then((response) => response.text(), (error) => error.cause?.code ?? String(error))
console.log(answer)
`

describe('further certificates', () => {
  it.each([false, true])('of NODE_EXTRA_CA_CERTS count, through a proxy: %s', async (throughProxy) => {
    const [key, cert] = ['key.pem', 'certificate.pem'].map((name) => readFileSync(join(TLS, name)))
    const server = createTlsServer({ key, cert }, (_request, response) => response.end('trusted'))
    const port = portOf(await listening(server))
    await using proxy = await startProxy(port)
    const run = async (more: NodeJS.ProcessEnv): Promise<string> => {
      const env = {
        PATH: process.env['PATH'],
        TARGET: throughProxy ? 'https://model.test/' : `https://127.0.0.1:${port}/`,
        ...(throughProxy && { HTTPS_PROXY: proxy.url }),
        ...more,
      }
      const cwd = join(import.meta.dirname, '../..')
      const args = ['--input-type=module', '-e', CLIENT]
      return (await promisify(execFile)(process.execPath, args, { cwd, env })).stdout.trim()
    }
    expect(await run({})).toMatch(/SELF_SIGNED/)
    expect(await run({ NODE_EXTRA_CA_CERTS: join(TLS, 'certificate.pem') })).toBe('trusted')
    await stop(server)
  })
})
