// registry.md §4, the table of stages, and the order in which they happen.
import { describe, expect, it, vi } from 'vitest'
import { createRegistry, type PreToolDecision, type ToolExecution, type ToolExecutionInput } from '#index.ts'
import { codeOf, input, isDeepFrozen, messageOf, probe, text } from './probe.ts'

describe('stages', () => {
  it('follow each other in the order of the table', async () => {
    const order: string[] = []
    const step = (name: string) => order.push(name)
    const registry = createRegistry({
      approval: { request: async () => (step('1b approval'), 'allowed-once') },
    })
    registry.register(
      probe({
        validate: () => [],
        preview: async () => void step('1b preview') as never,
        execute: () => (step('3 body'), 'done'),
        output: {
          schema: { type: 'string' },
          render: () => (step('3 render'), [text('r')]),
          presentationMeta: () => (step('3 meta'), 1),
        },
        finalizeContent: () => void step('5 finalize') as never,
      }),
    )
    registry.on('tools/call', () => void step('0 call'))
    registry.on('tools/pre-execute', () => (step('1 pre'), { kind: 'ask' }))
    registry.guard(() => void step('2 guard') as never)
    registry.on('tools/execute', async (_exec, next) => {
      step('3 wrapper in')
      const result = await next()
      step('3 wrapper out')
      return result
    })
    registry.on('tools/started', () => void step('3 started'))
    registry.on('tools/post-execute', (_exec, _result, next) => (step('4 post'), next()))
    registry.on('tools/result', () => void step('6 result'))
    await registry.execute(input({ scope: registry.scope() }))
    expect(order).toEqual([
      '0 call',
      '1 pre',
      '1b preview',
      '1b approval',
      '2 guard',
      '3 wrapper in',
      '3 started',
      '3 body',
      '3 render',
      '3 meta',
      '3 wrapper out',
      '4 post',
      '5 finalize',
      '6 result',
    ])
  })

  it('prepare covers 0–2, dispatch 3, settle 4–6; each runs once however often it is called', async () => {
    const order: string[] = []
    const registry = createRegistry()
    registry.register(probe({ execute: () => (order.push('body'), 'done') }))
    registry.on('tools/pre-execute', (_exec, next) => (order.push('pre'), next()))
    registry.on('tools/post-execute', (_exec, _result, next) => (order.push('post'), next()))
    const call = await registry.prepare(input())
    expect(order).toEqual(['pre'])
    expect(call.runs).toBe(true)
    await Promise.all([call.dispatch(), call.dispatch()])
    expect(order).toEqual(['pre', 'body'])
    const [first, second] = await Promise.all([call.settle(), call.settle()])
    expect(first).toBe(second)
    expect(order).toEqual(['pre', 'body', 'post'])
  })

  it('chains prepare, dispatch and settle without awaiting prepare', async () => {
    const registry = createRegistry()
    registry.register(probe())
    const call = registry.prepare(input())
    await call.dispatch()
    expect(await call.settle()).toMatchObject({ value: 'done' })
  })

  it('says that there is no body to run when policy has ended the call', async () => {
    const registry = createRegistry()
    registry.register(probe())
    registry.guard(() => 'no')
    expect((await registry.prepare(input())).runs).toBe(false)
  })
})

describe('stage 0', () => {
  it('reads each input property exactly once', async () => {
    const registry = createRegistry()
    registry.register(probe())
    const reads = new Map<string, number>()
    const counted = new Proxy(input({ scope: registry.scope(), rootCallId: 'r' }), {
      get(target, key) {
        reads.set(String(key), (reads.get(String(key)) ?? 0) + 1)
        return Reflect.get(target, key)
      },
    })
    await registry.execute(counted)
    expect(Object.fromEntries(reads)).toEqual({
      callId: 1,
      rootCallId: 1,
      name: 1,
      arguments: 1,
      scope: 1,
      parent: 1,
      signal: 1,
    })
  })

  it('snapshots the arguments, deep-frozen, and leaves the caller’s object alone', async () => {
    const registry = createRegistry()
    let seen: ToolExecution | undefined
    registry.register(probe({ execute: (args, exec) => ((seen = exec), JSON.stringify(args)) }))
    const given = { list: [{ a: 1 }] }
    registry.on('tools/pre-execute', (_exec, next) => {
      given.list[0] = { a: 2 }
      return next()
    })
    expect(await registry.execute(input({ arguments: given }))).toMatchObject({ value: '{"list":[{"a":1}]}' })
    expect(isDeepFrozen(seen?.arguments)).toBe(true)
    expect(Object.isFrozen(given)).toBe(false)
  })

  it('freezes identity: root id, token, the same in every stage', async () => {
    const registry = createRegistry()
    const seen: ToolExecution[] = []
    registry.register(
      probe({
        execute: (_args, exec) => (seen.push(exec), 'done'),
        finalizeContent: (exec) => void seen.push(exec) as never,
      }),
    )
    registry.on('tools/pre-execute', (exec, next) => (seen.push(exec), next()))
    registry.on('tools/execute', (exec, next) => (seen.push(exec), next()))
    registry.on('tools/result', (exec) => void seen.push(exec))
    await registry.execute(input({ callId: 'x' }))
    expect(seen).toHaveLength(5)
    expect(new Set(seen.map((exec) => exec.token)).size).toBe(1)
    expect(typeof seen[0]?.token).toBe('symbol')
    for (const exec of seen) expect(exec).toMatchObject({ callId: 'x', rootCallId: 'x', name: 'probe' })
    expect(Object.isFrozen(seen[0])).toBe(true)
    expect((await registry.prepare(input({ callId: 'y', rootCallId: 'x' }))).exec.rootCallId).toBe('x')
  })

  it.each([
    { case: 'no signal', over: { signal: undefined } },
    { case: 'a signal that is none', over: { signal: {} } },
    { case: 'no call id', over: { callId: '' } },
    { case: 'no name', over: { name: undefined } },
  ])('rejects an input that no result could answer: $case', async ({ over }) => {
    const registry = createRegistry()
    registry.register(probe())
    await expect(registry.execute(input(over as Partial<ToolExecutionInput>))).rejects.toBeInstanceOf(
      TypeError,
    )
  })

  it('rejects a scope of another registry', async () => {
    await expect(createRegistry().execute(input({ scope: createRegistry().scope() }))).rejects.toThrow(
      /does not belong/,
    )
  })

  it('captures finalizeContent of the definition that is visible then', async () => {
    const registry = createRegistry()
    const undo = registry.register(probe({ finalizeContent: () => [text('mine')] }))
    const call = await registry.prepare(input())
    undo()
    registry.register(probe({ finalizeContent: () => [text('other')] }))
    expect((await call.settle()).content).toEqual([text('mine')])
  })

  it('a failed materialization beats a pre-aborted signal', async () => {
    const registry = createRegistry()
    registry.register(probe())
    expect(codeOf(await registry.execute(input({ arguments: undefined, signal: AbortSignal.abort() })))).toBe(
      'INVALID_ARGS',
    )
  })
})

