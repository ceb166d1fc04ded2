// registry.md §1 and §5: what each audience of a definition gets, and what `defineTool` adds.
import { describe, expect, it, vi } from 'vitest'
import {
  createRegistry,
  defineTool,
  JsonSchemaError,
  type ToolDefinition,
  type ToolExecutionInput,
  type ToolReport,
  type ValueSpec,
} from '#index.ts'
import { codeOf, input, messageOf, probe, text } from './probe.ts'

const greet = defineTool({
  name: 'greet',
  description: 'Greets.',
  parameters: { name: { type: 'string', required: true }, times: { type: 'integer' } },
  output: {
    schema: { type: 'string' },
    render: (_args, value) => [text(value)],
    presentationMeta: ({ name }) => ({ name }),
  },
  isConcurrencySafe: ({ times }) => times === 1,
  execute: ({ name, times = 1 }) => `hello ${name} `.repeat(times).trim(),
  presentCall: ({ name }) => ({ card: 'generic', title: name.toUpperCase() }),
  presentResult: ({ name }) => ({ card: 'generic', title: name.toLowerCase() }),
})

describe('the model', () => {
  it('sees exactly name, description and parameters', () => {
    const registry = createRegistry()
    registry.register({ ...greet, timeoutMs: 5, secret: 1 } as ToolDefinition)
    expect(registry.schemas()).toStrictEqual([
      {
        name: 'greet',
        description: 'Greets.',
        parameters: {
          type: 'object',
          properties: { name: { type: 'string' }, times: { type: 'integer' } },
          required: ['name'],
          additionalProperties: true,
        },
      },
    ])
  })

  it('gets a fresh deep clone: changing it changes nothing in the registry', () => {
    const registry = createRegistry()
    registry.register(greet)
    const [first] = registry.schemas()
    Object.assign(first?.parameters ?? {}, { properties: {} })
    Object.assign(first ?? {}, { name: 'x' })
    expect(registry.schemas()[0]).toMatchObject({
      name: 'greet',
      parameters: { properties: { times: { type: 'integer' } } },
    })
    expect(registry.schemas()[0]?.parameters).not.toBe(registry.schemas()[0]?.parameters)
  })

  it('and the definition’s author can’t change it either, after registration', () => {
    const registry = createRegistry()
    const mine = probe({ parameters: { type: 'object', properties: { a: { type: 'string' } } } })
    registry.register(mine)
    mine.description = 'changed'
    Object.assign(mine.parameters, { properties: {} })
    expect(registry.schemas()[0]).toMatchObject({
      description: 'Answers.',
      parameters: { properties: { a: {} } },
    })
  })
})

describe('executionMode', () => {
  const mode = (tool: Partial<ToolDefinition>, over: Partial<ToolExecutionInput> = {}) => {
    const registry = createRegistry()
    registry.register(probe(tool))
    return registry.executionMode(input(over))
  }

  it('only an exact true opts in', () => {
    expect(mode({ isConcurrencySafe: () => true })).toBe('parallel')
  })

  const boom = (): never => {
    throw new Error('x')
  }
  it.each([
    ['missing', {}],
    ['false', { isConcurrencySafe: () => false }],
    ['throwing', { isConcurrencySafe: boom }],
    ['truthy', { isConcurrencySafe: () => 1 as never }],
    ['a promise', { isConcurrencySafe: (async () => boom()) as never }],
    ['invalid arguments', { isConcurrencySafe: () => true, validate: () => ['no'] }],
    ['a throwing validation', { isConcurrencySafe: () => true, validate: boom }],
    ['arguments that are no JSON', { isConcurrencySafe: () => true }, { arguments: () => 1 }],
    ['an unknown tool', { isConcurrencySafe: () => true }, { name: 'nope' }],
    ['another registry’s scope', { isConcurrencySafe: () => true }, { scope: createRegistry().scope() }],
  ] as [string, Partial<ToolDefinition>, Partial<ToolExecutionInput>?][])(
    '%s means exclusive',
    (_name, tool, over) => {
      expect(mode(tool, over)).toBe('exclusive')
    },
  )

  it('a hidden tool means exclusive', () => {
    const registry = createRegistry()
    registry.register(probe({ isConcurrencySafe: () => true }))
    const scope = registry.scope()
    scope.restrict({ deny: ['probe'] })
    expect(registry.executionMode(input({ scope }))).toBe('exclusive')
    expect(registry.executionMode(input())).toBe('parallel')
  })

  it('is asked with the arguments', () => {
    const registry = createRegistry()
    registry.register(greet)
    const of = (args: unknown) => registry.executionMode(input({ name: 'greet', arguments: args }))
    expect([of({ name: 'a', times: 1 }), of({ name: 'a', times: 2 }), of({ times: 1 })]).toEqual([
      'parallel',
      'exclusive',
      'exclusive',
    ])
  })
})

