import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { ToolExecutionResult } from '#registry/types.ts'
import { type Deck, openDeck, tool } from './harness.ts'

/** Tools that say how many of them run at a time. */
function gauge() {
  let [now, most, exclusiveBeside] = [0, 0, 0]
  const order: string[] = []
  const execute = (exclusive: boolean) => async (args: unknown) => {
    const { n } = args as { n: number }
    now += 1
    most = Math.max(most, now)
    if (exclusive && now > 1) exclusiveBeside += 1
    order.push(`+${n}`)
    await sleep(5)
    order.push(`-${n}`)
    now -= 1
    return n
  }
  return {
    tools: [
      tool({ name: 'safe', safe: true, execute: execute(false) }),
      tool({ name: 'alone', execute: execute(true) }),
    ],
    order,
    most: () => most,
    exclusiveBeside: () => exclusiveBeside,
  }
}

describe('scheduling', () => {
  it('never overlaps exclusive calls, and keeps their order', async () => {
    const { tools, order, most } = gauge()
    await openDeck({ tools }).run('await Promise.all([1, 2, 3, 4, 5].map((n) => tools.alone({ n })))')
    expect(order).toEqual([1, 2, 3, 4, 5].flatMap((n) => [`+${n}`, `-${n}`]))
    expect(most()).toBe(1)
  })

  it('overlaps safe calls, ten at most', async () => {
    const { tools, most } = gauge()
    const { value } = await openDeck({ tools }).run(
      'return await Promise.all(Array.from({ length: 40 }, (_, n) => tools.safe({ n })))',
    )
    expect(most()).toBe(10)
    expect(value?.result).toEqual(Array.from({ length: 40 }, (_, n) => n))
  })

  it('runs an exclusive call alone between safe ones, and decides policy in the order of submission', async () => {
    const { tools, order, exclusiveBeside } = gauge()
    const deck = openDeck({ tools })
    const decided: unknown[] = []
    const committed: unknown[] = []
    deck.scope.on('tools/pre-execute', async (exec, next) => {
      if (exec.parent !== undefined) decided.push((exec.arguments as { n: number }).n)
      await sleep(1)
      return next()
    })
    deck.scope.on(
      'tools/result',
      (exec) => void (exec.parent !== undefined && committed.push(exec.callId.split(':').at(-1))),
    )
    await deck.run(
      'await Promise.all([tools.safe({ n: 1 }), tools.safe({ n: 2 }), tools.alone({ n: 3 }), tools.safe({ n: 4 })])',
    )
    expect(exclusiveBeside()).toBe(0)
    expect(order.indexOf('+3')).toBeGreaterThan(Math.max(order.indexOf('-1'), order.indexOf('-2')))
    expect(order.indexOf('+4')).toBeGreaterThan(order.indexOf('-3'))
    expect(decided).toEqual([1, 2, 3, 4])
    expect(committed).toEqual(['1', '2', '3', '4'])
  })

  it('lets the program go on after a denial', async () => {
    const deck = openDeck({ tools: gauge().tools })
    deck.scope.on('tools/pre-execute', (exec, next) =>
      (exec.arguments as { n?: number }).n === 2 ? { kind: 'deny', reason: 'not that one' } : next(),
    )
    const { value } = await deck.run(`
      const all = await Promise.allSettled([1, 2, 3].map((n) => tools.alone({ n })))
      return all.map((one) => one.value ?? one.reason.message)`)
    expect(value?.result).toEqual([1, 'not that one', 3])
  })

  it('asks guards of nested calls too', async () => {
    const deck = openDeck({ tools: gauge().tools })
    deck.scope.guard(({ name }) => (name === 'alone' ? 'guarded' : undefined))
    const { value } = await deck.run(
      'try { await tools.alone({ n: 1 }) } catch (error) { return error.message }',
    )
    expect(value?.result).toBe('guarded')
  })
})

describe('the end of a run', () => {
  const nestedResults = (deck: Deck): [string, ToolExecutionResult][] => {
    const seen: [string, ToolExecutionResult][] = []
    deck.scope.on(
      'tools/result',
      (exec, result) => void (exec.parent !== undefined && seen.push([exec.callId, result])),
    )
    return seen
  }

  /** A body that stops some time after it is told to. */
  const stubborn = (log: string[]) =>
    tool({
      name: 'stubborn',
      safe: true,
      execute: (_args, { signal }) =>
        new Promise((resolve) => {
          log.push('running')
          signal.addEventListener('abort', () => void setTimeout(() => resolve(log.push('stopped')), 100))
        }),
    })

  it('waits for calls that nobody awaits, aborted', async () => {
    const log: string[] = []
    const deck = openDeck({ tools: [stubborn(log)] })
    const results = nestedResults(deck)
    const { value } = await deck.run(
      'void tools.stubborn({}); void tools.stubborn({}); await null; return "over"',
    )
    expect(value?.result).toBe('over')
    expect(log.filter((what) => what === 'stopped')).toHaveLength(
      log.filter((what) => what === 'running').length,
    )
    expect(results.map(([id, result]) => [id, result.isError && result.error.info?.code])).toEqual([
      ['run1:code:1', expect.stringMatching(/^ABORTED/)],
      ['run1:code:2', expect.stringMatching(/^ABORTED/)],
    ])
  })

  it.each([
    'while policy decides',
    'while a person is asked',
    'while a body runs',
    'while the program computes',
    'while a call is queued',
  ])('drains after an abort %s', async (phase) => {
    const controller = new AbortController()
    const log: string[] = []
    const deck = openDeck({
      tools: [stubborn(log), tool({ name: 'quick' })],
      approval: {
        request: ({ signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve('cancelled'))
            controller.abort()
          }),
      },
    })
    let preparing = 0
    deck.scope.on('tools/pre-execute', async (exec, next) => {
      if (exec.parent === undefined) return next()
      preparing += 1
      if (phase === 'while policy decides') {
        controller.abort()
        await sleep(50)
      }
      const decision = await next()
      preparing -= 1
      return phase === 'while a person is asked' ? { kind: 'ask' } : decision
    })
    const late = phase === 'while a body runs' || phase === 'while a call is queued'
    deck.scope.on('tools/started', (exec) => {
      if (exec.parent !== undefined && late) setTimeout(() => controller.abort(), 30)
    })
    if (phase === 'while the program computes') setTimeout(() => controller.abort(), 300)
    const code =
      phase === 'while the program computes'
        ? 'for (;;);'
        : 'await Promise.all([tools.stubborn({}), tools.quick({}), tools.stubborn({})])'
    const results = nestedResults(deck)
    const { text } = await deck.run(code, controller.signal)
    expect(text).toMatch(/^Error: abort: the run was cancelled/)
    expect(preparing).toBe(0)
    expect(log.filter((what) => what === 'stopped')).toHaveLength(
      log.filter((what) => what === 'running').length,
    )
    const before = results.length
    await sleep(50)
    expect(results).toHaveLength(before)
    expect((await deck.run('return 1')).value?.result).toBe(1)
  })
})
