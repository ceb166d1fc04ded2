// registry.md §4: results that wrappers write, and what post-execute decides.
import { describe, expect, it, vi } from 'vitest'
import {
  createRegistry,
  type PostToolDecision,
  type Registry,
  type ToolDefinition,
  type ToolExecutionResult,
} from '#index.ts'
import { codeOf, input, message, messageOf, probe, text } from './probe.ts'

const parent = Symbol('outer') as never

function wrapped(
  wrapper: (next: () => Promise<ToolExecutionResult>) => unknown,
  tool: Partial<ToolDefinition> = {},
): Registry {
  const registry = createRegistry()
  registry.register(probe(tool))
  registry.on('tools/execute', (_exec, next) => wrapper(next) as Promise<ToolExecutionResult>)
  return registry
}
const success = { isError: false, value: 'cached', content: [text('stale')], meta: { stale: true } } as const

describe('a success written by a wrapper, or a cached result of another call', () => {
  it('is re-validated and re-rendered for this call; its own content and meta are discarded', async () => {
    const registry = wrapped(() => success)
    expect(await registry.execute(input())).toEqual({
      isError: false,
      value: 'cached',
      content: [text('cached')],
      meta: { length: 6 },
    })
    expect(await registry.execute(input({ parent }))).not.toHaveProperty('meta')
  })

  it('fails when the value does not fit', async () => {
    expect(codeOf(await wrapped(() => ({ ...success, value: 7 })).execute(input()))).toBe(
      'INVALID_TOOL_OUTPUT',
    )
    expect(codeOf(await wrapped(() => ({ ...success, value: new Map() })).execute(input()))).toBe(
      'INVALID_TOOL_OUTPUT',
    )
  })

  it('the body’s own result passes untouched', async () => {
    const render = vi.fn(() => [text('r')])
    await wrapped((next) => next(), { output: { schema: {}, render } }).execute(input())
    expect(render).toHaveBeenCalledTimes(1)
  })

  it('a failure keeps message and info, and gets the one text block', async () => {
    const authored = {
      isError: true,
      error: { message: 'limit', info: { name: 'ToolError', code: 'LIMIT' } },
      content: [text('other')],
      meta: { a: 1 },
    }
    expect(await wrapped(() => authored).execute(input())).toEqual({
      ...authored,
      content: [text('Error: limit')],
    })
    expect(await wrapped(() => authored).execute(input({ parent }))).not.toHaveProperty('meta')
    expect(
      codeOf(
        await wrapped(() => ({ ...authored, error: { message: 'm', info: { code: 'X' } } })).execute(input()),
      ),
    ).toBeUndefined()
  })

  it.each([undefined, null, 'done', {}, { isError: 'no' }, { isError: true }, { isError: true, error: {} }])(
    '%j is no result: the wrapper has thrown',
    async (authored) => {
      const registry = wrapped(() => authored)
      const post = vi.fn()
      registry.on('tools/post-execute', post)
      expect(messageOf(await registry.execute(input()))).toMatch(/wrapper returned/)
      expect(post).not.toHaveBeenCalled()
    },
  )

  it('keeps that the tool concluded the turn and what it deferred', async () => {
    const tool: Partial<ToolDefinition> = {
      execute: (_args, exec) => (exec.concludeTurn(), exec.deferContext(message('tool')), 'done'),
    }
    const registry = wrapped(
      async (next) => (await next(), { ...success, additionalContexts: [message('wrapper')] }),
      tool,
    )
    expect(await registry.execute(input())).toMatchObject({
      value: 'cached',
      concludesTurn: true,
      additionalContexts: [message('tool'), message('wrapper')],
    })
    const passing = wrapped(
      async (next) => ({ ...(await next()), additionalContexts: [message('wrapper')] }),
      tool,
    )
    expect((await passing.execute(input())).additionalContexts).toEqual([message('tool'), message('wrapper')])
  })

  it('the first registered wrapper is the outermost', async () => {
    const order: string[] = []
    const registry = wrapped(async (next) => (order.push('outer'), next()))
    registry.scope().on('tools/execute', (_exec, next) => (order.push('foreign'), next()))
    registry.on('tools/execute', (_exec, next) => (order.push('inner'), next()))
    await registry.execute(input())
    expect(order).toEqual(['outer', 'inner'])
  })
})

function decided(decision: unknown, tool: Partial<ToolDefinition> = {}): Registry {
  const registry = createRegistry()
  registry.register(probe(tool))
  registry.on('tools/post-execute', () => decision as PostToolDecision)
  return registry
}
const eager: Partial<ToolDefinition> = {
  execute: (_args, exec) => (exec.deferContext(message('tool')), exec.concludeTurn(), 'done'),
}

