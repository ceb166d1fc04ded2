import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import type { ApprovalOutcome } from '#registry/types.ts'
import { RUN_LIMITS } from '#tools/code/limits.ts'
import { startWallClock } from '#tools/code/wall-clock.ts'
import { createSandbox } from '#tools/code/worker-sandbox.ts'
import { openDeck, tool } from './harness.ts'

describe('the limits of a run', () => {
  it('are 64 MiB, 60 s busy, 10 min in all, 1 MiB of output, 1,000 calls', () => {
    expect(RUN_LIMITS).toEqual({
      memoryBytes: 67_108_864,
      busyMs: 60_000,
      wallMs: 600_000,
      outputBytes: 1_048_576,
      calls: 1000,
    })
  })

  it('count busy time over all waits', async () => {
    const deck = openDeck({ tools: [tool({ name: 'echo' })], limits: { busyMs: 300 } })
    const work = 'const end = Date.now() + 100; while (Date.now() < end);'
    const { text } = await deck.run(`for (let n = 0; n < 20; n += 1) { await tools.echo({}); ${work} }`)
    expect(text).toMatch(/^Error: timeout: the program computed for more than 300 ms/)
  })

  it('don’t count waits for calls as busy', async () => {
    const slow = tool({ name: 'slow', execute: async () => sleep(400, 'done') })
    const { value } = await openDeck({ tools: [slow], limits: { busyMs: 200 } }).run(
      'return await tools.slow({})',
    )
    expect(value?.result).toBe('done')
  })

  it('end a run that takes too long, whatever it waits for', async () => {
    const stopped: boolean[] = []
    const wait = tool({
      name: 'wait',
      execute: (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve(stopped.push(true)))),
    })
    const deck = openDeck({ tools: [wait], limits: { wallMs: 200 } })
    const { text } = await deck.run('console.log("begun"); await tools.wait({})')
    expect(text).toBe('Error: timeout: the run took longer than 200 ms\nIt had printed:\nbegun')
    expect(stopped).toEqual([true])
  })

  it('stand still while a person is asked', async () => {
    const answer = async (): Promise<ApprovalOutcome> => sleep(3000, 'allowed-once' as const)
    const deck = openDeck({
      tools: [tool({ name: 'ask', execute: () => 'yes' })],
      limits: { wallMs: 2000 },
      approval: { request: answer },
    })
    deck.scope.on('tools/pre-execute', (exec, next) => (exec.name === 'ask' ? { kind: 'ask' } : next()))
    expect((await deck.run('return await tools.ask({})')).value?.result).toBe('yes')
  })

  it('refuse one call too many, and let the program go on', async () => {
    const deck = openDeck({ tools: [tool({ name: 'echo', safe: true })], limits: { calls: 20 } })
    const { value } = await deck.run(`
      const all = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => tools.echo({ n })))
      return [all.filter((one) => one.status === 'fulfilled').length, all[20].reason.message]`)
    expect(value?.result).toEqual([20, 'this run has made 20 calls, and more are not allowed'])
  })

  it('allow 1,000 calls', async () => {
    const deck = openDeck({ tools: [tool({ name: 'echo', safe: true })] })
    const { value } = await deck.run(`
      const all = await Promise.all(Array.from({ length: 1000 }, (_, n) => tools.echo({ n })))
      return all.reduce((sum, { n }) => sum + n, 0)`)
    expect(value?.result).toBe(499_500)
  })

  it('hold for output: what was printed comes with the failure, its middle left out', async () => {
    const { text, result } = await openDeck({ limits: { outputBytes: 100_000 } }).run(
      'for (let n = 0; ; n += 1) console.log("line " + n)',
    )
    expect(text).toMatch(/^Error: output-limit: .*100,000 bytes\nIt had printed:\nline 0\nline 1\n/)
    expect(text).toContain('characters left out')
    expect(text.length).toBeLessThan(20_000)
    expect((result.meta as { logs: string[] }).logs.at(-1)).toMatch(/^line \d+$/)
  })

  it('hold for memory', async () => {
    const code = 'return new Array(500_000).fill("x").join("").length'
    const small = openDeck({ limits: { memoryBytes: 4 * 1024 * 1024 } })
    expect((await small.run(code)).text).toBe('Error: crash: the program ran out of memory')
    expect((await openDeck().run(code)).value?.result).toBe(500_000)
  })
})

describe('the wall clock', () => {
  it('expires after the time in which nobody held it', async () => {
    let expired = 0
    const clock = startWallClock(150, () => (expired += 1))
    const releases = [clock.hold(), clock.hold()]
    await sleep(250)
    releases[0]?.()
    releases[0]?.()
    await sleep(100)
    expect(expired).toBe(0)
    releases[1]?.()
    await expect.poll(() => expired, { timeout: 5000 }).toBe(1)
    clock.stop()
  })

  it('does not expire once it is stopped, held or not', async () => {
    let expired = 0
    const clock = startWallClock(50, () => (expired += 1))
    const release = clock.hold()
    clock.stop()
    release()
    await sleep(120)
    expect(expired).toBe(0)
  })
})

describe('the sandbox', () => {
  const sandbox = createSandbox()
  afterAll(() => sandbox.dispose())
  const program = (code: string, signal = new AbortController().signal) => ({
    code,
    toolNames: [],
    limits: RUN_LIMITS,
    signal,
    call: async () => ({ ok: true as const, value: null }),
  })

  it('runs programs beside each other, each in a heap of its own', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 4 }, (_, n) => sandbox.run(program(`globalThis.mine ??= ${n}; return mine`))),
    )
    expect(outcomes).toEqual([0, 1, 2, 3].map((result) => ({ ok: true, logs: [], result })))
    expect(await sandbox.run(program('return typeof mine'))).toEqual({
      ok: true,
      logs: [],
      result: 'undefined',
    })
  })

  it('ends at once on an abort, in whatever the program does', async () => {
    for (const code of [
      'for (;;);',
      'await new Promise((resolve) => tools.x().then(() => tools.x()).then(() => { for (;;); }))',
    ]) {
      const controller = new AbortController()
      const running = sandbox.run(program(code, controller.signal))
      setTimeout(() => controller.abort(), 100)
      expect(await running).toMatchObject({ ok: false, failure: { kind: 'abort' } })
    }
    expect(await sandbox.run(program('', AbortSignal.abort()))).toMatchObject({ failure: { kind: 'abort' } })
  })

  it('refuses runs once it is disposed of, and ends those that go on', async () => {
    const own = createSandbox()
    const running = own.run(program('for (;;);'))
    own.warm()
    await sleep(400)
    await own.dispose()
    expect(await running).toMatchObject({ ok: false, failure: { kind: 'crash' } })
    expect(await own.run(program('return 1'))).toMatchObject({ ok: false, failure: { kind: 'crash' } })
  })
})
