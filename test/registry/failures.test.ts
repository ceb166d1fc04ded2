// registry.md §4, "Which failures reach which stage": one row, one case.
import { describe, expect, it } from 'vitest'
import {
  type ApprovalService,
  createRegistry,
  type Registry,
  type Scope,
  type ToolDefinition,
  ToolError,
  type ToolExecutionInput,
} from '#index.ts'
import { abortedSignal, codeOf, countStages, input, messageOf, probe, transport } from './probe.ts'

interface Row {
  origin: string
  /** How often post-execute and the finalizer see the outcome. */
  post: 0 | 1
  finalize: 0 | 1
  code?: string
  says?: string | RegExp
  tool?: Partial<ToolDefinition>
  approval?: ApprovalService
  mode?: 'code'
  arrange?: (registry: Registry, scope: Scope) => void
  call?: (abort: AbortController) => Partial<ToolExecutionInput>
  /** The body must not run. */
  bodies?: number
}

const asks = (registry: Registry): void =>
  void registry.on('tools/pre-execute', () => ({ kind: 'ask', reason: 'why' }))
const answers = (outcome: unknown): ApprovalService => ({ request: async () => outcome as 'rejected' })
const throws = (words: string) => (): never => {
  throw new Error(words)
}
let abortNow = (): void => undefined

const rows: Row[] = [
  {
    origin: 'arguments not lossless JSON',
    post: 0,
    finalize: 1,
    code: 'INVALID_ARGS',
    bodies: 0,
    call: () => ({ arguments: { f: () => 1 } }),
  },
  {
    origin: 'caller aborted before entry',
    post: 0,
    finalize: 1,
    code: 'ABORTED_BEFORE_DISPATCH',
    bodies: 0,
    call: () => ({ signal: abortedSignal() }),
  },
  {
    origin: 'Code Mode: model calls a native name directly',
    post: 0,
    finalize: 1,
    code: 'UNKNOWN_TOOL',
    bodies: 0,
    mode: 'code',
  },
  {
    origin: 'pre-execute listener throws',
    post: 0,
    finalize: 1,
    says: 'pre',
    bodies: 0,
    arrange: (registry) => void registry.on('tools/pre-execute', throws('pre')),
  },
  {
    origin: 'pre-execute listener answers outside its vocabulary',
    post: 0,
    finalize: 1,
    says: /no decision that is known/,
    bodies: 0,
    arrange: (registry) => void registry.on('tools/pre-execute', () => ({ kind: 'perhaps' }) as never),
  },
  {
    origin: 'pre-execute listener answers nothing',
    post: 0,
    finalize: 1,
    says: /no decision that is known/,
    bodies: 0,
    arrange: (registry) => void registry.on('tools/pre-execute', () => undefined as never),
  },
  {
    origin: 'guard throws',
    post: 0,
    finalize: 1,
    says: 'guard',
    bodies: 0,
    arrange: (registry) => void registry.guard(throws('guard')),
  },
  {
    origin: 'guard answers outside its vocabulary (a rejecting promise)',
    post: 0,
    finalize: 1,
    says: /neither a reason nor nothing/,
    bodies: 0,
    arrange: (registry) => void registry.guard((() => Promise.reject(new Error('late'))) as never),
  },
  {
    origin: 'approval service throws',
    post: 0,
    finalize: 1,
    says: 'ask',
    bodies: 0,
    arrange: asks,
    approval: { request: throws('ask') },
  },
  {
    origin: 'approval service answers outside its vocabulary',
    post: 0,
    finalize: 1,
    says: /no answer that is known/,
    bodies: 0,
    arrange: asks,
    approval: answers('yes'),
  },
  {
    origin: 'deny',
    post: 1,
    finalize: 1,
    says: 'no',
    bodies: 0,
    arrange: (registry) => void registry.on('tools/pre-execute', () => ({ kind: 'deny', reason: 'no' })),
  },
  {
    origin: 'guard denial',
    post: 1,
    finalize: 1,
    says: 'never',
    bodies: 0,
    arrange: (registry) => void registry.guard(() => 'never'),
  },
  {
    origin: 'approval not granted',
    post: 1,
    finalize: 1,
    says: /rejected/,
    bodies: 0,
    arrange: asks,
    approval: answers('rejected'),
  },
  {
    origin: 'typed preview failure',
    post: 1,
    finalize: 1,
    code: 'NO_MATCH',
    bodies: 0,
    arrange: asks,
    approval: answers('allowed-once'),
    tool: { preview: () => Promise.reject(new ToolError('NO_MATCH', 'no match')) },
  },
  {
    origin: 'abort seen after pre-execute',
    post: 1,
    finalize: 1,
    code: 'ABORTED_BEFORE_DISPATCH',
    bodies: 0,
    arrange: (registry) =>
      void registry.on('tools/pre-execute', (_exec, next) => {
        abortNow()
        return next()
      }),
  },
  {
    origin: 'abort seen during approval',
    post: 1,
    finalize: 1,
    code: 'ABORTED_BEFORE_DISPATCH',
    bodies: 0,
    arrange: asks,
    approval: {
      request: async () => {
        abortNow()
        return 'allowed-once'
      },
    },
  },
  {
    origin: 'unknown tool (it passed policy first)',
    post: 1,
    finalize: 0,
    code: 'UNKNOWN_TOOL',
    bodies: 0,
    call: () => ({ name: 'nope' }),
  },
  { origin: 'body throws', post: 1, finalize: 1, says: 'boom', tool: { execute: throws('boom') } },
  {
    origin: 'value fails the output schema',
    post: 1,
    finalize: 1,
    code: 'INVALID_TOOL_OUTPUT',
    tool: { execute: () => 7 },
  },
  {
    origin: 'execute wrapper throws',
    post: 0,
    finalize: 1,
    says: 'wrap',
    bodies: 0,
    arrange: (registry) => void registry.on('tools/execute', throws('wrap')),
  },
  {
    origin: 'execute wrapper throws after the body',
    post: 0,
    finalize: 1,
    says: 'wrap',
    bodies: 1,
    arrange: (registry) =>
      void registry.on('tools/execute', async (_exec, next) => {
        await next()
        throw new Error('wrap')
      }),
  },
  {
    origin: 'post-execute listener throws',
    post: 1,
    finalize: 1,
    says: 'post',
    arrange: (registry) => void registry.on('tools/post-execute', throws('post')),
  },
]

