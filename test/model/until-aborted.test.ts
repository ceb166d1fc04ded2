import { describe, expect, it, vi } from 'vitest'
import { untilAborted } from '#model/until-aborted.ts'

/** Gives what it is told to, and notices nothing by itself. */
function source() {
  const asked: PromiseWithResolvers<IteratorResult<string>>[] = []
  const left = vi.fn(async () => ({ done: true as const, value: undefined }))
  return {
    left,
    asked,
    give: (value: string) => asked.shift()?.resolve({ done: false, value }),
    end: () => asked.shift()?.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => ({
      next: () => {
        const next = Promise.withResolvers<IteratorResult<string>>()
        asked.push(next)
        return next.promise
      },
      return: left,
    }),
  }
}

describe('an iteration until the abort', () => {
  it('gives everything, and lets go of the signal at the end', async () => {
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    const given = source()
    const items = untilAborted(given, signal)
    const first = items.next()
    given.give('a')
    expect(await first).toEqual({ done: false, value: 'a' })
    expect(removed).not.toHaveBeenCalled()
    const last = items.next()
    given.end()
    expect(await last).toEqual({ done: true, value: undefined })
    expect(removed).toHaveBeenCalledOnce()
    expect(await items.next()).toEqual({ done: true, value: undefined })
    expect(given.left).not.toHaveBeenCalled()
  })

  it('ends while an item is waited for', async () => {
    const controller = new AbortController()
    const given = source()
    const items = untilAborted(given, controller.signal)
    const waiting = items.next()
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
    expect(given.left).toHaveBeenCalledOnce()
    given.give('late')
    expect(await items.next()).toEqual({ done: true, value: undefined })
  })

  it('ends between two items, for whoever asks for the next', async () => {
    const controller = new AbortController()
    const given = source()
    const items = untilAborted(given, controller.signal, () => controller.signal.reason)
    const first = items.next()
    given.give('a')
    await first
    controller.abort(new Error('enough'))
    await expect(items.next()).rejects.toThrow('enough')
    expect(given.asked).toEqual([])
    expect(given.left).toHaveBeenCalledOnce()
  })

  it('asks for nothing when the signal has aborted before', async () => {
    const given = source()
    await expect(untilAborted(given, AbortSignal.abort()).next()).rejects.toMatchObject({ code: 'aborted' })
    expect(given.asked).toEqual([])
  })

  it('passes on what the source throws, and leaves it when nobody wants more', async () => {
    const { signal } = new AbortController()
    const removed = vi.spyOn(signal, 'removeEventListener')
    const failing = source()
    const waiting = untilAborted(failing, signal).next()
    failing.asked[0]?.reject(new Error('broken'))
    await expect(waiting).rejects.toThrow('broken')
    const given = source()
    const reading = (async () => {
      for await (const item of untilAborted(given, signal)) return item
      return undefined
    })()
    given.give('a')
    expect(await reading).toBe('a')
    expect(given.left).toHaveBeenCalledOnce()
    expect(removed).toHaveBeenCalledTimes(2)
  })

  it('leaves nothing behind where the source breaks its contract', async () => {
    const controller = new AbortController()
    const added = vi.spyOn(controller.signal, 'addEventListener')
    const removed = vi.spyOn(controller.signal, 'removeEventListener')
    const of = (source: object) =>
      untilAborted({ [Symbol.asyncIterator]: () => source } as AsyncIterable<string>, controller.signal)
    of({})
    expect(added).not.toHaveBeenCalled()
    const broken = of({
      next: () => {
        throw new Error('at once')
      },
    })
    await expect(broken.next()).rejects.toThrow('at once')
    expect(removed).toHaveBeenCalledOnce()
    const stubborn = of({
      next: () => new Promise(() => {}),
      return: () => {
        throw new Error('will not go')
      },
    })
    const waiting = stubborn.next()
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' })
  })
})
