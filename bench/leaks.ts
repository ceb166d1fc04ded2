// 10,000 cycles of register and dispose, and 100,000 calls: the heap is where it was, within five per cent.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createRegistry, createScheduler, defineTool, type Registry } from '#index.ts'
import type { Extent, Figure } from './figure.ts'

const MIB = 1024 * 1024

const tool = (name: string) =>
  defineTool({
    name,
    description: 'Echoes.',
    parameters: { text: { type: 'string', required: true } },
    output: {
      schema: { type: 'string' },
      render: (_args, value) => [{ type: 'text', text: value }],
      presentationMeta: (_args, value) => ({ length: value.length }),
    },
    timeoutMs: 10_000,
    isConcurrencySafe: () => true,
    execute: async ({ text }, exec) => {
      await exec.report({ kind: 'output', data: text })
      return text
    },
  })

function cycle(registry: Registry, turn: number): void {
  const scope = registry.scope(undefined, { sessionId: `s${turn}`, cwd: '/', roots: ['/'] })
  const inner = registry.scope(scope)
  const undo = [
    registry.register(tool(`global${turn}`)),
    registry.guard(() => undefined),
    registry.on('tools/change', () => undefined),
  ]
  scope.register(tool('scoped'))
  inner.restrict({ deny: ['scoped'] })
  scope.on('tools/result', () => undefined)
  scope.guard(() => undefined)
  for (const dispose of undo) dispose()
  inner.dispose()
  scope.dispose()
}

/** One long-lived signal for all calls, as in a turn that never ends. */
async function call(registry: Registry, count: number, signal: AbortSignal): Promise<void> {
  const scope = registry.scope()
  const scheduler = createScheduler(registry, { abandonAfterMs: 2500 })
  for (let n = 0; n < count; n += 10) {
    const batch = Array.from({ length: 10 }, (_, index) => ({
      callId: `c${n + index}`,
      name: 'echo',
      arguments: { text: `text ${n}` },
      scope,
      signal,
    }))
    const results = await Promise.all(
      batch.map((input, index) => (index % 2 === 0 ? registry.execute(input) : scheduler.submit(input))),
    )
    if (results.some((result) => result.isError)) throw new Error('a call has failed')
  }
}

export async function measureLeaks(extent: Extent): Promise<Figure[]> {
  const [cycles, calls] = extent === 'full' ? [10_000, 100_000] : [100, 1000]
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = async (): Promise<number> => {
    for (let turn = 0; turn < 5; turn += 1) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      collect()
    }
    return process.memoryUsage().heapUsed
  }
  const registry = createRegistry()
  registry.register(tool('echo'))
  const { signal } = new AbortController()
  const work = async (share: number): Promise<void> => {
    for (let turn = 0; turn < cycles * share; turn += 1) cycle(registry, turn)
    await call(registry, calls * share, signal)
  }
  await work(0.05)
  const before = await heap()
  await work(1)
  const after = await heap()
  return [
    {
      name: `heap after ${cycles.toLocaleString('en')} registrations and ${calls.toLocaleString('en')} calls`,
      unit: 'MiB',
      values: [after / MIB],
      baseline: { name: 'before', values: [before / MIB] },
      aim: { of: 'ratio', most: 1.05 },
    },
  ]
}
