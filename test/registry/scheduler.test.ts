// agent.md §3: batches, classes, barriers, the pool, cancelling and giving up.
import { describe, expect, it, vi } from 'vitest'
import {
  createRegistry,
  createScheduler,
  type SchedulerOptions,
  type ToolDefinition,
  type ToolExecutionInput,
} from '#index.ts'
import { codeOf, gate, input, message, probe } from './probe.ts'

const tick = () => new Promise((resolve) => setImmediate(resolve))

/** Calls whose bodies run until their gate is opened; `p…` are parallel, `x…` exclusive. */
function setUp(options: SchedulerOptions = {}, tool: Partial<ToolDefinition> = {}) {
  const log: string[] = []
  const gates = new Map<string, ReturnType<typeof gate<string>>>()
  const gateOf = (id: string) => gates.get(id) ?? gates.set(id, gate<string>()).get(id)!
  const registry = createRegistry()
  registry.register(
    probe({
      isConcurrencySafe: (args) => (args as { id: string }).id.startsWith('p'),
      execute: (_args, exec) => (log.push(`body ${exec.callId}`), gateOf(exec.callId).promise),
      ...tool,
    }),
  )
  registry.on('tools/pre-execute', (exec, next) => (log.push(`policy ${exec.callId}`), next()))
  const scheduler = createScheduler(registry, {
    commit: (given) => void log.push(`commit ${given.callId}`),
    ...options,
  })
  const submit = (id: string, over: Partial<ToolExecutionInput> = {}) =>
    scheduler.submit(input({ callId: id, arguments: { id }, ...over }))
  return { registry, scheduler, submit, log, open: (id: string) => gateOf(id).resolve('done') }
}

describe('the pool', () => {
  it('only bodies overlap; commits are in the model’s order', async () => {
    const { submit, log, open } = setUp()
    const all = ['p1', 'p2', 'p3'].map((id) => submit(id))
    await tick()
    expect(log).toEqual(['policy p1', 'body p1', 'policy p2', 'body p2', 'policy p3', 'body p3'])
    open('p3')
    open('p2')
    await tick()
    expect(log).toHaveLength(6)
    open('p1')
    await Promise.all(all)
    expect(log.slice(6)).toEqual(['commit p1', 'commit p2', 'commit p3'])
  })

  it('rolls: at most 10 bodies, the next as soon as one ends', async () => {
    const { submit, log, open } = setUp()
    const ids = Array.from({ length: 12 }, (_, index) => `p${index}`)
    const all = ids.map((id) => submit(id))
    await tick()
    const bodies = () => log.filter((line) => line.startsWith('body')).length
    expect(bodies()).toBe(10)
    open('p5')
    await tick()
    expect(bodies()).toBe(11)
    expect(log).not.toContain('policy p11')
    ids.forEach(open)
    expect((await Promise.all(all)).every((result) => !result.isError)).toBe(true)
  })

  it('has the size it is told', async () => {
    const { submit, log, open } = setUp({ parallel: 2 })
    const all = ['p1', 'p2', 'p3'].map((id) => submit(id))
    await tick()
    expect(log).not.toContain('body p3')
    for (const id of ['p1', 'p2', 'p3']) open(id)
    await Promise.all(all)
  })
})

describe('barriers', () => {
  it('an exclusive call is prepared after all earlier ones are committed, and runs alone', async () => {
    const { submit, log, open } = setUp()
    const all = ['p1', 'x1', 'p2'].map((id) => submit(id))
    await tick()
    expect(log).toEqual(['policy p1', 'body p1'])
    open('p1')
    await tick()
    expect(log.slice(2)).toEqual(['commit p1', 'policy x1', 'body x1'])
    open('x1')
    await tick()
    expect(log.slice(5)).toEqual(['commit x1', 'policy p2', 'body p2'])
    open('p2')
    await Promise.all(all)
  })

  it('the class is asked again just before each start', async () => {
    let safe = true
    const { submit, log, open } = setUp({}, { isConcurrencySafe: () => safe })
    const all = ['p1', 'p2'].map((id) => submit(id))
    safe = false
    await tick()
    expect(log).not.toContain('body p2')
    open('p1')
    open('p2')
    await Promise.all(all)
    expect(log).toEqual(['policy p1', 'body p1', 'commit p1', 'policy p2', 'body p2', 'commit p2'])
  })

  it('a call that turns exclusive while its policy is pending waits for the others', async () => {
    let safe = true
    const { registry, submit, log, open } = setUp({}, { isConcurrencySafe: () => safe })
    registry.on('tools/pre-execute', (exec, next) => {
      if (exec.callId === 'p2') safe = false
      return next()
    })
    const all = ['p1', 'p2'].map((id) => submit(id))
    await tick()
    expect(log).not.toContain('body p2')
    open('p1')
    await tick()
    expect(log.slice(-2)).toEqual(['commit p1', 'body p2'])
    open('p2')
    await Promise.all(all)
  })

  it('a denied call needs no body and keeps its place', async () => {
    const { registry, submit, log, open } = setUp()
    registry.guard((exec) => (exec.callId === 'p2' ? 'no' : undefined))
    const all = ['p1', 'p2', 'p3'].map((id) => submit(id))
    await tick()
    open('p3')
    open('p1')
    expect((await Promise.all(all)).map((result) => result.isError)).toEqual([false, true, false])
    expect(log.filter((line) => line.startsWith('commit'))).toEqual(['commit p1', 'commit p2', 'commit p3'])
  })
})

