import { describe, expect, it } from 'vitest'
import type { ToolExecution } from '#registry/types.ts'
import type { PresentedResult } from '#registry/definition.ts'
import { ToolError } from '#registry/errors.ts'
import { checkTool } from '#testing.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import { openDeck, tool } from './harness.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('a program', () => {
  it('prints and returns: logs first, strings raw, other values pretty', async () => {
    const deck = openDeck()
    const { value, text } = await deck.run('console.log("a", { b: [1] }); console.error(2); return { c: 3 }')
    expect(value).toEqual({ logs: ['a {"b":[1]}', '2'], result: { c: 3 } })
    expect(text).toBe('a {"b":[1]}\n2\n{\n  "c": 3\n}')
    expect((await deck.run('return "x\\ny"')).text).toBe('x\ny')
    expect((await deck.run('return null')).text).toBe('null')
    const silent = await deck.run('const a: number = 1; void a')
    expect(silent.value).toEqual({ logs: [] })
    expect(silent.text).toBe('(run_code completed with no output)')
  })

  it('is TypeScript, with top-level await and return', async () => {
    const { value } = await openDeck({ tools: [tool({ name: 'echo' })] }).run(`
      interface Point { x: number; y?: string }
      type Pair<T> = [T, T]
      const point = (await tools.echo({ x: 1 })) as Point
      const pair: Pair<number> = [point.x, 2] satisfies number[]
      return pair`)
    expect(value?.result).toEqual([1, 2])
  })

  it('calls tools by exotic names too, and sees what there is', async () => {
    const tools = [tool({ name: 'a-b.c', execute: () => 'exotic' }), tool({ name: 'zed' })]
    const { value } = await openDeck({ tools }).run(
      'return [await tools["a-b.c"](), Object.keys(tools), "zed" in tools]',
    )
    expect(value?.result).toEqual(['exotic', ['a-b.c', 'zed'], true])
  })

  it('gives tools a lossless copy, and gets one back', async () => {
    const seen: unknown[] = []
    const execute = (args: unknown): string => {
      seen.push(args)
      return 'ok'
    }
    const odd =
      '{ ["__proto__"]: 1, constructor: "c", text: "\\ud800\\u2028", n: -1.5e-7, deep: [[[{}]]], no: undefined }'
    await openDeck({ tools: [tool({ name: 'take', execute })] }).run(`await tools.take(${odd})`)
    const expected = JSON.parse(
      '{"__proto__":1,"constructor":"c","text":"\\ud800\\u2028","n":-1.5e-7,"deep":[[[{}]]]}',
    )
    expect(seen).toEqual([expected])
    expect(Object.keys(seen[0] as object)).toContain('__proto__')
  })
})

describe('a failure', () => {
  it('begins with its kind, and names message, line and logs', async () => {
    const { result, text } = await openDeck().run('console.log("before")\n\nthrow new TypeError("boom")')
    expect(text).toBe(
      'Error: exception: TypeError: boom\nat line 3: throw new TypeError("boom")\nIt had printed:\nbefore',
    )
    expect(result).toMatchObject({ isError: true, error: { info: { code: 'CODE_RUN_FAILED' } } })
  })

  it.each([
    ['a syntax error', 'const a = 1\nconst = 2', /^Error: exception: SyntaxError: .*\nat line 2: const = 2$/],
    ['what only a compiler could run', 'enum A { B }', /^Error: exception: SyntaxError: .*enum.*\nat line 1/],
    ['text', 'throw "just text"', /^Error: exception: just text$/],
    ['an object', 'throw { code: 7 }', /^Error: exception: \{"code":7\}$/],
    ['nothing', 'throw undefined', /^Error: exception: undefined$/],
    [
      'a hostile error',
      'throw { get message() { throw 1 } }',
      /^Error: exception: an error that could not be printed$/,
    ],
    [
      'a deeper line',
      'function f() {\n  null.x\n}\n\nf()',
      /^Error: exception: TypeError: .*\nat line 2: null\.x$/,
    ],
    [
      'a result that is none',
      'return { a: [() => 1] }',
      /^Error: invalid-output: .*"a\[0\]" must be a lossless JSON value/,
    ],
  ])('%s', async (_name, code, expected) => {
    expect((await openDeck().run(code)).text).toMatch(expected)
  })

  it('of a call rejects with ToolCallError, at the line of the call', async () => {
    const execute = (): never => {
      throw new ToolError('NO_SUCH_THING', 'there is no such thing')
    }
    const deck = openDeck({ tools: [tool({ name: 'fail', execute })] })
    const caught = await deck.run(`
      try { await tools.fail({}) } catch (error) {
        return [error instanceof ToolCallError, error instanceof Error, error.name, error.toolName, error.message]
      }`)
    expect(caught.value?.result).toEqual([true, true, 'ToolCallError', 'fail', 'there is no such thing'])
    const uncaught = await deck.run('const x = 1\nawait tools.fail({})\nreturn x')
    expect(uncaught.text).toBe(
      'Error: exception: ToolCallError: there is no such thing\nat line 2: await tools.fail({})',
    )
  })

  it.each([
    '{ a: Symbol() }',
    '{ a: new Date() }',
    '[1, , 2]',
    'NaN',
    '{ get a() { throw new Error("ha") } }',
    'new Map()',
    '-0',
  ])('is arguments that lose something: %s never reach the pipeline', async (args) => {
    const deck = openDeck({ tools: [tool({ name: 'take' })] })
    const calls: string[] = []
    deck.scope.on('tools/call', ({ name }) => void calls.push(name))
    const { value } = await deck.run(
      `try { await tools.take(${args}) } catch (error) { return [error.name, error.message] }`,
    )
    expect(value?.result).toEqual(['ToolCallError', expect.stringContaining('invalid arguments: ')])
    expect(calls).toEqual(['run_code'])
  })
})

