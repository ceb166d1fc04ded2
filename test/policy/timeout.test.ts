// The timeout wrapper: TOOL_TIMEOUT only when its own timer fired.
import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRegistry, type ToolDefinition, ToolError } from '#index.ts'
import { createRegistry as createBareRegistry } from '#registry/registry.ts'
import { codeOf, input, message, messageOf, probe } from '../registry/probe.ts'

/** A body that runs until it is told to stop. */
const obedient: ToolDefinition['execute'] = (_args, exec) =>
  new Promise((_resolve, reject) => exec.signal.addEventListener('abort', () => reject(new Error('stopped'))))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(
  tool: Partial<ToolDefinition>,
  signal = new AbortController().signal,
  create = createRegistry,
) {
  const registry = create()
  registry.register(probe({ timeoutMs: 50, ...tool }))
  return registry.execute(input({ signal }))
}

describe('timeoutMs', () => {
  it('stops the body: TOOL_TIMEOUT, on by default', async () => {
    const running = start({ execute: obedient })
    await vi.advanceTimersByTimeAsync(49)
    await vi.advanceTimersByTimeAsync(1)
    const result = await running
    expect(codeOf(result)).toBe('TOOL_TIMEOUT')
    expect(messageOf(result)).toBe('tool "probe" was stopped after its time limit of 50 ms')
  })

  it('is not part of a bare registry', async () => {
    const abort = new AbortController()
    const running = start({ execute: obedient }, abort.signal, createBareRegistry)
    await vi.advanceTimersByTimeAsync(500)
    abort.abort()
    expect(messageOf(await running)).toBe('stopped')
  })

  it('a body that succeeds too late is a timeout as well', async () => {
    const running = start({ execute: () => new Promise((resolve) => setTimeout(resolve, 80, 'late')) })
    await vi.advanceTimersByTimeAsync(80)
    expect(codeOf(await running)).toBe('TOOL_TIMEOUT')
  })

  it('keeps the meta of the tool’s error, and its contexts', async () => {
    const running = start({
      execute: (_args, exec) => {
        exec.deferContext(message('m'))
        return new Promise((_resolve, reject) =>
          exec.signal.addEventListener('abort', () =>
            reject(new ToolError('X', 'x', { meta: { output: 'so far' } })),
          ),
        )
      },
    })
    await vi.advanceTimersByTimeAsync(50)
    expect(await running).toMatchObject({
      error: { info: { code: 'TOOL_TIMEOUT' } },
      meta: { output: 'so far' },
      additionalContexts: [message('m')],
    })
  })

  it('is not what a quick body, an own error or an abort of the caller is called', async () => {
    expect(await start({})).toMatchObject({ isError: false })
    expect(messageOf(await start({ execute: () => Promise.reject(new Error('own')) }))).toBe('own')
    const abort = new AbortController()
    const running = start({ execute: obedient }, abort.signal)
    await vi.advanceTimersByTimeAsync(1)
    abort.abort()
    expect(messageOf(await running)).toBe('stopped')
  })

  const slow = (): Promise<string> => new Promise((resolve) => setTimeout(resolve, 80, 'late'))
  it.each([
    { first: 'the caller', at: 10, code: 'ABORTED' },
    { first: 'the timer', at: 60, code: 'TOOL_TIMEOUT' },
  ])('when both give up, the first one counts: $first', async ({ at, code }) => {
    const abort = new AbortController()
    const running = start({ execute: slow }, abort.signal)
    await vi.advanceTimersByTimeAsync(at)
    abort.abort()
    await vi.advanceTimersByTimeAsync(80)
    expect(codeOf(await running)).toBe(code)
  })

  it('holds for limits that Node’s timers can’t', async () => {
    const running = start({
      timeoutMs: 1e12,
      execute: () => new Promise((resolve) => setTimeout(resolve, 1000, 'done')),
    })
    await vi.advanceTimersByTimeAsync(1000)
    expect(await running).toMatchObject({ isError: false })
  })

  it('leaves no timer and no listener behind', async () => {
    const { signal } = new AbortController()
    await start({}, signal)
    const running = start({ execute: obedient }, signal)
    await vi.advanceTimersByTimeAsync(50)
    await running
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
