// registry.md §2: `tools/change`, `presentAs`, and the waterfalls themselves.
import { describe, expect, it, vi } from 'vitest'
import { createRegistry, type PreToolDecision } from '#index.ts'
import { runWaterfall } from '#registry/waterfall.ts'
import { codeOf, gate, input, messageOf, probe, text, transport } from './probe.ts'

describe('tools/change', () => {
  it('is emitted on every registration, removal and restriction change, unfiltered', () => {
    const registry = createRegistry()
    const [scope, other] = [registry.scope(), registry.scope()]
    const [atScope, atRegistry] = [vi.fn(), vi.fn()]
    other.on('tools/change', atScope)
    registry.on('tools/change', atRegistry)
    const steps = [
      () => registry.register(probe()),
      () => scope.register(probe()),
      () => scope.register(probe({ name: 'second' })),
      () => scope.dispose(),
      () => registry.scope().restrict({ deny: ['probe'] })(),
    ]
    const counts = steps.map((step) => {
      atScope.mockClear()
      step()
      return atScope.mock.calls.length
    })
    expect(counts).toEqual([1, 1, 1, 2, 2])
    expect(atRegistry).toHaveBeenCalledTimes(7)
  })

  it('a throwing listener of a registration rolls it back', () => {
    const registry = createRegistry()
    const seen: boolean[] = []
    registry.on('tools/change', () => void seen.push(registry.get('probe') !== undefined))
    const undo = registry.on('tools/change', () => {
      throw new Error('no room')
    })
    expect(() => registry.register(probe())).toThrow(/not registered: no room/)
    expect(registry.get('probe')).toBeUndefined()
    expect(seen).toEqual([true, false])
    undo()
    registry.register(probe())
    expect(registry.schemas()).toHaveLength(1)
  })

  it('a listener that throws on removal or restriction is contained', () => {
    const log = vi.fn()
    const registry = createRegistry({ log })
    const undo = registry.register(probe())
    registry.on('tools/change', () => {
      throw new Error('x')
    })
    registry.scope().restrict({ deny: ['probe'] })
    undo()
    expect(registry.schemas()).toEqual([])
    expect(log).toHaveBeenCalledTimes(2)
  })

  it('a scope that a listener disposes takes the new tool with it', () => {
    const registry = createRegistry()
    const scope = registry.scope()
    registry.on('tools/change', () => scope.dispose())
    scope.register(probe())
    expect(registry.schemas(scope)).toEqual([])
  })
})

describe('presentAs', () => {
  const setUp = (mode?: 'native' | 'code' | 'both') => {
    const registry = createRegistry({ transport: transport(), ...(mode && { mode }) })
    registry.register(probe())
    return registry
  }
  const presented = (registry: ReturnType<typeof setUp>, scope?: ReturnType<typeof registry.scope>) =>
    registry.presentedSchemas(scope).map((schema) => schema.name)

  it.each([
    ['native', ['probe']],
    ['code', ['run_code']],
    ['both', ['probe', 'run_code']],
  ] as const)('%s presents %j, and lists the same capabilities', (mode, expected) => {
    const registry = setUp(mode)
    expect(presented(registry)).toEqual(expected)
    expect(registry.schemas().map((schema) => schema.name)).toEqual(['probe'])
    const scope = setUp()
    const own = scope.scope()
    own.presentAs(mode)
    expect(presented(scope, own)).toEqual(expected)
    expect(presented(scope)).toEqual(['probe'])
  })

  it('is scoped, once per scope, nearest wins; the disposer restores', () => {
    const registry = setUp()
    const outer = registry.scope()
    const inner = registry.scope(outer)
    const undoOuter = outer.presentAs('code')
    expect(() => outer.presentAs('both')).toThrow(/already/)
    const undoInner = inner.presentAs('both')
    expect([presented(registry, outer), presented(registry, inner)]).toEqual([
      ['run_code'],
      ['probe', 'run_code'],
    ])
    undoInner()
    expect(presented(registry, inner)).toEqual(['run_code'])
    undoOuter()
    expect(presented(registry, inner)).toEqual(['probe'])
    outer.presentAs('both')
  })

  it('makes a transport that is given as a function when it is offered, and checks it then', () => {
    const make = vi.fn(() => transport())
    const native = createRegistry({ transport: make })
    expect(native.presentedSchemas()).toEqual([])
    expect(native.get('run_code')).toBeUndefined()
    expect(make).not.toHaveBeenCalled()
    const code = createRegistry({ transport: make, mode: 'code' })
    expect(code.presentedSchemas().map(({ name }) => name)).toEqual(['run_code'])
    expect(code.get('run_code')).toBe(make.mock.results[0]?.value)
    expect(make).toHaveBeenCalledTimes(1)
    expect(() => createRegistry({ transport: () => probe(), mode: 'code' })).toThrow(/run_code/)
  })

  it('refuses an unknown mode; says so when there is no transport', () => {
    expect(() =>
      setUp()
        .scope()
        .presentAs('fast' as 'code'),
    ).toThrow(/unknown mode/)
    expect(() => createRegistry({ mode: 'fast' as 'code' })).toThrow(/unknown mode/)
    const log = vi.fn()
    createRegistry({ mode: 'code', log })
    expect(log).toHaveBeenCalledWith('error', expect.stringContaining('without a transport'), undefined)
    expect(() => createRegistry({ transport: probe() })).toThrow(/run_code/)
  })

  it('code: a direct native call is UNKNOWN_TOOL before policy; only for visible tools does its message name the way', async () => {
    const registry = setUp('code')
    const policy = vi.fn((_exec: unknown, next: () => Promise<PreToolDecision>) => next())
    registry.on('tools/pre-execute', policy)
    const direct = await registry.execute(input())
    expect(codeOf(direct)).toBe('UNKNOWN_TOOL')
    expect(messageOf(direct)).toMatch(/run_code.*tools\.probe/)
    expect(messageOf(await registry.execute(input({ name: 'nope' })))).not.toMatch(/run_code/)
    const scope = registry.scope()
    scope.restrict({ deny: ['probe'] })
    expect(messageOf(await registry.execute(input({ scope })))).not.toMatch(/run_code/)
    expect(policy).not.toHaveBeenCalled()
  })

  it('code: nested calls re-enter the pipeline; run_code is not callable from inside', async () => {
    const registry = setUp('code')
    const parent = (await registry.prepare(input({ name: 'run_code' }))).exec.token
    expect(await registry.execute(input({ parent }))).toMatchObject({ isError: false, value: 'done' })
    expect(codeOf(await registry.execute(input({ parent, name: 'run_code' })))).toBe('UNKNOWN_TOOL')
    expect(await registry.execute(input({ name: 'run_code' }))).toMatchObject({ value: 'ran' })
    expect(codeOf(await setUp('native').execute(input({ name: 'run_code' })))).toBe('UNKNOWN_TOOL')
  })
})

