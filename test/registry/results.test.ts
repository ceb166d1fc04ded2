// registry.md §4, "Results": what a result is made of, sentence by sentence.
import { describe, expect, it, vi } from 'vitest'
import {
  createRegistry,
  type ToolDefinition,
  ToolError,
  type ToolExecutionResult,
  type ToolRunContext,
} from '#index.ts'
import { codeOf, gate, input, isDeepFrozen, message, messageOf, probe, text } from './probe.ts'

async function run(tool: Partial<ToolDefinition>, over = {}): Promise<ToolExecutionResult> {
  const registry = createRegistry()
  registry.register(probe(tool))
  return registry.execute(input(over))
}
const throwing = (thrown: unknown): Partial<ToolDefinition> => ({ execute: () => Promise.reject(thrown) })
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('get')
    },
    has: () => {
      throw new Error('has')
    },
    getPrototypeOf: () => {
      throw new Error('proto')
    },
  },
)

describe('failures', () => {
  it('have one text block, `Error: ` + message, and no value', async () => {
    expect(await run(throwing(new Error('boom')))).toStrictEqual({
      isError: true,
      error: { message: 'boom' },
      content: [text('Error: boom')],
    })
  })

  it('only typed errors carry info', async () => {
    class NoMatch extends ToolError {
      override readonly name = 'NoMatch'
    }
    expect(await run(throwing(new NoMatch('NO_MATCH', 'nothing')))).toMatchObject({
      error: { info: { name: 'NoMatch', code: 'NO_MATCH' } },
    })
    const untyped = Object.assign(new Error('io'), { code: 'ENOENT' })
    expect(await run(throwing(untyped))).toMatchObject({ error: { message: 'io' } })
    expect(codeOf(await run(throwing(untyped)))).toBeUndefined()
  })

  it.each([
    { thrown: 'an object with a message', value: () => ({ message: 'plain object' }), said: 'plain object' },
    { thrown: 'a string', value: () => 'words', said: 'words' },
    { thrown: 'a number', value: () => 42, said: '42' },
    { thrown: 'null', value: () => null, said: 'null' },
    { thrown: 'undefined', value: () => undefined, said: 'undefined' },
    { thrown: 'a symbol', value: () => Symbol('s'), said: 'Symbol(s)' },
    { thrown: 'the empty string', value: () => '', said: 'unknown error' },
    { thrown: 'an error without words', value: () => new RangeError(''), said: 'RangeError' },
    {
      thrown: 'an object without a prototype',
      value: () => Object.create(null) as unknown,
      said: 'an error that could not be printed',
    },
    { thrown: 'a hostile proxy', value: () => hostile, said: 'an error that could not be printed' },
  ])('$thrown is stringified safely', async ({ value, said }) => {
    const result = await run({
      execute: () => {
        throw value()
      },
    })
    expect(messageOf(result)).toBe(said)
  })

  it('a thrown ToolError may carry presentation meta; a lossy one is dropped', async () => {
    expect(await run(throwing(new ToolError('X', 'x', { meta: { diff: 1 } })))).toMatchObject({
      meta: { diff: 1 },
    })
    expect(await run(throwing(new ToolError('X', 'x', { meta: (() => 1) as never })))).not.toHaveProperty(
      'meta',
    )
  })

  it('INVALID_ARGS comes from the tool’s own validation, before the body', async () => {
    const execute = vi.fn(() => 'done')
    expect(
      await run({ validate: () => ['"p" must be a string', 'missing required property "q"'], execute }),
    ).toMatchObject({
      error: {
        message: 'invalid arguments: "p" must be a string; missing required property "q"',
        info: { name: 'ToolArgsError', code: 'INVALID_ARGS' },
      },
    })
    expect(execute).not.toHaveBeenCalled()
  })
})

