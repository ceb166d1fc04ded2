import { spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { renderCall } from '#bridge/cards/render-call.ts'
import { renderResult } from '#bridge/cards/render-result.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import { NAMED_PROFILES } from '#bridge/profile.ts'
import { type McpBench, openServers, parametersOf } from './harness.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const { resolve } = createRequire(import.meta.url)
const ENTRIES = {
  everything: resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: resolve('@modelcontextprotocol/server-memory/dist/index.js'),
  thinking: resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js'),
}
const real = (server: keyof typeof ENTRIES, ...args: string[]) => ({
  command: process.execPath,
  args: [ENTRIES[server], ...args],
})

/** Calls, and draws the card as an editor gets it, from what the log keeps. */
async function card(bench: McpBench, name: string, args: object) {
  const result = await bench.call(name, args)
  const definition = bench.registry.get(name, bench.scope)
  const view = definition?.presentCall?.(args as never)
  if (!view) throw new Error(`no view of ${name}`)
  const roots: RootPair[] = [[bench.cwd, bench.cwd]]
  const ctx = { cwd: bench.cwd, roots, profile: NAMED_PROFILES.zed, callId: 'c' }
  const { content, isError, meta } = JSON.parse(JSON.stringify(result)) as typeof result
  const input = { content, isError, call: view, output: { any: false, text: '', paused: false } }
  return { call: renderCall(view, ctx), result: renderResult(undefined, input, ctx), isError, content, meta }
}

/** Every schema is one that providers can take. */
function checkSchemas(bench: McpBench): void {
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false })
  for (const name of bench.names()) {
    const parameters = parametersOf(bench, name) as object
    expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(() => ajv.compile(parameters)).not.toThrow()
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** The everything server over HTTP; resolves when it listens. */
async function serveEverything(transport: 'streamableHttp' | 'sse'): Promise<{ port: number; kill(): void }> {
  const port = await freePort()
  const child = spawn(process.execPath, [ENTRIES.everything, transport], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('the server left')))
    child.stderr.on('data', (chunk: Buffer) => {
      if (/(?:listening|running) on port/.test(chunk.toString())) resolve()
    })
  })
  return { port, kill: () => void child.kill('SIGKILL') }
}

describe('server-everything', () => {
  it('over stdio: tools, cards, resources, prompts', async () => {
    const bench = await openServers({ every: real('everything') })
    expect(bench.problems).toEqual([])
    checkSchemas(bench)
    const sum = await card(bench, 'mcp__every__get-sum', { a: 2, b: 40 })
    expect(sum.call).toMatchObject({ title: 'Get Sum Tool (every)', kind: 'read', rawInput: { a: 2, b: 40 } })
    expect(JSON.stringify(sum.result)).toContain('42')
    const image = await card(bench, 'mcp__every__get-tiny-image', {})
    expect(image.content.map(({ type }) => type)).toContain('image')
    expect(JSON.stringify(image.result)).toContain('"image"')
    const structured = await card(bench, 'mcp__every__get-structured-content', { location: 'New York' })
    expect(structured.meta).toMatchObject({ rawOutput: { temperature: expect.any(Number) } })
    const wrong = await bench.call('mcp__every__get-sum', { a: 'two' })
    expect(wrong).toMatchObject({ isError: true, error: { info: { code: 'INVALID_ARGS' } } })
    expect(await bench.text('mcp_read_resource', { server: 'every' })).toContain('://')
    const commands = bench.servers.commands()
    expect(commands.map(({ name }) => name)).toContain('mcp:every:simple-prompt')
    const { signal } = new AbortController()
    const simple = commands.find(({ name }) => name === 'mcp:every:simple-prompt')
    expect(await simple?.run('', signal)).toMatchObject([{ type: 'text' }])
  })

  it.each([
    ['streamableHttp', 'http', 'mcp'],
    ['sse', 'sse', 'sse'],
  ] as const)('over %s, and after it was killed', async (transport, type, path) => {
    const { port, kill } = await serveEverything(transport)
    const url = `http://127.0.0.1:${port}/${path}`
    const bench = await openServers({ every: { type, url }, guess: { url } }, { timing: { backoff: 5000 } })
    expect(bench.problems).toEqual([])
    expect(bench.servers.status().map(({ state }) => state)).toEqual(['ready', 'ready'])
    expect(await bench.text('mcp__every__echo', { message: 'hi' })).toContain('hi')
    expect(await bench.text('mcp__guess__echo', { message: 'ho' })).toContain('ho')
    const running = bench.text('mcp__every__trigger-long-running-operation', { duration: 30, steps: 10 })
    await new Promise((resolve) => setTimeout(resolve, 200))
    kill()
    expect(await running).toMatch(
      /^Error: the MCP server "every" (?:was lost during the call|is not running)/,
    )
    expect(await bench.text('mcp__every__echo', { message: 'hi' })).toMatch(/is not running: .*ECONNREFUSED/)
  })
})

describe('other servers', () => {
  it('filesystem: reads, and asks for roots', async () => {
    const cwd = await temporaryDirectory()
    await mkdir(join(cwd, 'inside'))
    await writeFile(join(cwd, 'inside', 'a.txt'), 'some words\n')
    const bench = await openServers({ files: real('filesystem', join(cwd, 'inside')) }, { cwd })
    expect(bench.problems).toEqual([])
    checkSchemas(bench)
    const read = await card(bench, 'mcp__files__read_text_file', { path: join(cwd, 'inside', 'a.txt') })
    expect(read.call).toMatchObject({ kind: 'read', title: expect.stringContaining('(files)') })
    expect(JSON.stringify(read.result)).toContain('some words')
    expect(await bench.text('mcp__files__read_text_file', { path: '/etc/passwd' })).toMatch(
      /^Error: .*denied/,
    )
    const write = bench.registry.get('mcp__files__write_file', bench.scope)
    expect(write?.isConcurrencySafe?.({})).toBe(false)
    expect(write?.preview).toBeDefined()
  })

  it('memory and sequential-thinking: structured content and validation', async () => {
    const cwd = await temporaryDirectory()
    const bench = await openServers({
      memory: { ...real('memory'), env: { MEMORY_FILE_PATH: join(cwd, 'memory.json') } },
      thinking: real('thinking'),
    })
    expect(bench.problems).toEqual([])
    checkSchemas(bench)
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['counts'] }]
    const made = await card(bench, 'mcp__memory__create_entities', { entities })
    expect(made.isError).toBe(false)
    expect(await bench.text('mcp__memory__read_graph')).toContain('Ada')
    const thought = { thought: 'hm', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 }
    const thinking = bench.names().find((name) => name.startsWith('mcp__thinking__')) ?? ''
    expect((await card(bench, thinking, thought)).isError).toBe(false)
    const missing = await bench.call(thinking, { thought: 'hm' })
    expect(missing).toMatchObject({
      isError: true,
      error: { message: expect.stringContaining('nextThoughtNeeded') },
    })
  })
})
