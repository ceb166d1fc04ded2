import { describe, expect, it } from 'vitest'
import { type SearchEndpoint, searchAnswer, searchRequest } from '#tools/web/search-endpoint.ts'
import { openBench, viewOf } from './harness.ts'
import { serve } from './web-server.ts'

const RESULTS = Array.from({ length: 12 }, (_, n) => ({
  url: `https://example.org/${n}`,
  title: `Page ${n}`,
  content: `About\n  ${n}`,
  publishedDate: n === 0 ? '2026-01-02T00:00:00' : null,
}))

const open = (search: SearchEndpoint) => openBench({}, { web: { search, environment: {} } })

describe('web_search', () => {
  it('asks SearXNG, and shows sources, dates and the answer', async () => {
    await using server = await serve((_request, response) =>
      response.end(JSON.stringify({ query: 'x', results: RESULTS, answers: [{ answer: ' 42 ' }] })),
    )
    await using bench = await open({ kind: 'searxng', url: `${server.url}/searx/` })
    const args = { query: 'a & b', limit: 2 }
    const outcome = await bench.run('web_search', args)
    expect(server.requests[0]?.url).toBe('/searx/search?q=a+%26+b&format=json')
    expect(outcome.text).toBe(
      '42\n\n1. Page 0 (2026-01-02T00:00:00)\n   https://example.org/0\n   About 0\n\n' +
        '2. Page 1\n   https://example.org/1\n   About 1\n\n[more results were cut]',
    )
    expect(viewOf(bench, 'web_search', args, outcome)).toEqual({
      card: 'web',
      kind: 'search',
      answer: '42',
      truncated: true,
      sources: [
        {
          url: 'https://example.org/0',
          title: 'Page 0',
          snippet: 'About\n  0',
          publishedAt: '2026-01-02T00:00:00',
        },
        { url: 'https://example.org/1', title: 'Page 1', snippet: 'About\n  1' },
      ],
    })
  })

  it('asks Brave and Tavily in their ways', async () => {
    const bodies: string[] = []
    await using server = await serve((request, response) => {
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        bodies.push(body)
        const results = [
          { url: 'https://a.org', title: 'A', description: 'd', content: 'c', page_age: '2026' },
        ]
        response.end(
          JSON.stringify(request.method === 'POST' ? { answer: 'yes', results } : { web: { results } }),
        )
      })
    })
    await using brave = await open({ kind: 'brave', key: 'secret', url: `${server.url}/brave` })
    expect((await brave.run('web_search', { query: 'q' })).text).toBe('1. A (2026)\n   https://a.org\n   d')
    expect(server.requests[0]).toMatchObject({
      url: '/brave?q=q&count=8&text_decorations=0',
      headers: { 'x-subscription-token': 'secret' },
    })
    await using tavily = await open({ kind: 'tavily', key: 'secret', url: `${server.url}/tavily` })
    expect((await tavily.run('web_search', { query: 'q' })).text).toBe('yes\n\n1. A\n   https://a.org\n   c')
    expect(server.requests[1]?.headers.authorization).toBe('Bearer secret')
    expect(JSON.parse(bodies[1] ?? '')).toEqual({ query: 'q', max_results: 8, include_answer: true })
    expect(searchRequest({ kind: 'tavily', key: 'k' }, 'q', 1).url).toMatch(/^https:\/\/api\.tavily\.com\//)
  })

  it.each([
    ['an error', 403, '{}', 'HTTP 403'],
    ['no JSON', 200, '<html>', 'JSON'],
    ['another shape', 200, '{"results":7}', 'no list of results'],
  ])('says that the endpoint gave %s, without the key', async (_name, status, body, reason) => {
    await using server = await serve((_request, response) => {
      response.writeHead(status)
      response.end(body)
    })
    await using bench = await open({ kind: 'tavily', key: 'secret', url: server.url })
    const { code, text } = await bench.run('web_search', { query: 'q' })
    expect([code, text]).toEqual(['WEB_SEARCH_FAILED', expect.stringContaining(reason)])
    expect(text).not.toContain('secret')
  })

  it('leaves out what is no address, and says that nothing was found', async () => {
    const answer = searchAnswer(
      { kind: 'searxng', url: 'x' },
      { results: [{ url: 'javascript:1' }, { title: 'x' }, 7] },
    )
    expect(answer).toEqual({ sources: [] })
    await using server = await serve((_request, response) => response.end('{"results":[]}'))
    await using bench = await open({ kind: 'searxng', url: server.url })
    expect((await bench.run('web_search', { query: 'q' })).text).toBe('No pages were found.')
    expect((await bench.run('web_search', { query: ' ' })).code).toBe('INVALID_ARGS')
  })

  it('is there only where an endpoint is configured', async () => {
    await using bench = await openBench({}, { web: {} })
    expect(() => bench.tool('web_search')).toThrow('no tool')
    expect(bench.tool('web_fetch').isConcurrencySafe?.({ url: 'x' })).toBe(true)
  })
})