describe('output', () => {
  it.each([
    ['a value outside the schema', { execute: () => 7 }, /"value" must be a string/],
    ['no value', { execute: (() => undefined) as never }, /lossless/],
    ['a function', { execute: (() => () => 1) as never }, /lossless/],
    [
      'a render that throws',
      {
        output: {
          schema: { type: 'string' },
          render: () => {
            throw new Error('r')
          },
        },
      },
      /could not be rendered \(r\)/,
    ],
    [
      'content that is no array',
      { output: { schema: { type: 'string' }, render: (() => 'text') as never } },
      /"content" must be an array/,
    ],
    [
      'an unknown block',
      { output: { schema: { type: 'string' }, render: (() => [{ type: 'video' }]) as never } },
      /"content\[0\]" must be a text/,
    ],
    [
      'a lossy block',
      {
        output: {
          schema: { type: 'string' },
          render: (() => [{ type: 'text', text: 'x', n: Number.NaN }]) as never,
        },
      },
      /"content\[0\]\.n" must be a lossless/,
    ],
    [
      'lossy meta',
      {
        output: { schema: { type: 'string' }, render: () => [], presentationMeta: () => new Map() as never },
      },
      /"meta" must be a lossless/,
    ],
    [
      'meta that throws',
      {
        output: {
          schema: { type: 'string' },
          render: () => [],
          presentationMeta: () => {
            throw new Error('m')
          },
        },
      },
      /could not be rendered \(m\)/,
    ],
  ] as [string, Partial<ToolDefinition>, RegExp][])(
    '%s is INVALID_TOOL_OUTPUT, naming the tool',
    async (_name, tool, says) => {
      const result = await run(tool)
      expect(codeOf(result)).toBe('INVALID_TOOL_OUTPUT')
      expect(messageOf(result)).toContain('tool "probe"')
      expect(messageOf(result)).toMatch(says)
    },
  )

  it('is a snapshot: what the tool does to its object later changes nothing', async () => {
    const mine = { a: [1] }
    const result = await run({
      output: { schema: {}, render: (_args, value) => (mine.a.push(2), [text(JSON.stringify(value))]) },
      execute: () => mine,
    })
    expect(result).toMatchObject({ value: { a: [1] }, content: [text('{"a":[1]}')] })
    expect(Object.isFrozen(mine.a)).toBe(false)
  })

  it('is frozen all through, for successes and failures', async () => {
    const defer = (_args: unknown, exec: ToolRunContext): string => (exec.deferContext(message('m')), 'done')
    expect(isDeepFrozen(await run({ execute: defer }))).toBe(true)
    expect(isDeepFrozen(await run(throwing(new ToolError('X', 'x', { meta: { a: { b: 1 } } }))))).toBe(true)
    expect(
      isDeepFrozen(
        await run({
          output: {
            schema: {},
            render: () => [{ type: 'resource', resource: { uri: 'u', text: 't' } }],
            presentationMeta: () => ({ a: [{}] }),
          },
          execute: () => ({ a: [{ b: 1 }] }),
        }),
      ),
    ).toBe(true)
  })

  it('has meta only without a parent: success, typed failure, finalizer’s and listener’s failure', async () => {
    const parent = Symbol('outer') as never
    expect(await run({})).toHaveProperty('meta')
    expect(await run({}, { parent })).not.toHaveProperty('meta')
    const failing = throwing(new ToolError('X', 'x', { meta: 1 }))
    expect(await run(failing)).toHaveProperty('meta')
    expect(await run(failing, { parent })).not.toHaveProperty('meta')
    const finalizer: Partial<ToolDefinition> = {
      finalizeContent: () => {
        throw new ToolError('X', 'x', { meta: 1 })
      },
    }
    expect(await run(finalizer)).toHaveProperty('meta')
    expect(await run(finalizer, { parent })).not.toHaveProperty('meta')
    const registry = createRegistry()
    registry.register(probe())
    registry.on('tools/post-execute', () => {
      throw new ToolError('X', 'x', { meta: 1 })
    })
    expect(await registry.execute(input({ parent }))).not.toHaveProperty('meta')
  })
})

describe('finalizeContent', () => {
  it('sees the frozen result and may replace the content only', async () => {
    const seen: unknown[] = []
    const result = await run({
      finalizeContent: (exec, frozen) => (seen.push(exec.callId, isDeepFrozen(frozen)), [text('final')]),
    })
    expect(result).toEqual({ isError: false, value: 'done', content: [text('final')], meta: { length: 4 } })
    expect(seen).toEqual(['c1', true])
  })

  it('undefined keeps the content', async () => {
    expect((await run({ finalizeContent: () => undefined })).content).toEqual([text('done')])
  })

  it.each([
    [
      'a throw',
      () => {
        throw new Error('final')
      },
      /final/,
    ],
    ['content that is none', () => [{ type: 'nope' }], /must be a text/],
    ['a promise', () => Promise.reject(new Error('late')), /must be a lossless/],
  ] as [string, () => never, RegExp][])(
    '%s becomes an error result and it is not called again',
    async (_name, answer, says) => {
      const finalizeContent = vi.fn(answer)
      const result = await run({
        finalizeContent,
        execute: (_args, exec) => (exec.deferContext(message('m')), 'done'),
      })
      expect(messageOf(result)).toMatch(says)
      expect(result).not.toHaveProperty('value')
      expect(result.additionalContexts).toEqual([message('m')])
      expect(finalizeContent).toHaveBeenCalledTimes(1)
    },
  )

  it('runs once for a failure as well', async () => {
    const finalizeContent = vi.fn(() => [text('shorter')])
    expect(await run({ ...throwing(new Error('long')), finalizeContent })).toMatchObject({
      error: { message: 'long' },
      content: [text('shorter')],
    })
    expect(finalizeContent).toHaveBeenCalledTimes(1)
  })
})

