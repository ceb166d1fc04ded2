// A workspace in a directory of its own, with the first-party tools registered in a scope.
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { JsonObject, JsonValue } from '#json/value.ts'
import { textOf } from '#model/content.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { createRegistry } from '#registry/registry.ts'
import type { ToolExecutionResult, ToolReport } from '#registry/types.ts'
import { firstPartyTools, type ToolOptions } from '#tools/index.ts'
import { createWorkspace, type Workspace, type WorkspaceInit } from '#workspace/workspace.ts'

export interface Outcome {
  result: ToolExecutionResult
  text: string
  /** Of a failure. */
  code: string | undefined
  reports: ToolReport[]
}

export interface Bench extends AsyncDisposable {
  cwd: string
  workspace: Workspace
  tool(name: string): ToolDefinition
  run(name: string, args: JsonObject, signal?: AbortSignal): Promise<Outcome>
  /** The canonical value; throws with the failure's text. */
  value(name: string, args: JsonObject): Promise<JsonValue>
}

export async function openBench(
  options: Omit<WorkspaceInit, 'cwd'> = {},
  tools: ToolOptions = {},
): Promise<Bench> {
  const cwd = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-tools-')))
  const workspace = createWorkspace({ cwd, ...options })
  const registry = createRegistry()
  const scope = registry.scope(undefined, { sessionId: 's', cwd, roots: [cwd] })
  for (const tool of firstPartyTools(workspace, tools)) scope.register(tool)
  const reports = new Map<string, ToolReport[]>()
  scope.on('tools/report', (exec, report) => {
    reports.get(exec.callId)?.push(report)
  })
  let calls = 0
  const run: Bench['run'] = async (name, args, signal = new AbortController().signal) => {
    const callId = `call-${++calls}`
    const seen: ToolReport[] = []
    reports.set(callId, seen)
    const result = await registry.execute({ callId, name, arguments: args, scope, signal })
    const failure = result.isError ? result.error.info?.code : undefined
    return { result, text: textOf(result.content), code: failure, reports: seen }
  }
  return {
    cwd,
    workspace,
    run,
    tool(name) {
      const found = registry.get(name, scope)
      if (!found) throw new Error(`no tool ${name}`)
      return found
    },
    async value(name, args) {
      const { result, text } = await run(name, args)
      if (result.isError) throw new Error(text)
      return result.value
    },
    async [Symbol.asyncDispose]() {
      scope.dispose()
      await workspace.dispose()
      await rm(cwd, { recursive: true, force: true })
    },
  }
}

/** The result view that a bridge would draw. */
export function viewOf(bench: Bench, name: string, args: JsonObject, { result }: Outcome) {
  const { content, isError, meta } = result
  return bench.tool(name).presentResult?.(args, { content, isError, ...(meta !== undefined && { meta }) })
}