describe('defineTool', () => {
  it('validates arguments before execute', async () => {
    const registry = createRegistry()
    registry.register(greet)
    const run = (args: unknown) => registry.execute(input({ name: 'greet', arguments: args }))
    expect(await run({ name: 'Ada', times: 2, extra: true })).toEqual({
      isError: false,
      value: 'hello Ada hello Ada',
      content: [text('hello Ada hello Ada')],
      meta: { name: 'Ada' },
    })
    expect(messageOf(await run({ times: 'x' }))).toBe(
      'invalid arguments: missing required property "name"; "times" must be an integer',
    )
    expect(codeOf(await run([]))).toBe('INVALID_ARGS')
  })

  it('asks the tool itself about arguments that fit the schema, before it runs and before they are drawn', async () => {
    const execute = vi.fn(() => 'x')
    const violations = vi.fn(({ name }: { name: string }) => (name === '' ? ['name must not be empty'] : []))
    const tool = defineTool({
      name: 'greet',
      description: 'Greets.',
      parameters: { name: { type: 'string', required: true } },
      output: { schema: { type: 'string' }, render: (_args, value) => [text(value)] },
      violations,
      execute,
      presentCall: ({ name }) => ({ card: 'generic', title: name }),
    })
    expect(tool.validate?.({ name: 5 })).toHaveLength(1)
    expect(violations).not.toHaveBeenCalled()
    expect([tool.validate?.({ name: '' }), tool.validate?.({ name: 'Ada' })]).toEqual([
      ['name must not be empty'],
      [],
    ])
    expect(tool.presentCall?.({ name: '' })).toBeUndefined()
    expect(tool.presentCall?.({ name: 'Ada' })).toMatchObject({ title: 'Ada' })
    const registry = createRegistry()
    registry.register(tool)
    expect(await registry.execute(input({ name: 'greet', arguments: { name: '' } }))).toMatchObject({
      error: { info: { code: 'INVALID_ARGS' }, message: 'invalid arguments: name must not be empty' },
    })
    expect(execute).not.toHaveBeenCalled()
  })

  it('gives presenters softly validated, frozen arguments: a mismatch is undefined, never a throw', () => {
    expect(greet.presentCall?.({ name: 'a' })).toEqual({ card: 'generic', title: 'A' })
    const hostile = { get name(): string { throw new Error('x') } } // oxfmt-ignore
    for (const args of [
      undefined,
      null,
      1,
      [],
      {},
      { name: 1 },
      hostile,
      { name: 'a', f: () => 1 },
      new Map(),
    ]) {
      expect(greet.presentCall?.(args as never)).toBeUndefined()
      expect(greet.presentResult?.(args as never, { content: [], isError: false })).toBeUndefined()
      expect(greet.isConcurrencySafe?.(args as never)).toBe(false)
    }
    const given = { name: 'a' }
    let frozen = false
    defineTool({
      name: 't',
      description: 'd',
      parameters: { name: { type: 'string' } },
      output: { schema: { type: 'null' }, render: () => [] },
      execute: () => null,
      presentCall: (args) => ((frozen = Object.isFrozen(args)), undefined),
    }).presentCall?.(given)
    expect(frozen).toBe(true)
    expect(Object.isFrozen(given)).toBe(false)
  })

  it('refuses schemas outside the subset at definition', () => {
    const base = { name: 't', description: 'd', execute: () => 'x' }
    const output = { schema: { type: 'string' }, render: () => [] } as const
    expect(() =>
      defineTool({ ...base, parameters: { a: { type: 'string', pattern: 'x' } as never }, output }),
    ).toThrow(JsonSchemaError)
    const open = { type: 'object' } as unknown as ValueSpec
    expect(() => defineTool({ ...base, parameters: {}, output: { ...output, schema: open } })).toThrow(
      JsonSchemaError,
    )
  })

  it('has only the members that its author wrote', () => {
    const bare = defineTool({
      name: 't',
      description: 'd',
      parameters: {},
      output: { schema: { type: 'null' }, render: () => [] },
      execute: () => null,
    })
    expect(Object.keys(bare).toSorted()).toEqual([
      'description',
      'execute',
      'name',
      'output',
      'parameters',
      'validate',
    ])
  })
})

it('a raw definition without validate is always valid', async () => {
  const registry = createRegistry()
  registry.register(probe({ parameters: { type: 'object', required: ['x'], properties: { x: {} } } }))
  expect(await registry.execute(input())).toMatchObject({ isError: false })
})

it('report() reaches observers of the scope in order, with the call it belongs to', async () => {
  const registry = createRegistry()
  const reports: ToolReport[] = [
    { kind: 'output', data: 'x' },
    { kind: 'progress', done: 1, total: 2 },
    { kind: 'todos', todos: [] },
    { kind: 'observed', path: '/a', version: 'h', lines: [1, 2] },
    { kind: 'snapshot', path: '/a', before: null },
  ]
  registry.register(
    probe({
      execute: async (_args, exec) => {
        for (const report of reports) await exec.report(report)
        return 'done'
      },
    }),
  )
  const seen = vi.fn()
  registry.on('tools/report', (exec, report) => seen(exec.callId, report))
  await registry.execute(input())
  expect(seen.mock.calls).toEqual(reports.map((report) => ['c1', report]))
})