describe('tools/code-dispatch-log', () => {
  it('may reshape the stored copy; a throwing or malformed answer is contained', async () => {
    const log = vi.fn()
    const registry = createRegistry({ log })
    const { exec } = await registry.prepare(input())
    const dispatch = { exec, subCallId: 'c1:code:1', name: 'probe', isError: false, content: [text('long')] }
    expect(await registry.storedContent(dispatch)).toEqual([text('long')])
    const undo = registry.on('tools/code-dispatch-log', async (given, next) => [
      ...(await next()),
      text(given.subCallId),
    ])
    expect(await registry.storedContent(dispatch)).toEqual([text('long'), text('c1:code:1')])
    undo()
    const undoBad = registry.on('tools/code-dispatch-log', () => 'no' as never)
    expect(await registry.storedContent(dispatch)).toEqual([text('long')])
    undoBad()
    registry.on('tools/code-dispatch-log', () => Promise.reject(new Error('x')))
    expect(await registry.storedContent(dispatch)).toEqual([text('long')])
    expect(log).toHaveBeenCalledTimes(2)
  })
})

describe('waterfalls', () => {
  type Listener = (next: () => Promise<string>) => string | Promise<string>
  const run = (...listeners: Listener[]) => runWaterfall<[], string>(listeners, [], async () => 'core')

  it('the first registered listener is the outermost', async () => {
    expect(
      await run(
        async (next) => `1(${await next()})`,
        async (next) => `2(${await next()})`,
      ),
    ).toBe('1(2(core))')
  })

  it('not calling next() short-circuits; a listener may be synchronous', async () => {
    const inner = vi.fn(() => 'inner')
    expect(await run(() => 'short', inner)).toBe('short')
    expect(inner).not.toHaveBeenCalled()
  })

  it('a second next() is an error, even for a listener that swallows it', async () => {
    await expect(run(async (next) => (await next(), next()))).rejects.toThrow(/twice/)
    await expect(run(async (next) => (await next(), next().catch(() => 'mine')))).rejects.toThrow(/twice/)
    await expect(run((next) => (void next(), void next(), 'mine'))).rejects.toThrow(/twice/)
  })

  it('next() after the listener has settled starts nothing', async () => {
    const core = vi.fn(async () => 'core')
    let kept: (() => Promise<string>) | undefined
    expect(await runWaterfall<[], string>([(next) => ((kept = next), 'early')], [], core)).toBe('early')
    await expect(kept?.()).rejects.toThrow(/settled/)
    expect(core).not.toHaveBeenCalled()
  })

  it('settles only when what was started has settled', async () => {
    const hold = gate<string>()
    let settled = false
    const running = runWaterfall<[], string>(
      [(next) => (void next(), 'early')],
      [],
      () => hold.promise,
    ).finally(() => (settled = true))
    await new Promise((resolve) => setImmediate(resolve))
    expect(settled).toBe(false)
    hold.resolve('late')
    expect(await running).toBe('early')
  })
})
