import { realpath } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkTool } from '#registry/conformance/check-tool.ts'
import type { AskForm } from '#registry/form.ts'
import { openServers, stdio, until } from './harness.ts'

const offers = () =>
  openServers(
    { shop: { ...stdio('offers'), env: { SHOP: 'open', MY_TOKEN: 'given' } } },
    { environment: { ...process.env, SECRET_KEY: 'x', DECKHAND_MODE: 'ask' } },
  )

describe('tools', () => {
  it('have readable cards, and hints that colour them and do no more', async () => {
    const bench = await offers()
    const look = bench.registry.get('mcp__shop__look', bench.scope)
    const wipe = bench.registry.get('mcp__shop__wipe', bench.scope)
    expect(look?.presentCall?.({ a: 1 })).toEqual({
      card: 'generic',
      title: 'Look \\*around\\* (shop)',
      kind: 'read',
      rawInput: { a: 1 },
    })
    expect(look?.isConcurrencySafe?.({})).toBe(true)
    expect(look?.preview).toBeUndefined()
    expect(wipe?.presentCall?.({})).toEqual({
      card: 'generic',
      title: 'Wipe (shop)',
      kind: 'other',
      rawInput: {},
    })
    expect(wipe?.isConcurrencySafe?.({})).toBe(false)
    expect(await wipe?.preview?.({}, {} as never)).toMatchObject({
      content: [{ text: expect.stringContaining('destroy') }],
    })
    expect(bench.servers.origin('mcp__shop__look')).toEqual({ server: 'shop', tool: 'look', trusted: false })
    expect(bench.servers.origin('read')).toBeUndefined()
  })

  it('pass the conformance kit', async () => {
    const bench = await offers()
    const tool = bench.registry.get('mcp__shop__steps', bench.scope)
    expect(
      tool && checkTool(tool, [{ args: { n: 2 }, value: { content: [{ type: 'text', text: 'ok' }] } }]),
    ).toEqual([])
  })

  it("run in the session's directory with a scrubbed environment and their own", async () => {
    const bench = await offers()
    const { cwd, env } = JSON.parse(await bench.text('mcp__shop__environment')) as {
      cwd: string
      env: Record<string, string>
    }
    expect(cwd).toBe(await realpath(bench.cwd))
    expect(env).toMatchObject({ SHOP: 'open', MY_TOKEN: 'given', PATH: expect.any(String) })
    expect(env).not.toHaveProperty('SECRET_KEY')
    expect(env).not.toHaveProperty('DECKHAND_MODE')
  })

  it('report progress, which keeps them alive', async () => {
    const bench = await openServers({ shop: stdio('offers') }, { timing: { call: 2000 } })
    expect(await bench.text('mcp__shop__steps', { n: 6, ms: 500 })).toBe('steps done')
    expect(bench.reports.length).toBeGreaterThanOrEqual(5)
    expect(bench.reports[1]).toEqual({ kind: 'progress', done: 2, total: 6, message: 'step 2' })
    expect(await bench.text('mcp__shop__hang')).toMatch(
      /gave no answer to the call of hang and no progress for 2 s/,
    )
  })

  it('are cancelled at once, and the server is told', async () => {
    const bench = await offers()
    const stop = new AbortController()
    const call = bench.call('mcp__shop__hang', {}, stop.signal)
    setTimeout(() => stop.abort(), 50)
    const start = performance.now()
    expect(await call).toMatchObject({ isError: true, error: { info: { code: 'ABORTED' } } })
    expect(performance.now() - start).toBeLessThan(10_000)
    await until('the server heard of it', async () =>
      (await bench.text('mcp__shop__cancelled')).startsWith('cancelled'),
    )
  })

  it('are trusted only where the configuration says so', async () => {
    const bench = await openServers({ shop: { ...stdio('offers'), trust: true } })
    expect(bench.servers.origin('mcp__shop__wipe')?.trusted).toBe(true)
  })
})

