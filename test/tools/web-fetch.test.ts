import { gzipSync } from 'node:zlib'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#json/value.ts'
import type { ToolExecution } from '#registry/types.ts'
import { createAddressRule } from '#tools/web/address.ts'
import { fetchPage, type Reach } from '#tools/web/fetch-page.ts'
import { openBench, viewOf } from './harness.ts'
import { serve } from './web-server.ts'

const HTML = `<!doctype html><html><head><title>The &amp; title</title><style>b{}</style></head><body>
<script>alert(1)</script><h2>Part *one*</h2><p>Some <b>bold</b> text, <a href="/rel?a=(1)">a link</a>,
<a href="javascript:alert(1)">none</a>.</p><pre><code class="language-js">let x = 1</code></pre><img src="i.png" alt="pic"></body></html>`

async function withWeb() {
  const allowedAddresses = ['127.0.0.1']
  return openBench({}, { web: { allowedAddresses, environment: {} } })
}

describe('web_fetch', () => {
  it('gives HTML as Markdown, with absolute links and nothing that runs', async () => {
    await using server = await serve((_request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(HTML))
    })
    await using bench = await withWeb()
    const args = { url: `${server.url}/page` }
    const outcome = await bench.run('web_fetch', args)
    expect(outcome.text).toContain('# The & title')
    expect(outcome.text).toContain('## Part \\*one\\*')
    expect(outcome.text).toContain(`Some **bold** text, [a link](${server.url}/rel?a=%281%29), none.`)
    expect(outcome.text).toContain('```js\nlet x = 1\n```')
    expect(outcome.text).toContain(`![pic](${server.url}/i.png)`)
    expect(outcome.text).not.toMatch(/alert|b\{\}/)
    expect(outcome.text).toMatch(/\n\n\[HTTP 200 from http:\/\/127\.0\.0\.1:\d+\/page\]$/)
    expect(viewOf(bench, 'web_fetch', args, outcome)).toEqual({
      card: 'web',
      kind: 'fetch',
      url: args.url,
      statusCode: 200,
      truncated: false,
    })
    expect(bench.tool('web_fetch').presentCall?.(args)).toMatchObject({
      kind: 'fetch',
      title: `Fetch \`${args.url}\``,
    })
  })

  it.each([
    ['text/plain; charset=iso-8859-1', iconv.encode('Größe', 'latin1'), 'Größe'],
    ['text/html', iconv.encode('<meta charset="shift_jis"><p>日本', 'Shift_JIS'), '日本'],
    ['application/json', Buffer.from('{"a":1}'), '{"a":1}'],
    ['application/problem+json', Buffer.from('{"a":1}'), '{"a":1}'],
  ])('reads %s', async (type, body, text) => {
    await using server = await serve((_request, response) => {
      response.writeHead(404, { 'content-type': type })
      response.end(body)
    })
    await using bench = await withWeb()
    const outcome = await bench.run('web_fetch', { url: server.url })
    expect(outcome.text).toBe(`${text}\n\n[HTTP 404 from ${server.url}/]`)
  })

  it('a page that is too deep for a converter comes as it is', { timeout: 30_000 }, async () => {
    const deep = `<!doctype html>${'<div>'.repeat(10_000)}text`
    await using server = await serve((_request, response) => {
      response.setHeader('content-type', 'text/html')
      response.end(deep)
    })
    await using bench = await withWeb()
    let turns = 0
    const timer = setInterval(() => (turns += 1), 20)
    const { text } = await bench.run('web_fetch', { url: server.url, max_chars: 200_000 })
    clearInterval(timer)
    expect(text.startsWith(deep)).toBe(true)
    expect(turns).toBeGreaterThan(20)
  })

  it('refuses what is no text', async () => {
    await using server = await serve((_request, response) => {
      response.setHeader('content-type', 'image/png')
      response.end(Buffer.from([1, 2, 3]))
    })
    await using bench = await withWeb()
    expect((await bench.run('web_fetch', { url: server.url })).code).toBe('WEB_NOT_TEXT')
  })

  it('stops at max_chars, and at 5 MiB of whatever comes out of a compressed body', async () => {
    await using server = await serve((request, response) => {
      response.setHeader('content-type', 'text/plain')
      if (request.url === '/bomb') response.setHeader('content-encoding', 'gzip')
      response.end(request.url === '/bomb' ? gzipSync(Buffer.alloc(100_000_000, 'x')) : 'a🙂'.repeat(50_000))
    })
    await using bench = await withWeb()
    const cut = await bench.run('web_fetch', { url: server.url, max_chars: 5 })
    expect(cut.text).toBe(`a🙂a\n\n[HTTP 200 from ${server.url}/; cut after 4 of 150000 characters]`)
    const bomb = await bench.run('web_fetch', { url: `${server.url}/bomb`, max_chars: 10 })
    expect(bomb.text).toContain(`cut after 10 of ${5 * 1024 * 1024} characters`)
    expect((await bench.run('web_fetch', { url: server.url, max_chars: 0 })).code).toBe('INVALID_ARGS')
    expect(bench.tool('web_fetch').validate?.({ url: server.url, max_chars: 0 })).toHaveLength(1)
  })

  it('follows redirects within the host, reports those to another', async () => {
    await using server = await serve((request, response) => {
      const to = request.url === '/a' ? '/b' : request.url === '/b' ? 'http://example.org/c' : undefined
      response.writeHead(to === undefined ? (request.url === '/loop' ? 301 : 200) : 302, {
        'content-type': 'text/plain',
        ...(to !== undefined ? { location: to } : request.url === '/loop' && { location: '/loop' }),
      })
      response.end('body')
    })
    await using bench = await withWeb()
    const outcome = await bench.run('web_fetch', { url: `${server.url}/a` })
    expect(outcome.text).toContain(
      `${server.url}/b redirects to another host (HTTP 302): http://example.org/c`,
    )
    expect(server.requests.map(({ url }) => url)).toEqual(['/a', '/b'])
    expect((await bench.run('web_fetch', { url: `${server.url}/loop` })).code).toBe('WEB_TOO_MANY_REDIRECTS')
  })

  it.each(['ftp://x/', 'file:///etc/passwd', 'x', 'http://user:pass@127.0.0.1/'])(
    'refuses %s',
    async (url) => {
      await using bench = await withWeb()
      expect((await bench.run('web_fetch', { url })).code).toBe('INVALID_URL')
    },
  )

  it('ends when cancelled, and says why a connection failed', async () => {
    await using server = await serve(() => undefined)
    await using bench = await withWeb()
    const controller = new AbortController()
    const running = bench.run('web_fetch', { url: server.url }, controller.signal)
    setTimeout(() => controller.abort(), 50)
    expect((await running).code).toBe('ABORTED')
    const { port } = server
    await server[Symbol.asyncDispose]()
    const failed = await bench.run('web_fetch', { url: `http://127.0.0.1:${port}/` })
    expect([failed.code, failed.text]).toEqual(['WEB_FAILED', expect.stringContaining('ECONNREFUSED')])
  })
})