describe('stage 1', () => {
  it('allows by default', async () => {
    const registry = createRegistry()
    registry.register(probe())
    registry.on('tools/pre-execute', (_exec, next) => next())
    expect(await registry.execute(input())).toMatchObject({ isError: false })
  })

  it('can’t rewrite the arguments', async () => {
    const registry = createRegistry()
    registry.register(probe())
    registry.on('tools/pre-execute', (exec, next) => {
      ;(exec as { arguments: unknown }).arguments = {}
      return next()
    })
    expect(messageOf(await registry.execute(input()))).toMatch(/read only|Cannot assign/)
  })

  it('passes an unknown tool through policy first', async () => {
    const registry = createRegistry()
    const policy = vi.fn((_exec: ToolExecution, next: () => Promise<PreToolDecision>) => next())
    registry.on('tools/pre-execute', policy)
    expect(codeOf(await registry.execute(input({ name: 'nope' })))).toBe('UNKNOWN_TOOL')
    expect(policy).toHaveBeenCalledTimes(1)
  })
})

describe('stage 2', () => {
  it('runs guards only after an allow', async () => {
    const registry = createRegistry()
    registry.register(probe())
    const guard = vi.fn(() => undefined)
    registry.guard(guard)
    registry.on('tools/pre-execute', () => ({ kind: 'deny', reason: 'no' }))
    await registry.execute(input())
    expect(guard).not.toHaveBeenCalled()
  })

  it('global first, then the scope chain from far to near; the first reason wins', async () => {
    const registry = createRegistry()
    registry.register(probe())
    const far = registry.scope()
    const near = registry.scope(far)
    const order: string[] = []
    near.guard(() => (order.push('near'), 'near says no'))
    far.guard(() => void order.push('far') as never)
    registry.guard(() => void order.push('global') as never)
    expect(messageOf(await registry.execute(input({ scope: near })))).toBe('near says no')
    expect(order).toEqual(['global', 'far', 'near'])
    registry.guard(() => 'global says no')
    expect(messageOf(await registry.execute(input({ scope: near })))).toBe('global says no')
  })
})

describe('stage 3', () => {
  it('awaits the listeners of tools/started before the body runs', async () => {
    const registry = createRegistry()
    const order: string[] = []
    registry.register(probe({ execute: () => (order.push('body'), 'done') }))
    registry.on('tools/started', async () => {
      await new Promise((resolve) => setImmediate(resolve))
      order.push('logged')
    })
    await registry.execute(input())
    expect(order).toEqual(['logged', 'body'])
  })

  it('only the signal is writable, and it can’t be removed', async () => {
    const registry = createRegistry()
    registry.register(probe())
    const attempts: string[] = []
    const attempt = (name: string, act: () => void): void => {
      try {
        act()
        attempts.push(`${name} passed`)
      } catch {
        attempts.push(`${name} refused`)
      }
    }
    registry.on('tools/execute', (exec, next) => {
      attempt('arguments', () => void Object.assign(exec, { arguments: 1 }))
      attempt('name', () => void Object.assign(exec, { name: 'x' }))
      attempt('extra', () => void Object.assign(exec, { extra: 1 }))
      attempt('delete', () => void delete (exec as { signal?: AbortSignal }).signal)
      attempt('signal', () => void Object.assign(exec, { signal: exec.signal }))
      return next()
    })
    expect(await registry.execute(input())).toMatchObject({ isError: false })
    expect(attempts).toEqual([
      'arguments refused',
      'name refused',
      'extra refused',
      'delete refused',
      'signal passed',
    ])
  })

  it('a wrapper that removes the signal fails the call', async () => {
    const registry = createRegistry()
    registry.register(probe())
    registry.on('tools/execute', (exec, next) => {
      exec.signal = undefined as never
      return next()
    })
    expect(messageOf(await registry.execute(input()))).toMatch(/removed the signal/)
  })

  it('a wrapper’s next() never rejects because of a tool; it sees a frozen error result', async () => {
    const registry = createRegistry()
    registry.register(probe({ execute: () => Promise.reject(new Error('boom')) }))
    const seen: unknown[] = []
    registry.on('tools/execute', async (_exec, next) => {
      const result = await next()
      seen.push(result, isDeepFrozen(result))
      return result
    })
    await registry.execute(input())
    expect(seen).toEqual([
      { isError: true, error: { message: 'boom' }, content: [text('Error: boom')] },
      true,
    ])
  })
})