describe('prompts', () => {
  it('are commands', async () => {
    const bench = await offers()
    const { signal } = new AbortController()
    const [greet, plain] = bench.servers.commands()
    expect(greet).toMatchObject({ name: 'mcp:shop:greet', description: 'Greets.', hint: 'who [how]' })
    expect(plain).toMatchObject({ name: 'mcp:shop:plain-one', description: 'plain one' })
    expect(plain).not.toHaveProperty('hint')
    expect(await greet?.run('"Ada Lovelace" very warmly indeed', signal)).toEqual([
      { type: 'text', text: 'greet {"who":"Ada Lovelace","how":"very warmly indeed"}' },
      { type: 'text', text: 'The assistant said:' },
      { type: 'text', text: 'certainly' },
    ])
    expect(await greet?.run('how=loud Ada', signal)).toMatchObject([
      { text: 'greet {"how":"loud","who":"Ada"}' },
      {},
      {},
    ])
    await expect(greet?.run('', signal)).rejects.toThrow('the prompt needs who: write who [how]')
    expect(await plain?.run('', signal)).toMatchObject([{ text: 'plain one {}' }, {}, {}])
  })
})

describe('resources', () => {
  it('are listed and read through one tool', async () => {
    const bench = await openServers({ shop: stdio('offers'), other: stdio('offers') })
    expect(bench.names().filter((name) => name.includes('resource'))).toEqual(['mcp_read_resource'])
    expect(await bench.text('mcp_read_resource', { server: 'shop' })).toBe(
      'mem://notes: notes, text/plain\nmem://{id}: any',
    )
    expect(await bench.call('mcp_read_resource', { server: 'shop', uri: 'mem://notes' })).toMatchObject({
      content: [
        {
          type: 'resource',
          resource: { uri: 'mem://notes', mimeType: 'text/plain', text: 'remember the milk' },
        },
      ],
    })
    expect(await bench.text('mcp_read_resource', { server: 'shop', uri: 'mem://x' })).toMatch(
      /refused the resource mem:\/\/x: no mem:\/\/x/,
    )
    expect(await bench.text('mcp_read_resource', { server: 'x' })).toMatch(/there are shop, other/)
    const tool = bench.registry.get('mcp_read_resource', bench.scope)
    expect(tool?.presentCall?.({ server: 'shop', uri: 'mem://notes' })).toMatchObject({
      title: 'Read `mem://notes` of `shop`',
      kind: 'read',
    })
  })

  it('have no tool where no server has any', async () => {
    const bench = await openServers({ old: stdio('old-version', '2024-11-05') })
    expect(bench.names()).toEqual(['mcp__old__old'])
  })
})

describe('questions of servers', () => {
  it('get the roots', async () => {
    const bench = await openServers({ asks: stdio('asks') })
    expect(JSON.parse(await bench.text('mcp__asks__roots'))).toEqual({
      roots: [{ uri: pathToFileURL(bench.cwd).href }],
    })
  })

  it('reach a person who can be asked', async () => {
    const asked: unknown[] = []
    const form: AskForm = async (question) => {
      asked.push(question)
      return { action: 'accept', content: { colour: 'blue', count: 2 } }
    }
    const bench = await openServers({ asks: stdio('asks') }, { form: () => form })
    expect(JSON.parse(await bench.text('mcp__asks__form'))).toEqual({
      action: 'accept',
      content: { colour: 'blue', count: 2 },
    })
    expect(asked).toEqual([
      { server: 'asks', message: 'Which colour?', schema: expect.objectContaining({ required: ['colour'] }) },
    ])
    expect(await bench.text('mcp__asks__browser')).not.toContain('accept')
  })

  it('are declined where nobody can, and when asking fails', async () => {
    const bench = await openServers({ asks: stdio('asks') })
    expect(JSON.parse(await bench.text('mcp__asks__form'))).toEqual({ action: 'decline' })
    expect(JSON.parse(await bench.text('mcp__asks__sample'))).toMatchObject({
      code: -1,
      message: expect.stringContaining('declined'),
    })
    const failing = await openServers(
      { asks: stdio('asks') },
      { form: () => () => Promise.reject(new Error('no editor')) },
    )
    expect(JSON.parse(await failing.text('mcp__asks__form'))).toEqual({ action: 'decline' })
  })
})