describe('observers of tools/result', () => {
  it('get frozen data; what they throw or reject is logged and contained', async () => {
    const log = vi.fn()
    const registry = createRegistry({ log })
    registry.register(probe())
    const last = vi.fn()
    registry.on('tools/result', () => {
      throw hostile
    })
    registry.on('tools/result', () => Promise.reject(hostile))
    registry.on('tools/result', (_exec, result) => void ((result as { isError: boolean }).isError = true))
    registry.on('tools/result', last)
    expect(await registry.execute(input())).toMatchObject({ isError: false })
    expect(last).toHaveBeenCalledTimes(1)
    expect(log).toHaveBeenCalledTimes(3)
    expect(log).toHaveBeenCalledWith('error', expect.stringContaining('tools/result'), undefined)
  })

  it('a log that throws hurts nobody', async () => {
    const registry = createRegistry({
      log: () => {
        throw new Error('disk full')
      },
    })
    registry.register(probe())
    registry.on('tools/result', () => Promise.reject(new Error('x')))
    expect(await registry.execute(input())).toMatchObject({ isError: false })
  })
})

describe('concludeTurn and deferContext', () => {
  it('concludeTurn surfaces only on a success', async () => {
    expect(await run({ execute: (_args, exec) => (exec.concludeTurn(), 'done') })).toMatchObject({
      concludesTurn: true,
    })
    expect(
      await run({
        execute: (_args, exec) => {
          exec.concludeTurn()
          throw new Error('x')
        },
      }),
    ).not.toHaveProperty('concludesTurn')
  })

  it('deferred messages survive a throw', async () => {
    const result = await run({
      execute: (_args, exec) => {
        exec.deferContext(message('m'))
        throw new Error('x')
      },
    })
    expect(result).toMatchObject({ isError: true, additionalContexts: [message('m')] })
  })

  it('a message that is none is the tool’s own error', async () => {
    for (const bad of [
      { id: 'x' },
      { ...message('m'), content: 'text' },
      { ...message('m'), source: { kind: 'alien' } },
      { ...message('m'), meta: () => 1 },
    ]) {
      expect(
        messageOf(await run({ execute: (_args, exec) => (exec.deferContext(bad as never), 'done') })),
      ).toMatch(/context message/)
    }
  })

  it('are ignored after the body has settled, like reports', async () => {
    const registry = createRegistry()
    let late: ToolRunContext | undefined
    registry.register(
      probe({
        execute: async (_args, exec) => (
          await exec.report({ kind: 'output', data: 'live' }),
          (late = exec),
          'done'
        ),
      }),
    )
    const reports: unknown[] = []
    registry.on('tools/report', (_exec, report) => void reports.push(report))
    registry.on('tools/post-execute', async (_exec, _result, next) => {
      late?.deferContext(message('late'))
      late?.concludeTurn()
      await late?.report({ kind: 'output', data: 'late' })
      return next()
    })
    const result = await registry.execute(input())
    expect(result).not.toHaveProperty('additionalContexts')
    expect(result).not.toHaveProperty('concludesTurn')
    expect(reports).toEqual([{ kind: 'output', data: 'live' }])
  })

  it('report() settles when the report is delivered, and never hurts the body', async () => {
    const registry = createRegistry()
    const order: string[] = []
    const delivered = gate()
    registry.register(
      probe({
        execute: async (_args, exec) => (
          await exec.report({ kind: 'progress', done: 1 }),
          order.push('on'),
          'done'
        ),
      }),
    )
    registry.on('tools/report', async () => {
      await delivered.promise
      order.push('delivered')
      throw new Error('x')
    })
    const running = registry.execute(input())
    setImmediate(delivered.resolve)
    expect(await running).toMatchObject({ isError: false })
    expect(order).toEqual(['delivered', 'on'])
  })
})
