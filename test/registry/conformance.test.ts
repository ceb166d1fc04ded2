// The conformance kit: a well-made tool passes, and each way of being badly made is named.
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  defineTool,
  type InferValue,
  type JsonValue,
  type PresentedResult,
  type ToolCallView,
  type ToolDefinition,
  type ToolResultView,
} from '#index.ts'
import type { CALL_VIEWS, Members, RESULT_VIEWS } from '#registry/conformance/view-schemas.ts'
import { assertTool, checkTool, viewProblems } from '#testing.ts'
import { probe, text } from './probe.ts'

const good = defineTool({
  name: 'count',
  description: 'Counts lines.',
  parameters: {
    path: { type: 'string', required: true },
    deep: { type: 'object', additionalProperties: true, properties: { at: { type: 'integer' } } },
  },
  output: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { lines: { type: 'integer', required: true } },
    },
    render: (_args, { lines }) => [text(`${lines} lines`)],
    presentationMeta: (_args, { lines }) => ({ lines }),
  },
  isConcurrencySafe: () => true,
  execute: () => ({ lines: 1 }),
  presentCall: ({ path }) => ({ card: 'generic', title: path, kind: 'read', locations: [{ path }] }),
  presentResult: ({ path }, { meta, isError }) => {
    const lines = (meta as { lines?: unknown } | undefined | null)?.lines
    if (isError || typeof lines !== 'number') return undefined
    return { card: 'read', path, offset: 1, lines: [], totalLines: Math.trunc(lines) || 0 }
  },
})
const sample = { args: { path: '/a', deep: { at: 1 } }, value: { lines: 3 } }

describe('checkTool', () => {
  it('finds nothing to say about a well-made tool', () => {
    expect(checkTool(good, [sample])).toEqual([])
    assertTool(good, [sample, { args: { path: '' } }])
  })

  const call = (view: unknown) => ({ presentCall: () => view as ToolCallView })
  const result = (make: (args: never, result: PresentedResult) => unknown) => ({
    presentResult: make as never,
  })
  let turn = 0
  const rows: [string, Partial<ToolDefinition>, string, RegExp][] = [
    [
      'an impure presentCall',
      { presentCall: () => ({ card: 'generic', title: String((turn += 1)) }) },
      'presentCall',
      /differently when it is asked again/,
    ],
    [
      'a presentCall that changes its input',
      { presentCall: (args) => (Object.assign(args as object, { seen: true }), undefined) },
      'presentCall',
      /changes its input/,
    ],
    [
      'a presentCall that throws on odd arguments',
      { presentCall: (args) => ({ card: 'generic', title: (args as { path: string }).path.trim() }) },
      'presentCall',
      /throws/,
    ],
    [
      'a presentCall that shows odd arguments',
      {
        presentCall: (args) => ({
          card: 'generic',
          title: (args as { path: string } | null)?.path as string,
        }),
      },
      'presentCall',
      /"title" must be a string|missing required property "title"/,
    ],
    [
      'a presentCall that compares objects',
      { presentCall: (args) => ({ card: 'generic', title: Object.isFrozen(args) ? 'a' : 'b' }) },
      'presentCall',
      /differently on replay/,
    ],
    ['an unknown card', call({ card: 'video', title: 'x' }), 'presentCall', /no call card "video"/],
    ['a result card on a call', call({ card: 'read', path: 'x' }), 'presentCall', /no call card "read"/],
    [
      'a missing field',
      call({ card: 'diff', title: 'x' }),
      'presentCall',
      /missing required property "diffs"/,
    ],
    [
      'a field of another card',
      call({ card: 'terminal', title: 'x', diffs: [] }),
      'presentCall',
      /"diffs" is not a declared property/,
    ],
    [
      'a lossy view',
      call({ card: 'generic', title: 'x', rawInput: () => 1 }),
      'presentCall',
      /"rawInput" must be a lossless/,
    ],
    [
      'content that is none',
      call({ card: 'generic', title: 'x', content: [{ type: 'video' }] }),
      'presentCall',
      /"content\[0\]"/,
    ],
    [
      'a line that is not 1-based',
      call({ card: 'generic', title: 'x', locations: [{ path: 'a', line: 0 }] }),
      'presentCall',
      /1-based/,
    ],
    [
      'exit code and signal',
      result(() => ({ card: 'terminal', exitCode: 1, signal: 'SIGKILL' })),
      'presentResult',
      /never both/,
    ],
    [
      'a presentResult that needs meta',
      result((_args, { meta }) => ({ card: 'generic', title: String((meta as { a: { b: 1 } }).a.b) })),
      'presentResult',
      /throws/,
    ],
    [
      'a presentResult that needs content',
      result((_args, { content }) => ({
        card: 'generic',
        title: (content[0] as { text: string }).text.trim(),
      })),
      'presentResult',
      /throws/,
    ],
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
      'output.render',
      /throws: r/,
    ],
    [
      'a render that gives no content',
      { output: { schema: { type: 'string' }, render: (() => 'x') as never } },
      'output.render',
      /must be an array/,
    ],
    [
      'a sample outside the output schema',
      { output: { schema: { type: 'integer' }, render: () => [] } },
      'output.schema',
      /must be an integer/,
    ],
    [
      'lossy meta',
      { output: { schema: {}, render: () => [], presentationMeta: () => ({ f: () => 1 }) as never } },
      'output.presentationMeta',
      /lossless/,
    ],
    [
      'sample arguments that are invalid',
      { validate: () => ['"p" must be a string'] },
      'args',
      /"p" must be a string/,
    ],
    [
      'a classifier that throws',
      { isConcurrencySafe: (args) => (args as { p: string }).p.length === 1 },
      'isConcurrencySafe',
      /throws/,
    ],
    [
      'a classifier without a clear answer',
      { isConcurrencySafe: () => 1 as never },
      'isConcurrencySafe',
      /true or false/,
    ],
    ['a definition that can’t be registered', { timeoutMs: -1 }, 'definition', /can’t be registered/],
    ['no description', { description: ' ' }, 'definition', /needs a description/],
  ]
  it.each(rows)('names %s', (_name, over, member, says) => {
    const problems = checkTool(probe(over), [{ args: { p: 'x' }, value: 'done' }])
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.some(({ where, problem }) => where.startsWith(member) && says.test(problem))).toBe(true)
    expect(problems.every(({ where }) => where.startsWith(member))).toBe(true)
    expect(() => assertTool(probe(over), [{ args: { p: 'x' }, value: 'done' }])).toThrow(says)
  })

  it('asks for samples, and never calls execute', () => {
    expect(checkTool(probe(), [])).toEqual([{ where: 'samples', problem: 'give at least one sample call' }])
    expect(checkTool(probe({ execute: () => expect.unreachable() }), [{ args: {}, value: 'x' }])).toEqual([])
  })
})