describe('accept', () => {
  it('alone changes nothing', async () => {
    expect(await decided({ kind: 'accept' }).execute(input())).toEqual({
      isError: false,
      value: 'done',
      content: [text('done')],
      meta: { length: 4 },
    })
  })

  it('+ content keeps value and meta', async () => {
    expect(await decided({ kind: 'accept', content: [text('short')] }).execute(input())).toEqual({
      isError: false,
      value: 'done',
      content: [text('short')],
      meta: { length: 4 },
    })
  })

  it('+ content on a failure keeps the failure', async () => {
    const registry = decided(
      { kind: 'accept', content: [text('short')] },
      { execute: () => Promise.reject(new Error('x')) },
    )
    expect(await registry.execute(input())).toEqual({
      isError: true,
      error: { message: 'x' },
      content: [text('short')],
    })
  })

  it('+ value re-validates, re-renders and recomputes meta', async () => {
    expect(await decided({ kind: 'accept', value: 'redacted' }, eager).execute(input())).toEqual({
      isError: false,
      value: 'redacted',
      content: [text('redacted')],
      meta: { length: 8 },
      concludesTurn: true,
      additionalContexts: [message('tool')],
    })
    expect(codeOf(await decided({ kind: 'accept', value: 7 }).execute(input()))).toBe('INVALID_TOOL_OUTPUT')
    expect(await decided({ kind: 'accept', value: 'v' }).execute(input({ parent }))).not.toHaveProperty(
      'meta',
    )
  })

  it('+ value on a failure, or with content too, is an error', async () => {
    expect(
      messageOf(
        await decided(
          { kind: 'accept', value: 'v' },
          { execute: () => Promise.reject(new Error('x')) },
        ).execute(input()),
      ),
    ).toMatch(/failed call/)
    expect(messageOf(await decided({ kind: 'accept', value: 'v', content: [] }).execute(input()))).toMatch(
      /both/,
    )
  })

  it('+ value when the tool is gone is UNKNOWN_TOOL', async () => {
    const registry = createRegistry()
    const undo = registry.register(probe())
    registry.on('tools/post-execute', () => (undo(), { kind: 'accept', value: 'v' }))
    expect(codeOf(await registry.execute(input()))).toBe('UNKNOWN_TOOL')
  })

  it('contexts stand in order: the tool’s, the wrapper’s, post-execute’s; each keeps source and meta', async () => {
    const registry = createRegistry()
    registry.register(probe(eager))
    const mine = {
      id: 'w',
      content: [text('w')],
      source: { kind: 'plugin' as const, name: 'p' },
      meta: { n: 1 },
    }
    registry.on('tools/execute', async (_exec, next) => ({ ...(await next()), additionalContexts: [mine] }))
    registry.on('tools/post-execute', () => ({ kind: 'accept', additionalContexts: [message('post')] }))
    expect((await registry.execute(input())).additionalContexts).toEqual([
      message('tool'),
      mine,
      message('post'),
    ])
  })
})

describe('block', () => {
  it('keeps nothing of the wrappers either', async () => {
    const registry = decided({ kind: 'block', feedback: [text('no')] }, eager)
    registry.on('tools/execute', async (_exec, next) => ({
      ...(await next()),
      additionalContexts: [message('wrapper')],
    }))
    expect(await registry.execute(input())).not.toHaveProperty('additionalContexts')
  })

  it('drops value, meta, the tool’s own contexts and its conclusion; keeps the blocker’s', async () => {
    const registry = decided(
      {
        kind: 'block',
        feedback: [text('secret found'), text('remove it')],
        additionalContexts: [message('post')],
      },
      eager,
    )
    expect(await registry.execute(input())).toEqual({
      isError: true,
      error: { message: 'secret found\nremove it' },
      content: [text('secret found'), text('remove it')],
      additionalContexts: [message('post')],
    })
  })

  it('has a stock message when the feedback is empty', async () => {
    expect(await decided({ kind: 'block', feedback: [] }).execute(input())).toMatchObject({
      error: { message: expect.stringContaining('withheld') },
    })
  })

  it.each([
    undefined,
    null,
    {},
    { kind: 'maybe' },
    { kind: 'block' },
    { kind: 'block', feedback: 'no' },
    { kind: 'accept', content: 'no' },
    { kind: 'accept', additionalContexts: [{}] },
  ])('%j is no decision: an error', async (decision) => {
    const result = await decided(decision).execute(input())
    expect(result.isError).toBe(true)
    expect(result).not.toHaveProperty('value')
  })
})

describe('post-execute listeners', () => {
  it('see the frozen result with the contexts so far, and the caller’s signal', async () => {
    const registry = createRegistry()
    registry.register(probe(eager))
    const seen: unknown[] = []
    registry.on('tools/execute', async (exec, next) => {
      exec.signal = AbortSignal.any([exec.signal])
      return next()
    })
    registry.on(
      'tools/post-execute',
      (exec, result, next) => (
        seen.push(exec.signal, Object.isFrozen(result), result.additionalContexts),
        next()
      ),
    )
    const given = input()
    await registry.execute(given)
    expect(seen[0]).toBe(given.signal)
    expect(seen.slice(1)).toEqual([true, [message('tool')]])
  })
})
