import { chmod, readdir, readFile, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startHttpFixture } from './http-fixture.ts'
import { openServers, startServers, until } from './harness.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

describe('streamable HTTP', () => {
  it('sends headers, calls, and says goodbye', async () => {
    const fixture = await startHttpFixture()
    const bench = await openServers({
      web: { type: 'http', url: fixture.url, headers: { 'x-team': 'blue', authorization: 'Bearer fixed' } },
    })
    expect(bench.problems).toEqual([])
    expect(await bench.text('mcp__web__echo', { a: 1 })).toBe('{"a":1}')
    for (const headers of fixture.headers)
      expect(headers).toMatchObject({ 'x-team': 'blue', authorization: 'Bearer fixed' })
    await bench.servers.dispose()
    expect(fixture.methods.at(-1)).toBe('DELETE')
  })

  it('B102: an address that takes connections and never answers', async () => {
    const silent = createServer(() => undefined)
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void silent.close())
    const { port } = silent.address() as { port: number }
    const bench = await openServers(
      {
        http: { type: 'http', url: `http://127.0.0.1:${port}/` },
        sse: { type: 'sse', url: `http://127.0.0.1:${port}/` },
      },
      { timing: { handshake: 300 } },
    )
    expect(bench.problems.toSorted()).toEqual([
      'MCP server "http" did not start: it did not answer within 0.3 s',
      'MCP server "sse" did not start: it did not answer within 0.3 s',
    ])
  })

  it('names an address where nothing is, and one that refuses', async () => {
    const fixture = await startHttpFixture({ status: 403 })
    const bench = await openServers({
      none: { type: 'http', url: 'http://127.0.0.1:1/' },
      refuses: { type: 'http', url: fixture.url },
    })
    expect(bench.problems.toSorted()).toEqual([
      expect.stringMatching(/^MCP server "none" did not start: .*(ECONNREFUSED|bad port|fetch failed)/),
      expect.stringMatching(/^MCP server "refuses" did not start: .*403/),
    ])
  })

  it('begins a new session when the server has lost the old one', async () => {
    const fixture = await startHttpFixture()
    const bench = await openServers({ web: { type: 'http', url: fixture.url } }, { timing: { backoff: 10 } })
    fixture.forget()
    expect(await bench.text('mcp__web__echo', { again: true })).toBe('{"again":true}')
    expect(fixture.methods.filter((method) => method === 'initialize')).toHaveLength(2)
  })

  it('an answer that breaks off fails the call at once; a harmless one is sent again', async () => {
    let calls = 0
    const fixture = await startHttpFixture({
      call: (params, response) => {
        calls += 1
        if (params['name'] === 'look' && calls > 2) return { content: [{ type: 'text', text: 'seen' }] }
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': hello\n\n')
        setTimeout(() => response.destroy(), 30)
        return undefined
      },
    })
    const bench = await openServers({ web: { type: 'http', url: fixture.url } }, { timing: { backoff: 10 } })
    expect(await bench.text('mcp__web__echo')).toMatch(/was lost during the call of echo/)
    expect(await bench.text('mcp__web__look')).toBe('seen')
    expect(calls).toBe(3)
  })
})

describe('OAuth', () => {
  it('shows an address, waits for the person, and keeps the tokens to itself', async () => {
    const fixture = await startHttpFixture({ protect: true })
    const stateDirectory = await temporaryDirectory()
    const bench = await startServers({ web: { type: 'http', url: fixture.url } }, { stateDirectory })
    await until('it asks', () => bench.servers.status()[0]?.state === 'authorizing')
    const [status] = bench.servers.status()
    expect(bench.problems).toEqual([
      `MCP server "web" wants to be authorized: open ${status?.authorizationUrl}`,
    ])
    const page = await fetch(status?.authorizationUrl ?? '')
    expect(await page.text()).toContain('Authorized. You can close this page.')
    await bench.servers.ready(5000)
    expect(bench.problems.slice(1)).toEqual([])
    expect(bench.servers.status()[0]).toMatchObject({ state: 'ready' })
    expect(bench.servers.status()[0]).not.toHaveProperty('authorizationUrl')
    expect(await bench.text('mcp__web__echo', { a: 1 })).toBe('{"a":1}')
    const folder = join(stateDirectory, 'mcp-credentials')
    const [file = ''] = await readdir(folder)
    expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect(await readFile(join(folder, file), 'utf8')).toContain('refresh_token')
    await bench.servers.dispose()

    const again = await openServers({ web: { type: 'http', url: fixture.url } }, { stateDirectory })
    expect(again.problems).toEqual([])
    fixture.expire()
    expect(await again.text('mcp__web__echo', { b: 2 })).toBe('{"b":2}')
    expect(fixture.grants).toEqual(['authorization_code', 'refresh_token'])
    expect(fixture.registered).toEqual(['Deckhand'])
    // Calls that find the tokens expired at the same time.
    fixture.expire()
    const answers = [1, 2, 3].map((b) => again.text('mcp__web__echo', { b }))
    expect(await Promise.all(answers)).toEqual(['{"b":1}', '{"b":2}', '{"b":3}'])
    expect(fixture.grants).toEqual(['authorization_code', 'refresh_token', 'refresh_token'])
  })

  it('gives up when nobody comes, and takes only its own answer', async () => {
    const fixture = await startHttpFixture({ protect: true })
    const bench = await startServers(
      { web: { type: 'http', url: fixture.url } },
      { timing: { authorization: 700 } },
    )
    await until('it asks', () => bench.servers.status()[0]?.authorizationUrl !== undefined)
    const asked = new URL(bench.servers.status()[0]?.authorizationUrl ?? '')
    const callback = new URL(asked.searchParams.get('redirect_uri') ?? '')
    callback.search = '?code=stolen&state=guessed'
    expect((await fetch(callback)).status).toBe(404)
    await bench.servers.ready(5000)
    expect(bench.servers.status()[0]).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('nobody authorized'),
    })
  })

  it('a session that ends does not wait for the person', async () => {
    const fixture = await startHttpFixture({ protect: true })
    const bench = await startServers({ web: { type: 'http', url: fixture.url } })
    await until('it asks', () => bench.servers.status()[0]?.state === 'authorizing')
    const start = performance.now()
    await bench.servers.dispose()
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  it('damaged credentials are as good as none', async () => {
    const fixture = await startHttpFixture()
    const stateDirectory = await temporaryDirectory()
    await chmod(stateDirectory, 0o500)
    const bench = await openServers({ web: { type: 'http', url: fixture.url } }, { stateDirectory })
    expect(bench.problems).toEqual([])
    await chmod(stateDirectory, 0o700)
  })
})
