import { describe, expect, it, vi } from 'vitest'
import { lazyAgent } from '#agent/lazy-agent.ts'
import type { Agent } from '#agent/port.ts'

const fake = (): Agent => ({
  model: 'real/model',
  create: vi.fn(),
  open: vi.fn(),
  get: vi.fn(() => undefined),
  list: vi.fn(async () => ({ sessions: [] })),
  remove: vi.fn(async () => undefined),
  dispose: vi.fn(async () => undefined),
})

describe('a lazy agent', () => {
  it('loads nothing for what it can answer, and nothing to be disposed of', async () => {
    const load = vi.fn(async () => fake())
    const agent = lazyAgent(load, () => 'configured/model')
    expect(agent.model).toBe('configured/model')
    expect(agent.get('x')).toBeUndefined()
    await agent.dispose()
    expect(load).not.toHaveBeenCalled()
  })

  it('loads once, however many need it, and disposes of what was loaded', async () => {
    const real = fake()
    const load = vi.fn(async () => real)
    const agent = lazyAgent(load, () => undefined)
    agent.warm()
    await Promise.all([agent.list({}), agent.remove('x')])
    expect(load).toHaveBeenCalledTimes(1)
    expect(agent.model).toBe('real/model')
    await agent.dispose()
    expect(real.dispose).toHaveBeenCalledTimes(1)
  })

  it('tries a failed load again', async () => {
    const load = vi.fn(async () => fake())
    load.mockRejectedValueOnce(new Error('no disk'))
    const agent = lazyAgent(load, () => undefined)
    await expect(agent.list({})).rejects.toThrow('no disk')
    expect(await agent.list({})).toEqual({ sessions: [] })
  })
})