describe('addresses', () => {
  it.each([
    '127.0.0.1',
    '127.8.8.8',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    '::ffff:127.0.0.1',
    '::ffff:a00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'ff02::1',
    'nonsense',
  ])('%s is not public', (address) => {
    expect(createAddressRule().allows('host', address)).toBe(false)
  })

  it.each(['93.184.216.34', '1.1.1.1', '2606:4700::1111', '::ffff:1.1.1.1'])('%s is public', (address) => {
    expect(createAddressRule().allows('host', address)).toBe(true)
  })

  it('configuration allows names, addresses and ranges', () => {
    const rule = createAddressRule(['wiki.internal', '*.corp', '127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
    expect(rule.allows('WIKI.internal', '192.168.0.1')).toBe(true)
    expect(rule.allows('a.corp', '192.168.0.1')).toBe(true)
    expect(rule.allows('corp', '192.168.0.1')).toBe(false)
    expect(rule.allows('x', '10.9.9.9')).toBe(true)
    expect(rule.allows('x', '::ffff:10.9.9.9')).toBe(true)
    expect(rule.allows('x', 'fd12::1')).toBe(true)
    expect(rule.allows('x', '127.0.0.2')).toBe(false)
    expect(() => createAddressRule(['10.0.0.0/99'])).toThrow()
  })

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://localhost/',
  ])('%s is refused without a connection', async (url) => {
    await using bench = await openBench({}, { web: { environment: {} } })
    expect((await bench.run('web_fetch', { url })).code).toBe('WEB_ADDRESS_REFUSED')
  })
})