describe('cancel', () => {
  it('stops starting, drains, commits those, prepares the rest under the aborted signal: a result for each', async () => {
    const { submit, log, open } = setUp()
    const abort = new AbortController()
    const all = ['p1', 'p2', 'x1', 'p3'].map((id) => submit(id, { signal: abort.signal }))
    await tick()
    abort.abort()
    const late = submit('p4', { signal: abort.signal })
    open('p1')
    open('p2')
    const codes = (await Promise.all([...all, late])).map(codeOf)
    const before = 'ABORTED_BEFORE_DISPATCH'
    expect(codes).toEqual(['ABORTED', 'ABORTED', before, before, before])
    expect(log.slice(4)).toEqual(['commit p1', 'commit p2', 'commit x1', 'commit p3', 'commit p4'])
  })

  it('does not prepare the rest before what started is committed, parallel ones included', async () => {
    const { registry, submit, open } = setUp()
    const order: string[] = []
    registry.on('tools/call', (exec) => void order.push(`call ${exec.callId}`))
    registry.on('tools/result', (exec) => void order.push(`result ${exec.callId}`))
    const abort = new AbortController()
    const all = [submit('p1', { signal: abort.signal })]
    await tick()
    abort.abort()
    // There is room in the pool for both of these.
    all.push(submit('p2', { signal: abort.signal }), submit('p3', { signal: abort.signal }))
    await tick()
    open('p1')
    await Promise.all(all)
    expect(order).toEqual(['call p1', 'result p1', 'call p2', 'result p2', 'call p3', 'result p3'])
  })

  it('gives up a body that has not settled in time: ABORTED, what it still reports is dropped, it is never settled', async () => {
    const hold = gate()
    const ended = gate()
    const { registry, submit, log } = setUp(
      { abandonAfterMs: 10 },
      {
        execute: async (_args, exec) => {
          exec.deferContext(message('early'))
          await exec.report({ kind: 'output', data: 'early' })
          await hold.promise
          await exec.report({ kind: 'output', data: 'late' })
          ended.resolve()
          return 'done'
        },
      },
    )
    const [reports, results] = [vi.fn(), vi.fn()]
    registry.on('tools/report', (_exec, report) => reports(report))
    registry.on('tools/result', results)
    const abort = new AbortController()
    const stuck = submit('x1', { signal: abort.signal })
    const next = submit('x2', { signal: abort.signal })
    await tick()
    abort.abort()
    const result = await stuck
    expect(codeOf(result)).toBe('ABORTED')
    expect(result.additionalContexts).toEqual([message('early')])
    expect(Object.isFrozen(result)).toBe(true)
    expect(codeOf(await next)).toBe('ABORTED_BEFORE_DISPATCH')
    hold.resolve()
    await ended.promise
    await tick()
    expect(reports.mock.calls).toEqual([[{ kind: 'output', data: 'early' }]])
    expect(results).toHaveBeenCalledTimes(1)
    expect(log.filter((line) => line.startsWith('commit'))).toEqual(['commit x1', 'commit x2'])
  })

  it('a body that settles in time is not given up', async () => {
    const { submit, open } = setUp({ abandonAfterMs: 10_000 })
    const abort = new AbortController()
    const running = submit('x1', { signal: abort.signal })
    await tick()
    abort.abort()
    open('x1')
    expect(codeOf(await running)).toBe('ABORTED')
  })
})

describe('commit', () => {
  it('is awaited, one at a time; a throw rejects that call only', async () => {
    const commit = vi.fn(async (given: ToolExecutionInput) => {
      await tick()
      if (given.callId === 'p1') throw new Error('disk full')
    })
    const { submit, open } = setUp({ commit })
    const all = ['p1', 'p2'].map((id) => submit(id))
    open('p1')
    open('p2')
    const outcomes = await Promise.allSettled(all)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  })

  it('a malformed input rejects and holds up nobody', async () => {
    const { scheduler, submit, open } = setUp()
    const bad = [scheduler.submit(null as never), scheduler.submit({} as never)]
    const good = submit('p1')
    open('p1')
    expect((await Promise.allSettled([...bad, good])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
      'fulfilled',
    ])
  })
})
