// Runs the hostile programs in a process of its own, so that its standard output can be looked at. Talks by messages.
import { defineTool } from '#registry/define-tool.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { createRegistry, type Registry } from '#registry/registry.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import { createSandbox } from '#tools/code/worker-sandbox.ts'
import { HOSTILE } from './hostile-programs.ts'

/** What the suite is told of one program. */
export interface Report {
  name: string
  /** The text of the failure; undefined for a success. */
  failure?: string
  result?: unknown
  ms: number
  /** What the next call answers. */
  next: unknown
  /** What the host has that it had not before. */
  damage: string[]
}

const json = { output: { schema: { type: 'json' }, render: () => [] }, parameters: {} } as const
const tools: ToolDefinition[] = [
  defineTool({
    ...json,
    name: 'echo',
    description: '',
    isConcurrencySafe: () => true,
    execute: (args) => args as never,
  }),
  defineTool({
    ...json,
    name: 'fail',
    description: '',
    execute: () => {
      throw new Error('failed')
    },
  }),
  defineTool({
    ...json,
    name: 'slow',
    description: '',
    isConcurrencySafe: () => true,
    execute: (_args, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
  }),
]

/** One sandbox behind two limits: only programs that must run into the limit of busy time get a short one. */
const sandbox = createSandbox()
function registryWith(busyMs: number): Registry {
  const codeMode = createCodeMode({ sandbox, limits: { busyMs, memoryBytes: 32 * 1024 * 1024 } })
  const registry = createRegistry({ transport: codeMode.transport, mode: 'code' })
  codeMode.attach(registry)
  for (const tool of tools) registry.register(tool)
  return registry
}
const [hasty, patient] = [registryWith(400), registryWith(30_000)]

const before = { globals: new Set(Object.getOwnPropertyNames(globalThis)), prototypes: prototypeKeys() }

function prototypeKeys(): string {
  return [Object, Array, Function, Promise, Error, String]
    .map((type) => Reflect.ownKeys(type.prototype).length)
    .join()
}

function damage(): string[] {
  const added = Object.getOwnPropertyNames(globalThis).filter((name) => !before.globals.has(name))
  return [...added, ...(prototypeKeys() === before.prototypes ? [] : ['prototypes'])]
}

async function execute(registry: Registry, code: string) {
  const signal = new AbortController().signal
  return registry.execute({ callId: 'c', name: 'run_code', arguments: { code, description: '' }, signal })
}

for (const { name, code, kind } of HOSTILE) {
  const began = performance.now()
  const ran = await execute(kind === 'timeout' ? hasty : patient, code)
  const ms = performance.now() - began
  const next = await execute(patient, 'return (await tools.echo({ n: 1 })).n')
  const report: Report = {
    name,
    ms,
    next: next.isError ? next.error.message : (next.value as { result?: unknown }).result,
    damage: damage(),
    ...(ran.isError
      ? { failure: ran.error.message }
      : { result: (ran.value as { result?: unknown }).result }),
  }
  process.send?.(report)
}
await sandbox.dispose()
process.disconnect?.()