describe('which failures reach which stage', () => {
  it.each(rows)('$origin', async (row) => {
    const abort = new AbortController()
    abortNow = () => abort.abort()
    const registry = createRegistry({
      ...(row.approval && { approval: row.approval }),
      ...(row.mode && { mode: row.mode, transport: transport() }),
    })
    const scope = registry.scope()
    let finalized = 0
    let bodies = 0
    const body = row.tool?.execute ?? (() => 'done')
    const definition = probe({
      ...row.tool,
      execute: (args, exec) => {
        bodies += 1
        return body(args, exec)
      },
      finalizeContent: () => {
        finalized += 1
        return undefined
      },
    })
    registry.register(definition)
    const seen = countStages(registry)
    row.arrange?.(registry, scope)
    const result = await registry.execute(input({ scope, signal: abort.signal, ...row.call?.(abort) }))
    expect(result.isError).toBe(true)
    if (row.code !== undefined) expect(codeOf(result)).toBe(row.code)
    else expect(codeOf(result)).toBeUndefined()
    if (row.says !== undefined) expect(messageOf(result)).toMatch(row.says)
    if (row.bodies !== undefined) expect(bodies).toBe(row.bodies)
    expect({ post: seen.post, finalize: finalized, result: seen.result }).toEqual({
      post: row.post,
      finalize: row.finalize,
      result: 1,
    })
    expect(seen.results[0]).toBe(result)
  })

  it('shows no arguments when they were not lossless JSON', async () => {
    const registry = createRegistry()
    registry.register(probe())
    const given: unknown[] = []
    registry.on('tools/result', (exec) => void given.push(exec.arguments, 'arguments' in exec))
    await registry.execute(input({ arguments: { a: [1, { b: Number.NaN }] } }))
    expect(given).toEqual([undefined, true])
  })
})