describe('before anybody is asked', () => {
  const asked = async (args: JsonObject) => {
    await using bench = await openBench({}, { web: { environment: {}, allowedAddresses: ['10.0.0.0/8'] } })
    const exec = { signal: AbortSignal.timeout(5_000) } as ToolExecution
    return await bench.tool('web_fetch').preview?.(args, exec)
  }

  it.each([
    ['http://127.0.0.1:1/', 'WEB_ADDRESS_REFUSED', '127.0.0.1 is not a public address; web.allowHosts in'],
    ['http://2130706433/', 'WEB_ADDRESS_REFUSED', '127.0.0.1 is not'],
    ['https://[fe80::1]/', 'WEB_ADDRESS_REFUSED', 'fe80::1 is not'],
    ['ftp://example.org/', 'INVALID_URL', 'no http or https address'],
    ['example.org', 'INVALID_URL', 'no http or https address'],
    ['', 'INVALID_URL', 'no http or https address'],
    ['http://me:secret@example.org/', 'INVALID_URL', 'user name or password'],
  ])('%j fails', async (url, code, message) => {
    await expect(asked({ url })).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('names are judged when they are looked up; public and allowed addresses pass', async () => {
    for (const url of ['http://localhost:1/', 'http://no.invalid/', 'https://1.1.1.1/', 'http://10.1.2.3/'])
      expect(await asked({ url })).toBeUndefined()
  })
})

describe('resolution', () => {
  const request = (url: string) => ({ url, maxBytes: 1000, signal: AbortSignal.timeout(5_000) })

  it('the connection goes to the address that was checked', async () => {
    await using server = await serve((_request, response) => response.end('hello'))
    const asked: string[] = []
    const reach: Reach = {
      rule: createAddressRule(['pinned.test']),
      environment: {},
      resolve: async (hostname) => {
        asked.push(hostname)
        return [{ address: '127.0.0.1', family: 4 }]
      },
    }
    const page = await fetchPage(request(`http://pinned.test:${server.port}/`), reach)
    expect([page.body.toString(), asked]).toEqual(['hello', ['pinned.test']])
    expect(server.requests[0]?.headers.host).toBe(`pinned.test:${server.port}`)
  })

  it('a name that turns private at a redirect is refused', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(302, { location: '/again' })
      response.end()
    })
    const answers = ['127.0.0.1', '10.0.0.1']
    const reach: Reach = {
      rule: createAddressRule(['127.0.0.1']),
      environment: {},
      resolve: async () => [{ address: answers.shift() ?? '10.0.0.1', family: 4 }],
    }
    const fetched = fetchPage(request(`http://rebind.test:${server.port}/`), reach)
    await expect(fetched).rejects.toMatchObject({ code: 'WEB_ADDRESS_REFUSED' })
    expect(server.requests).toHaveLength(1)
  })

  it('one private address among public ones refuses the host', async () => {
    const reach: Reach = {
      rule: createAddressRule(),
      environment: {},
      resolve: async () => [
        { address: '1.1.1.1', family: 4 },
        { address: '::1', family: 6 },
      ],
    }
    await expect(fetchPage(request('http://mixed.test/'), reach)).rejects.toMatchObject({
      code: 'WEB_ADDRESS_REFUSED',
    })
  })
})

describe('proxies', () => {
  it('go through the proxy, which resolves the name', async () => {
    await using proxy = await serve((_request, response) => response.end('by proxy'))
    const reach: Reach = {
      rule: createAddressRule(),
      environment: { HTTP_PROXY: proxy.url },
      resolve: async () => {
        throw new Error('ENOTFOUND')
      },
    }
    const page = await fetchPage(
      { url: 'http://far.test/x', maxBytes: 100, signal: AbortSignal.timeout(5_000) },
      reach,
    )
    expect(page.body.toString()).toBe('by proxy')
    expect(proxy.requests[0]).toMatchObject({ url: 'http://far.test/x', headers: { host: 'far.test' } })
  })

  it('that are not for a host leave its name to us', async () => {
    await using proxy = await serve((_request, response) => response.end('by proxy'))
    const reach: Reach = {
      rule: createAddressRule(),
      environment: { HTTP_PROXY: proxy.url, NO_PROXY: '.test' },
      resolve: async () => {
        throw new Error('ENOTFOUND')
      },
    }
    const fetched = fetchPage(
      { url: 'http://far.test/x', maxBytes: 100, signal: AbortSignal.timeout(5_000) },
      reach,
    )
    await expect(fetched).rejects.toThrow('ENOTFOUND')
    expect(proxy.requests).toEqual([])
  })

  it('no proxy is a way to a private address', async () => {
    const reach: Reach = { rule: createAddressRule(), environment: { HTTP_PROXY: 'http://127.0.0.1:1' } }
    const fetched = fetchPage(
      { url: 'http://169.254.169.254/', maxBytes: 100, signal: AbortSignal.timeout(5_000) },
      reach,
    )
    await expect(fetched).rejects.toMatchObject({ code: 'WEB_ADDRESS_REFUSED' })
  })
})
