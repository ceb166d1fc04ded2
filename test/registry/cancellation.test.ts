// registry.md §4, "Cancellation: the most specific outcome wins": one row, one case.
import { describe, expect, it } from 'vitest'
import {
  type ApprovalService,
  createRegistry,
  type Registry,
  type ToolDefinition,
  type ToolExecutionResult,
} from '#index.ts'
import { codeOf, gate, input, message, messageOf, probe, text } from './probe.ts'

interface Row {
  aborts: string
  tool?: (abort: () => void) => Partial<ToolDefinition>
  arrange?: (registry: Registry, abort: () => void) => void
  approval?: (abort: () => void) => ApprovalService
  already?: true
  code?: string
  says?: string
  bodies: 0 | 1
  check?: (result: ToolExecutionResult) => void
}

const BEFORE = 'ABORTED_BEFORE_DISPATCH'
const ask = (registry: Registry): void => void registry.on('tools/pre-execute', () => ({ kind: 'ask' }))

const rows: Row[] = [
  { aborts: 'before entry', already: true, code: BEFORE, bodies: 0 },
  {
    aborts: 'while policy is pending and it then allows',
    arrange: (registry, abort) =>
      void registry.on('tools/pre-execute', async () => (abort(), { kind: 'allow' })),
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'while policy is pending and it then asks',
    arrange: (registry, abort) =>
      void registry.on('tools/pre-execute', async () => (abort(), { kind: 'ask' })),
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'while approval is pending and it then allows',
    arrange: ask,
    approval: (abort) => ({ request: async () => (abort(), 'allowed-once') }),
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'after approval before dispatch (in a guard)',
    arrange: (registry, abort) => void registry.guard(() => void abort() as never),
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'a wrapper delegates after the abort',
    arrange: (registry, abort) => void registry.on('tools/execute', (_exec, next) => (abort(), next())),
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'a wrapper succeeds without ever invoking the body',
    arrange: (registry, abort) =>
      void registry.on(
        'tools/execute',
        async () => (abort(), { isError: false, value: 'cached', content: [] }),
      ),
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'while the start is being logged',
    arrange: (registry, abort) => void registry.on('tools/started', async () => abort()),
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'while policy is pending and it then denies',
    arrange: (registry, abort) =>
      void registry.on('tools/pre-execute', async () => (abort(), { kind: 'deny', reason: 'no' })),
    says: 'no',
    bodies: 0,
  },
  {
    aborts: 'while policy is pending and it then throws',
    arrange: (registry, abort) =>
      void registry.on('tools/pre-execute', async () => {
        abort()
        throw new Error('policy broke')
      }),
    says: 'policy broke',
    bodies: 0,
  },
  {
    aborts: 'while approval is pending and it then rejects',
    arrange: ask,
    approval: (abort) => ({ request: async () => (abort(), { outcome: 'rejected', reason: 'no' }) }),
    says: 'said: no',
    bodies: 0,
  },
  {
    aborts: 'while the body runs and it then succeeds',
    tool: (abort) => ({
      execute: (_args, exec) => {
        exec.deferContext(message('kept'))
        abort()
        return 'done'
      },
    }),
    code: 'ABORTED',
    bodies: 1,
    check: (result) => expect(result.additionalContexts).toEqual([message('kept')]),
  },
  {
    aborts: 'while the body runs and it then throws',
    tool: (abort) => ({
      execute: () => {
        abort()
        throw new Error('own error')
      },
    }),
    says: 'own error',
    bodies: 1,
  },
  {
    aborts: 'in a wrapper after the body succeeded',
    arrange: (registry, abort) =>
      void registry.on('tools/execute', async (_exec, next) => {
        const result = await next()
        abort()
        return result
      }),
    code: 'ABORTED',
    bodies: 1,
  },
  {
    aborts: 'during post-execute, outcome an accepted success, the body was invoked',
    arrange: (registry, abort) =>
      void registry.on('tools/post-execute', async () => (abort(), { kind: 'accept' })),
    code: 'ABORTED',
    bodies: 1,
  },
  {
    aborts: 'during post-execute, outcome an accepted success, the body was not invoked',
    arrange: (registry, abort) => {
      registry.on('tools/execute', async () => ({ isError: false, value: 'cached', content: [] }))
      registry.on('tools/post-execute', async () => (abort(), { kind: 'accept' }))
    },
    code: BEFORE,
    bodies: 0,
  },
  {
    aborts: 'during post-execute, outcome a block',
    arrange: (registry, abort) =>
      void registry.on(
        'tools/post-execute',
        async () => (abort(), { kind: 'block', feedback: [text('blocked')] }),
      ),
    says: 'blocked',
    bodies: 1,
  },
  {
    aborts: 'during post-execute, outcome a throw',
    arrange: (registry, abort) =>
      void registry.on('tools/post-execute', async () => {
        abort()
        throw new Error('post broke')
      }),
    says: 'post broke',
    bodies: 1,
  },
]

describe('the caller aborts…', () => {
  it.each(rows)('$aborts', async (row) => {
    const controller = new AbortController()
    const abort = (): void => controller.abort()
    if (row.already) abort()
    const approval = row.approval?.(abort)
    const registry = createRegistry({ ...(approval && { approval }) })
    let bodies = 0
    const tool = row.tool?.(abort) ?? {}
    registry.register(
      probe({
        ...tool,
        execute: (args, exec) => {
          bodies += 1
          return tool.execute?.(args, exec) ?? 'done'
        },
      }),
    )
    row.arrange?.(registry, abort)
    const result = await registry.execute(input({ scope: registry.scope(), signal: controller.signal }))
    expect(result.isError).toBe(true)
    expect(codeOf(result)).toBe(row.code)
    if (row.says !== undefined) expect(messageOf(result)).toContain(row.says)
    expect(bodies).toBe(row.bodies)
    expect(result).not.toHaveProperty('value')
    row.check?.(result)
  })

  it('never abandons a body: an uncooperative one is awaited, then ABORTED', async () => {
    const controller = new AbortController()
    const [started, hold] = [gate(), gate()]
    const registry = createRegistry()
    registry.register(
      probe({
        execute: async () => {
          started.resolve()
          await hold.promise
          return 'done'
        },
      }),
    )
    let settled = false
    const running = registry.execute(input({ signal: controller.signal })).finally(() => (settled = true))
    await started.promise
    controller.abort()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(settled).toBe(false)
    hold.resolve()
    expect(codeOf(await running)).toBe('ABORTED')
  })

  it('a success under an aborted fused signal is ABORTED, though the caller did not abort', async () => {
    const registry = createRegistry()
    const own = new AbortController()
    registry.register(probe({ execute: () => (own.abort(), 'done') }))
    registry.on('tools/execute', async (exec, next) => {
      const caller = exec.signal
      exec.signal = own.signal
      try {
        return await next()
      } finally {
        exec.signal = caller
      }
    })
    expect(codeOf(await registry.execute(input()))).toBe('ABORTED')
  })
})