describe('viewProblems', () => {
  const calls: ToolCallView[] = [
    { card: 'generic', title: 't' },
    {
      card: 'generic',
      title: 't',
      kind: 'think',
      rawInput: { a: [1] },
      content: [text('x')],
      locations: [{ path: '/a', line: 1 }],
    },
    { card: 'terminal', title: 'ls', description: 'd', cwd: '/' },
    {
      card: 'diff',
      title: 't',
      diffs: [{ path: '/a', oldText: null, newText: '' }],
      locations: [],
      kind: 'delete',
    },
  ]
  const results: { [C in ToolResultView['card']]: (ToolResultView & { card: C })[] } = {
    generic: [{ card: 'generic' }],
    terminal: [
      { card: 'terminal', output: '', exitCode: 0, note: 'n' },
      { card: 'terminal', signal: 'SIGTERM' },
    ],
    diff: [{ card: 'diff', diffs: [{ path: '/a', oldText: 'x', newText: 'y' }] }],
    read: [
      {
        card: 'read',
        path: '/a',
        offset: 1,
        lines: [{ number: 1, text: 'x' }],
        totalLines: 1,
        lang: 'ts',
        content: [],
      },
    ],
    search: [
      {
        card: 'search',
        shape: 'matches',
        files: [{ path: '/a', matches: [{ lineNumber: 1, line: 'x' }] }],
        truncated: false,
        total: 1,
        atLeast: true,
      },
      { card: 'search', shape: 'paths', paths: ['/a'], truncated: true, total: 2 },
    ],
    web: [
      {
        card: 'web',
        kind: 'search',
        sources: [{ url: 'u', title: 't', snippet: 's', publishedAt: 'p' }],
        answer: 'a',
        truncated: false,
      },
      { card: 'web', kind: 'fetch', url: 'u', statusCode: 200, truncated: false },
    ],
  }
  it('accepts every member of the unions', () => {
    for (const view of calls) expect(viewProblems('call', view)).toEqual([])
    for (const view of Object.values(results).flat()) expect(viewProblems('result', view)).toEqual([])
  })

  it('knows the fields of every member: a new one stops the compiler here', () => {
    // Content is checked elsewhere, raw input is whatever JSON it is.
    type Plain<V> = V extends unknown
      ? { [K in keyof V]: K extends 'content' ? JsonValue[] : K extends 'rawInput' ? JsonValue : V[K] }
      : never
    type Described<T extends Record<string, Members>> = InferValue<T[keyof T][number]>
    expectTypeOf<Described<typeof CALL_VIEWS>>().toEqualTypeOf<Plain<ToolCallView>>()
    expectTypeOf<Described<typeof RESULT_VIEWS>>().toEqualTypeOf<Plain<ToolResultView>>()
  })

  it('accepts no member with a field less, or one more', () => {
    for (const [side, views] of [
      ['call', calls],
      ['result', Object.values(results).flat()],
    ] as const) {
      for (const view of views)
        expect(viewProblems(side, { ...view, more: 1 })).toEqual(['"more" is not a declared property'])
    }
    for (const view of Object.values(results).flat()) {
      const { card: _dropped, ...rest } = view
      expect(viewProblems('result', rest)).not.toEqual([])
    }
    for (const view of ['text', null, [], { card: 'search', shape: 'other' }, { card: '__proto__' }])
      expect(viewProblems('result', view)).toHaveLength(1)
  })
})
