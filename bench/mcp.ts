// MCP: what a call costs beyond the server's own time, how long ten servers take to start, and two thousand tools.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { McpServer } from '#config/configuration.ts'
import { createRegistry, type Registry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'
import { configuredServers } from '#tools/mcp/config.ts'
import { createMcpServers, type McpServers } from '#tools/mcp/mcp-servers.ts'
import { type Extent, type Figure, timed } from './figure.ts'

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/mcp/${name}.mjs`, import.meta.url))
const entry = (name: string, ...args: string[]): McpServer => ({
  type: 'stdio',
  trust: false,
  sampling: false,
  env: {},
  command: process.execPath,
  args: [fixture(name), ...args],
})

interface Opened {
  servers: McpServers
  registry: Registry
  scope: Scope
  returnsMs: number
}

async function withServers<T>(
  entries: Record<string, McpServer>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const cwd = await mkdtemp(join(tmpdir(), 'deckhand-bench-'))
  const registry = createRegistry()
  const scope = registry.scope()
  const start = performance.now()
  const servers = createMcpServers({
    servers: configuredServers(entries),
    scope,
    cwd,
    roots: [cwd],
    environment: process.env,
    log: () => undefined,
    stateDirectory: cwd,
    onProblem: () => undefined,
  })
  const returnsMs = performance.now() - start
  try {
    return await work({ servers, registry, scope, returnsMs })
  } finally {
    await servers.dispose()
    await rm(cwd, { recursive: true, force: true })
  }
}

/** The first tenth warms up and is not counted. */
async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < count; n += 1) taken.push(await timed(work))
  return taken.slice(Math.floor(count / 10))
}

/** A line to the server and its answer, without anything of ours. */
async function bareExchange(count: number): Promise<number[]> {
  const child = spawn(process.execPath, [fixture('old-version'), 'x'], { stdio: ['pipe', 'pipe', 'ignore'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'old', arguments: {} } }
  const result = await times(count, async () => {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    await lines.next()
  })
  child.kill()
  return result
}

async function wholeCall(count: number): Promise<number[]> {
  return withServers({ noop: entry('old-version', '2025-06-18') }, async ({ servers, registry, scope }) => {
    await servers.ready(10_000)
    const { signal } = new AbortController()
    let n = 0
    return times(count, async () => {
      n += 1
      const call = { callId: `c${n}`, name: 'mcp__noop__old', arguments: {}, scope, signal }
      const result = await registry.execute(call)
      if (result.isError) throw new Error(result.error.message)
    })
  })
}

const fast = (count: number): [string, McpServer][] =>
  Array.from({ length: count }, (_, n) => [`fast${n}`, entry('old-version', '2025-06-18')])

async function startOf(
  entries: [string, McpServer][],
  budgetMs: number,
): Promise<{ returnsMs: number; readyMs: number }> {
  return withServers(Object.fromEntries(entries), async ({ servers, returnsMs }) => {
    return { returnsMs, readyMs: await timed(() => servers.ready(budgetMs)) }
  })
}

async function toolsOf(fixtureName: string, argument: string): Promise<number> {
  return withServers({ one: entry(fixtureName, argument) }, async ({ servers }) => {
    await servers.ready(10_000)
    return servers.status()[0]?.startMs ?? Number.NaN
  })
}

export async function measureMcp(extent: Extent): Promise<Figure[]> {
  const full = extent === 'full'
  const calls = full ? 1000 : 20
  const [slowMs, budgetMs] = full ? [1000, 2000] : [10, 200]
  const whole = await wholeCall(calls)
  const bare = await bareExchange(calls)
  const ten = await startOf([...fast(9), ['slow', entry('slow-start', String(slowMs))]], 2000)
  const silent = await startOf([...fast(9), ['silent', entry('never-answers')]], budgetMs)
  const one = (name: string, value: number): Figure => ({ name, unit: 'ms', values: [value] })
  return [
    {
      name: 'a call of a tool of a server',
      unit: 'ms',
      values: whole,
      baseline: { name: 'a bare exchange of lines', values: bare },
    },
    one('begin to start ten servers', ten.returnsMs),
    one(`ten servers are ready, the slowest after ${slowMs} ms`, ten.readyMs),
    one(`the same, one of them silent, given ${budgetMs} ms`, silent.readyMs),
    one('a server with 1 tool is ready', await toolsOf('many-tools', '1')),
    one('a server with 2,000 tools is ready', await toolsOf('many-tools', '2000')),
  ]
}
