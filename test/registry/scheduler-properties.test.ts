// The scheduler under random batches, classes, settle orders and cancels (a property test over 1,000 cases).
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRegistry, createScheduler, type ToolExecutionResult } from '#index.ts'
import { codeOf, input, probe } from './probe.ts'

interface Plan {
  parallel: boolean
  /** Ticks that its policy and its body take. */
  policy: number
  body: number
  outcome: 'value' | 'throw' | 'deny'
  /** Submitted only when this many ticks have passed. */
  after: number
}

const plan: fc.Arbitrary<Plan> = fc.record({
  parallel: fc.boolean(),
  policy: fc.nat(2),
  body: fc.nat(6),
  outcome: fc.oneof(
    { weight: 6, arbitrary: fc.constant('value' as const) },
    fc.constant('throw' as const),
    fc.constant('deny' as const),
  ),
  after: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.nat(6)),
})

async function ticks(count: number): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await Promise.resolve().then(() => undefined)
}

interface Trace {
  /** Call numbers in the order of policy, commits, results. */
  policy: number[]
  commits: number[]
  results: (ToolExecutionResult | undefined)[]
  /** Calls whose bodies were running when one more started. */
  overlaps: { started: number; beside: number[] }[]
}

async function play(plans: readonly Plan[], cancelAfter: number | undefined, stuck: boolean): Promise<Trace> {
  const trace: Trace = { policy: [], commits: [], results: [], overlaps: [] }
  const running = new Set<number>()
  const abort = new AbortController()
  const registry = createRegistry()
  const of = (args: unknown) => (args as { n: number }).n
  registry.register(
    probe({
      isConcurrencySafe: (args) => plans[of(args)]!.parallel,
      execute: async (args) => {
        const n = of(args)
        trace.overlaps.push({ started: n, beside: [...running] })
        running.add(n)
        await ticks(plans[n]!.body)
        if (stuck && n % 3 === 0) await new Promise((resolve) => setTimeout(resolve, 30))
        running.delete(n)
        if (plans[n]!.outcome === 'throw') throw new Error('own')
        return 'done'
      },
    }),
  )
  registry.on('tools/pre-execute', async (exec, next) => {
    const n = of(exec.arguments)
    trace.policy.push(n)
    await ticks(plans[n]!.policy)
    return plans[n]!.outcome === 'deny' ? { kind: 'deny', reason: 'no' } : next()
  })
  const scheduler = createScheduler(registry, {
    ...(stuck && { abandonAfterMs: 1 }),
    commit: (given) => void trace.commits.push(of(given.arguments)),
  })
  const submitted: Promise<ToolExecutionResult>[] = []
  if (cancelAfter !== undefined) void ticks(cancelAfter).then(() => abort.abort())
  for (const [n, { after }] of plans.entries()) {
    await ticks(after)
    submitted.push(scheduler.submit(input({ callId: `c${n}`, arguments: { n }, signal: abort.signal })))
  }
  trace.results = await Promise.all(submitted)
  return trace
}

const ascending = (list: readonly number[]): boolean =>
  list.every((n, index) => index === 0 || n > (list[index - 1] ?? -1))

function check(plans: readonly Plan[], trace: Trace, cancelled: boolean): void {
  expect(ascending(trace.policy)).toBe(true)
  expect(trace.commits).toEqual(plans.map((_plan, n) => n))
  for (const { started, beside } of trace.overlaps) {
    expect(beside.length).toBeLessThan(10)
    if (beside.length > 0) expect([started, ...beside].every((n) => plans[n]!.parallel)).toBe(true)
  }
  for (const [n, result] of trace.results.entries()) {
    if (result === undefined) throw new Error('a call without a result')
    const ran = trace.overlaps.some(({ started }) => started === n)
    const { outcome } = plans[n]!
    if (!cancelled) {
      expect(result.isError).toBe(outcome !== 'value')
      expect(ran).toBe(outcome !== 'deny')
    } else if (!result.isError) expect(ran && outcome === 'value').toBe(true)
    else if (codeOf(result) === 'ABORTED') expect(ran).toBe(true)
    else if (codeOf(result) === 'ABORTED_BEFORE_DISPATCH') expect(ran).toBe(false)
    else expect(outcome).not.toBe('value')
  }
}

it('policy and commits in order, exclusive calls alone, at most 10 bodies', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { maxLength: 24 }), async (plans) =>
      check(plans, await play(plans, undefined, false), false),
    ),
    { numRuns: 1000 },
  )
})

it('the pool is used: parallel calls do overlap, up to 10', async () => {
  const plans = Array.from({ length: 30 }, (): Plan => ({
    parallel: true,
    policy: 0,
    body: 400,
    outcome: 'value',
    after: 0,
  }))
  const { overlaps } = await play(plans, undefined, false)
  expect(Math.max(...overlaps.map(({ beside }) => beside.length))).toBe(9)
})

it('a cancel at any moment leaves a result for each', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 24 }),
      fc.nat(120),
      async (plans, cancelAfter) => check(plans, await play(plans, cancelAfter, false), true),
    ),
    { numRuns: 1000 },
  )
})

it('bodies that ignore a cancel are given up; the order holds', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(plan, { minLength: 1, maxLength: 8 }),
      fc.nat(40),
      async (plans, cancelAfter) => {
        const trace = await play(plans, cancelAfter, true)
        expect(ascending(trace.policy)).toBe(true)
        expect(trace.commits).toEqual(plans.map((_plan, n) => n))
        expect(trace.results.every((result) => result !== undefined)).toBe(true)
      },
    ),
    { numRuns: 300 },
  )
})