describe('nested calls', () => {
  it('carry ids by submission, the root, and the outer token as parent', async () => {
    const seen: ToolExecution[] = []
    const deck = openDeck({ tools: [tool({ name: 'a', safe: true }), tool({ name: 'b' })] })
    deck.scope.on('tools/pre-execute', (exec, next) => {
      seen.push(exec)
      return next()
    })
    await deck.run('await Promise.all([tools.b({ n: 1 }), tools.a({ n: 2 }), tools.b({ n: 3 })])')
    const [outer, ...nested] = seen
    expect(nested.map(({ callId, rootCallId, name }) => [callId, rootCallId, name])).toEqual([
      ['run1:code:1', 'run1', 'b'],
      ['run1:code:2', 'run1', 'a'],
      ['run1:code:3', 'run1', 'b'],
    ])
    expect(nested.every(({ parent, scope }) => parent === outer?.token && scope === deck.scope)).toBe(true)
  })

  it('can’t call run_code, nor what is out of view', async () => {
    const deck = openDeck({ tools: [tool({ name: 'a' })] })
    deck.registry.register(tool({ name: 'hidden' }))
    deck.scope.restrict({ deny: ['hidden'] })
    const { value } = await deck.run(`
      const said = []
      for (const name of ['run_code', 'hidden', 'never', 'toString']) await tools[name]({ code: '', description: '' }).catch((e) => said.push(e.message))
      return said`)
    expect(value?.result).toEqual([
      'unknown tool "run_code"',
      'unknown tool "hidden"',
      'unknown tool "never"',
      'unknown tool "toString"',
    ])
  })

  it('leave no meta to the program, and forward contexts, images and the end of the turn', async () => {
    const message = {
      id: 'm',
      content: [{ type: 'text' as const, text: 'note' }],
      source: { kind: 'tool' as const },
    }
    const pixel = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' }
    const draw = tool({ name: 'draw' })
    draw.output = { ...draw.output, render: () => [pixel] }
    const end = tool({
      name: 'end',
      execute: (_args, exec) => {
        exec.deferContext(message)
        exec.concludeTurn()
        return 1
      },
    })
    const deck = openDeck({ tools: [draw, end] })
    const { result } = await deck.run('await tools.draw({}); return await tools.end({})')
    expect(result).toMatchObject({ isError: false, concludesTurn: true })
    expect(result.additionalContexts?.map(({ content }) => content)).toEqual([
      [{ type: 'text', text: 'Images from tools.draw inside run_code:' }, pixel],
      message.content,
    ])
    const failed = await deck.run('await tools.end({}); throw new Error("late")')
    expect(failed.result).not.toHaveProperty('concludesTurn')
    expect(failed.result.additionalContexts).toHaveLength(1)
  })
})

describe('presentation', () => {
  it('decides what the model is sent and may call', async () => {
    const deck = openDeck({ tools: [tool({ name: 'a' })], mode: 'native' })
    const signal = new AbortController().signal
    const call = async (name: string) =>
      deck.registry.execute({ callId: 'c', name, arguments: {}, scope: deck.scope, signal })
    const sent = (): string[] => deck.registry.presentedSchemas(deck.scope).map(({ name }) => name)
    expect(sent()).toEqual(['a'])
    expect(await call('run_code')).toMatchObject({ error: { info: { code: 'UNKNOWN_TOOL' } } })
    const undo = deck.scope.presentAs('both')
    expect(sent()).toEqual(['a', 'run_code'])
    expect(await call('a')).toMatchObject({ isError: false })
    undo()
    deck.scope.presentAs('code')
    expect(sent()).toEqual(['run_code'])
    expect(await call('a')).toMatchObject({
      error: { message: expect.stringContaining('inside run_code'), info: { code: 'UNKNOWN_TOOL' } },
    })
  })

  it('of the outer card is the program and what it printed, or its failure', async () => {
    const deck = openDeck()
    const { presentCall, presentResult } = deck.registry.get('run_code', deck.scope) ?? {}
    const args = { code: 'console.log("```")\nreturn 1', description: 'Count *all*\nof them' }
    expect(presentCall?.(args)).toMatchObject({
      card: 'generic',
      title: 'Count *all* of them',
      content: [{ text: '````ts\nconsole.log("```")\nreturn 1\n````' }],
    })
    const { result } = await deck.run(args.code)
    const { content, isError, meta } = result
    const view = presentResult?.(args, { content, isError, ...(meta !== undefined && { meta }) })
    expect(view).toMatchObject({
      content: [{}, { text: '````console\n```\n````' }, { text: '```json\n1\n```' }],
    })
    const failed = (await deck.run('throw new Error("no")')).result
    expect(failed).toMatchObject({ meta: { failure: expect.stringMatching(/^exception: Error: no/) } })
  })
})

describe('the definition', () => {
  it('is what the house asks of a tool', () => {
    const args = { code: 'return `x`', description: 'A *test*' }
    const results: PresentedResult[] = [
      { content: [], isError: false, meta: { logs: ['a'], result: { b: 1 }, withoutCard: 2 } },
      { content: [], isError: true, meta: { logs: [], failure: 'timeout: late' } },
      { content: [], isError: false, meta: { logs: 'no' } },
    ]
    const value = { logs: ['x'], result: 'y' }
    // Its own name is reserved for the one door that a registry has for it.
    const program = { ...createCodeMode().transport, name: 'program' }
    expect(checkTool(program, [{ args, value, results }])).toEqual([])
  })
})
