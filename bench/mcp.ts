// MCP: what a call costs beyond the server's own time, how long ten servers take to start, and two thousand tools.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createRegistry, type Registry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'
import { readConfiguredServers } from '#tools/mcp/config.ts'
import { createMcpServers, type McpServers } from '#tools/mcp/mcp-servers.ts'

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/mcp/${name}.mjs`, import.meta.url))
const entry = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [fixture(name), ...args],
})

export interface McpFigures {
  /** Milliseconds of a call through pipeline, client and pipe, beyond a bare exchange of lines with the same server. */
  overheadMs: number
  /** Milliseconds until `createMcpServers` has returned. */
  returnsMs: number
  /** Milliseconds of `ready(2000)` with ten servers, the slowest of which takes a second. */
  tenServersMs: number
  /** The same with one that never answers: the budget. */
  budgetMs: number
  /** Milliseconds from the start of a server with 2,000 tools until they are registered, and with a single tool. */
  manyToolsMs: number
  oneToolMs: number
}

interface Opened {
  servers: McpServers
  registry: Registry
  scope: Scope
  returnsMs: number
}

async function withServers<T>(
  entries: Record<string, unknown>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const cwd = await mkdtemp(join(tmpdir(), 'deckhand-bench-'))
  const registry = createRegistry()
  const scope = registry.scope()
  const start = performance.now()
  const servers = createMcpServers({
    servers: readConfiguredServers(entries).servers,
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

const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

async function times(count: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = []
  for (let n = 0; n < count; n += 1) {
    const start = performance.now()
    await work()
    taken.push(performance.now() - start)
  }
  return median(taken.slice(Math.floor(count / 10)))
}

/** A line to the server and its answer, without anything of ours. */
async function bareExchange(count: number): Promise<number> {
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

async function wholeCall(count: number): Promise<number> {
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

const fast = (count: number): [string, unknown][] =>
  Array.from({ length: count }, (_, n) => [`fast${n}`, entry('old-version', '2025-06-18')])

async function startOf(entries: [string, unknown][]): Promise<{ returnsMs: number; readyMs: number }> {
  return withServers(Object.fromEntries(entries), async ({ servers, returnsMs }) => {
    const start = performance.now()
    await servers.ready(2000)
    return { returnsMs, readyMs: performance.now() - start }
  })
}

async function toolsOf(fixtureName: string, argument: string): Promise<number> {
  return withServers({ one: entry(fixtureName, argument) }, async ({ servers }) => {
    await servers.ready(10_000)
    return servers.status()[0]?.startMs ?? Number.NaN
  })
}

export async function measureMcp(): Promise<McpFigures> {
  const whole = await wholeCall(1000)
  const bare = await bareExchange(1000)
  const ten = await startOf([...fast(9), ['slow', entry('slow-start', '1000')]])
  const { readyMs: budgetMs } = await startOf([...fast(9), ['silent', entry('never-answers')]])
  const manyToolsMs = await toolsOf('many-tools', '2000')
  const oneToolMs = await toolsOf('many-tools', '1')
  return {
    overheadMs: whole - bare,
    returnsMs: ten.returnsMs,
    tenServersMs: ten.readyMs,
    budgetMs,
    manyToolsMs,
    oneToolMs,
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const figures = await measureMcp()
  for (const [name, value] of Object.entries(figures))
    process.stdout.write(`${name} ${(value as number).toFixed(2)}\n`)
}
