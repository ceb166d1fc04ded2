// A registry with Code Mode, a scope, and tools that programs can call; one sandbox serves all of a file's tests.
import { afterAll, beforeAll } from 'vitest'
import type { JsonObject, JsonValue } from '#json/value.ts'
import { textOf } from '#model/content.ts'
import { defineTool } from '#registry/define-tool.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { createRegistry, type Registry } from '#registry/registry.ts'
import type { Scope } from '#registry/scope.ts'
import type {
  ApprovalService,
  CodeMode as Presentation,
  ToolExecutionResult,
  ToolReport,
} from '#registry/types.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import type { RunLimits } from '#tools/code/limits.ts'
import { createSandbox } from '#tools/code/worker-sandbox.ts'

const sandbox = createSandbox()
beforeAll(async () => {
  sandbox.warm()
  await openDeck().run('')
})
afterAll(() => sandbox.dispose())

export interface Run {
  result: ToolExecutionResult
  text: string
  /** The canonical value; undefined for a failure. */
  value: { logs: string[]; result?: JsonValue; withoutCard?: number } | undefined
}

export interface Deck {
  registry: Registry
  scope: Scope
  /** What the runs have reported, in order. */
  reports: ToolReport[]
  run(code: string, signal?: AbortSignal): Promise<Run>
}

export interface DeckInit {
  tools?: ToolDefinition[]
  limits?: Partial<RunLimits>
  approval?: ApprovalService
  mode?: Presentation
  log?: (level: string, message: string) => void
}

export function openDeck({ tools = [], limits = {}, approval, mode = 'code', log }: DeckInit = {}): Deck {
  const codeMode = createCodeMode({ limits, sandbox })
  const registry = createRegistry({
    transport: codeMode.transport,
    mode,
    ...(approval && { approval }),
    ...(log && { log }),
  })
  codeMode.attach(registry)
  const scope = registry.scope(undefined, { sessionId: 's', cwd: '/', roots: ['/'] })
  for (const tool of tools) scope.register(tool)
  const reports: ToolReport[] = []
  scope.on('tools/report', (_exec, report) => void reports.push(report))
  let runs = 0
  return {
    registry,
    scope,
    reports,
    async run(code, signal = new AbortController().signal) {
      const result = await registry.execute({
        callId: `run${(runs += 1)}`,
        name: 'run_code',
        arguments: { code, description: 'A test' },
        scope,
        signal,
      })
      const value = result.isError ? undefined : (result.value as unknown as Run['value'])
      return { result, text: textOf(result.content), value }
    },
  }
}

export interface ToolInit {
  name: string
  safe?: boolean
  execute?: ToolDefinition['execute']
  more?: Partial<ToolDefinition>
}

/** A tool that takes and gives any JSON. */
export function tool({ name, safe = false, execute = (args) => args, more = {} }: ToolInit): ToolDefinition {
  const defined = defineTool({
    name,
    description: `The ${name}.`,
    parameters: {},
    output: {
      schema: { type: 'json' },
      render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }],
    },
    execute: (args, exec) => execute(args as JsonObject, exec),
    isConcurrencySafe: () => safe,
  })
  return { ...defined, ...more }
}
