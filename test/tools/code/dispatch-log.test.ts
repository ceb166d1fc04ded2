import { describe, expect, it } from 'vitest'
import type { CodeDispatchLog, ToolReport } from '#registry/types.ts'
import { openDeck, tool } from './harness.ts'

const stored = (reports: readonly ToolReport[]) => reports.filter((report) => report.kind === 'nested_result')

describe('what is stored of a nested result', () => {
  it('is its content and the data for its card, which the program never sees', async () => {
    const peek = tool({ name: 'peek', execute: () => ({ secret: 1 }) })
    peek.output = { ...peek.output, presentationMeta: (args, value) => ({ args, value }) }
    const deck = openDeck({ tools: [peek] })
    const metas: unknown[] = []
    deck.scope.on(
      'tools/result',
      (exec, result) => void (exec.parent !== undefined && metas.push(result.meta)),
    )
    const { value } = await deck.run('return await tools.peek({ a: 1 })')
    expect(value?.result).toEqual({ secret: 1 })
    expect(metas).toEqual([undefined])
    expect(deck.reports.map(({ kind }) => kind)).toEqual(['nested_call', 'nested_result'])
    expect(stored(deck.reports)).toEqual([
      {
        kind: 'nested_result',
        callId: 'run1:code:1',
        isError: false,
        content: [{ type: 'text', text: '{"secret":1}' }],
        meta: { args: { a: 1 }, value: { secret: 1 } },
      },
    ])
  })

  it('may be reshaped by listeners; program and model are unaffected', async () => {
    const deck = openDeck({ tools: [tool({ name: 'peek', execute: () => 'secret' })] })
    const seen: CodeDispatchLog[] = []
    deck.scope.on('tools/code-dispatch-log', async (dispatch, next) => {
      seen.push(dispatch)
      const content = await next()
      return content.map((block) =>
        block.type === 'text' ? { ...block, text: block.text.replace('secret', '***') } : block,
      )
    })
    const { text } = await deck.run('return await tools.peek({})')
    expect(text).toBe('secret')
    expect(stored(deck.reports)).toMatchObject([{ content: [{ type: 'text', text: '"***"' }] }])
    expect(seen).toMatchObject([
      { subCallId: 'run1:code:1', name: 'peek', isError: false, exec: { callId: 'run1', name: 'run_code' } },
    ])
    expect(seen[0]?.scope).toBe(deck.scope)
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('listener')
      },
    ],
    ['rejects', () => Promise.reject(new Error('listener'))],
    ['answers with no content', () => 'nonsense' as never],
  ])('is what it was when a listener %s', async (_how, listener) => {
    const logged: string[] = []
    const deck = openDeck({
      tools: [tool({ name: 'peek', execute: () => 1 })],
      log: (_level, message) => void logged.push(message),
    })
    deck.scope.on('tools/code-dispatch-log', listener)
    expect((await deck.run('return await tools.peek({})')).value?.result).toBe(1)
    expect(stored(deck.reports)).toMatchObject([{ content: [{ text: '1' }] }])
    expect(logged).toEqual([expect.stringContaining('tools/code-dispatch-log')])
  })

  it('is the failure of a call that failed, and the generic card when its projection throws', async () => {
    const broken = tool({ name: 'broken' })
    broken.output = {
      ...broken.output,
      presentationMeta: () => {
        throw new Error('no meta')
      },
    }
    const fails = tool({
      name: 'fails',
      execute: () => {
        throw new Error('boom')
      },
    })
    const deck = openDeck({ tools: [broken, fails] })
    await deck.run('await tools.broken({}); await tools.fails({}).catch(() => {})')
    const [first, second] = stored(deck.reports)
    expect(first).not.toHaveProperty('meta')
    expect(second).toMatchObject({
      isError: true,
      error: { message: 'boom' },
      content: [{ text: 'Error: boom' }],
    })
  })

  it('is nothing for calls that were abandoned before they were prepared', async () => {
    const wait = tool({
      name: 'wait',
      execute: (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(null))),
    })
    const deck = openDeck({ tools: [wait] })
    const { value } = await deck.run('for (let n = 0; n < 5; n += 1) void tools.wait({ n })\nreturn "over"')
    expect(value?.result).toBe('over')
    const calls = deck.reports.flatMap((report) => (report.kind === 'nested_call' ? [report.callId] : []))
    expect(calls).toEqual(['run1:code:1'])
    expect(stored(deck.reports).map(({ callId }) => callId)).toEqual(calls)
  })
})
