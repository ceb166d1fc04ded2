// A session's servers around a registry, without an agent: real processes, called through the whole pipeline.
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { JsonValue } from '#json/value.ts'
import { createRegistry, type Registry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'
import type { ToolExecutionResult, ToolReport } from '#registry/types.ts'
import { createMcpServers, type McpServers, type McpServersOptions } from '#tools/mcp/mcp-servers.ts'
import { textOf } from '#model/content.ts'
import { temporaryDirectory } from '../../support/temporary.ts'
import { type Entry, serversOf } from './entries.ts'

export const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../../fixtures/mcp/${name}.mjs`, import.meta.url))

export const stdio = (name: string, ...args: string[]) => ({
  command: process.execPath,
  args: [fixture(name), ...args],
})

export interface McpBench {
  servers: McpServers
  registry: Registry
  scope: Scope
  problems: string[]
  reports: ToolReport[]
  cwd: string
  /** Names as the model sees them. */
  names(): string[]
  call(name: string, args?: unknown, signal?: AbortSignal): Promise<ToolExecutionResult>
  /** The text of the result, failures included. */
  text(name: string, args?: unknown): Promise<string>
}

/** `entries`: as the configuration holds them. Waits until all have had their first try. */
export async function openServers(
  entries: Record<string, Entry>,
  options: Partial<McpServersOptions> = {},
): Promise<McpBench> {
  const bench = await startServers(entries, options)
  await bench.servers.ready(40_000)
  return bench
}

/** Does not wait. */
export async function startServers(
  entries: Record<string, Entry>,
  options: Partial<McpServersOptions> = {},
): Promise<McpBench> {
  const cwd = options.cwd ?? (await temporaryDirectory())
  const registry = createRegistry()
  const scope = registry.scope(undefined, { sessionId: 's', cwd, roots: [cwd] })
  const problems: string[] = []
  const reports: ToolReport[] = []
  scope.on('tools/report', (_exec, report) => void reports.push(report))
  const servers = createMcpServers({
    servers: serversOf(entries),
    scope,
    cwd,
    roots: [cwd],
    environment: process.env,
    log: () => undefined,
    stateDirectory: cwd,
    onProblem: (message) => void problems.push(message),
    ...options,
  })
  onTestFinished(() => servers.dispose())
  let calls = 0
  const call = (name: string, args: unknown = {}, signal = new AbortController().signal) =>
    registry.execute({ callId: `c${(calls += 1)}`, name, arguments: args, scope, signal })
  return {
    servers,
    registry,
    scope,
    problems,
    reports,
    cwd,
    names: () => registry.schemas(scope).map(({ name }) => name),
    call,
    text: async (name, args) => textOf((await call(name, args)).content),
  }
}

export function parametersOf({ registry, scope }: McpBench, name: string): JsonValue {
  const schema = registry.schemas(scope).find((one) => one.name === name)
  if (!schema) throw new Error(`no tool ${name}`)
  return schema.parameters
}

/** Whether a process is there; a zombie is not. */
export async function isRunning(pid: number): Promise<boolean> {
  const { readFile } = await import('node:fs/promises')
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat !== undefined && !/^\d+ \(.*\) Z/s.test(stat)
}

/** Waits until the predicate holds; throws after ten seconds. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`never: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
