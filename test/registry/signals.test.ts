// registry.md §4: fusing of signals, and that nothing is left behind on any of them.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { createRegistry, createScheduler, type Registry, type ToolDefinition } from '#index.ts'
import { createRegistry as createBareRegistry } from '#registry/registry.ts'
import { fuseSignals } from '#registry/signal.ts'
import { codeOf, input, probe } from './probe.ts'

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('fuseSignals', () => {
  it('identical → same object', () => {
    const { signal } = new AbortController()
    expect(fuseSignals(signal, signal).signal).toBe(signal)
    expect(listeners(signal)).toBe(0)
  })

  it.each([0, 1])('aborts on either (%i), with its reason', (index) => {
    const sources = [new AbortController(), new AbortController()] as const
    const fused = fuseSignals(sources[0].signal, sources[1].signal)
    expect(fused.signal.aborted).toBe(false)
    sources[index as 0 | 1].abort('why')
    expect(fused.signal.reason).toBe('why')
    fused.release()
    expect(sources.map(({ signal }) => listeners(signal))).toEqual([0, 0])
  })

  it.each([0, 1])('is aborted at once when one is already (%i)', (index) => {
    const sources = [new AbortController(), new AbortController()] as const
    sources[index as 0 | 1].abort('before')
    const fused = fuseSignals(sources[0].signal, sources[1].signal)
    expect(fused.signal.reason).toBe('before')
    expect(sources.map(({ signal }) => listeners(signal))).toEqual([0, 0])
  })
})

describe('the body', () => {
  const seenBy = async (registry: Registry): Promise<[AbortSignal, AbortSignal]> => {
    let seen: AbortSignal | undefined
    registry.register(probe({ execute: (_args, exec) => ((seen = exec.signal), 'done') }))
    const given = input()
    await registry.execute(given)
    return [given.signal, seen as AbortSignal]
  }

  it('sees the caller’s own signal when no wrapper replaced it', async () => {
    const [given, seen] = await seenBy(createBareRegistry())
    expect(seen).toBe(given)
  })

  it('stops on the caller’s abort though a wrapper installed a signal that knows nothing of it', async () => {
    const registry = createRegistry()
    const caller = new AbortController()
    registry.on('tools/execute', (exec, next) => {
      exec.signal = new AbortController().signal
      return next()
    })
    registry.register(
      probe({
        execute: (_args, exec) =>
          new Promise((resolve) => {
            exec.signal.addEventListener('abort', () => resolve('stopped'))
            caller.abort()
          }),
      }),
    )
    expect(codeOf(await registry.execute(input({ signal: caller.signal })))).toBe('ABORTED')
  })
})

describe('listeners left on the caller’s signal', () => {
  const rows: [string, Partial<ToolDefinition>, boolean?][] = [
    ['a success', {}],
    ['a throw', { execute: () => Promise.reject(new Error('x')) }],
    ['a limit', { timeoutMs: 10_000 }],
    [
      'a limit that passed',
      {
        timeoutMs: 5,
        execute: (_args, exec) =>
          new Promise((resolve) =>
            exec.signal.addEventListener('abort', () => resolve('late'), { once: true }),
          ),
      },
    ],
    ['a preview', { preview: async () => undefined }],
    ['a preview that fails', { preview: () => Promise.reject(new Error('x')) }],
    [
      'an abort',
      {
        execute: (_args, exec) =>
          new Promise((resolve) =>
            exec.signal.addEventListener('abort', () => resolve('late'), { once: true }),
          ),
      },
      true,
    ],
  ]
  it.each(rows)('none after %s', async (_name, tool, aborts) => {
    const registry = createRegistry({ approval: { request: async () => 'allowed-once' } })
    registry.register(probe(tool))
    const installed = new AbortController()
    registry.on('tools/execute', async (exec, next) => {
      const caller = exec.signal
      exec.signal = AbortSignal.any([caller, installed.signal])
      try {
        return await next()
      } finally {
        exec.signal = caller
      }
    })
    if (tool.preview) registry.on('tools/pre-execute', () => ({ kind: 'ask' }))
    const caller = new AbortController()
    const running = registry.execute(input({ scope: registry.scope(), signal: caller.signal }))
    if (aborts) setTimeout(() => caller.abort(), 5)
    await running
    expect([listeners(caller.signal), listeners(installed.signal)]).toEqual([0, 0])
  })

  it('none after a scheduled batch, given up or not', async () => {
    const registry = createRegistry()
    registry.register(
      probe({ execute: (_args, exec) => (exec.callId === 'stuck' ? new Promise(() => undefined) : 'done') }),
    )
    const caller = new AbortController()
    const scheduler = createScheduler(registry, { abandonAfterMs: 5 })
    await scheduler.submit(input({ signal: caller.signal }))
    const stuck = scheduler.submit(input({ callId: 'stuck', signal: caller.signal }))
    setTimeout(() => caller.abort(), 5)
    expect(codeOf(await stuck)).toBe('ABORTED')
    expect(listeners(caller.signal)).toBe(0)
  })
})
