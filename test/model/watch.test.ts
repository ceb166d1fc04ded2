import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Watch } from '#model/watch.ts'

/** Gives nothing until it is told to; notices nothing by itself. */
function silentSource() {
  const asked: ((result: IteratorResult<string>) => void)[] = []
  const source = {
    returned: false,
    give: (value: string) => asked.shift()?.({ done: false, value }),
    next: () => new Promise<IteratorResult<string>>((resolve) => void asked.push(resolve)),
    return: async (): Promise<IteratorResult<string>> => {
      source.returned = true
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => source,
  }
  return source
}

describe('Watch', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  it('ends at silence, and every byte starts the time again', async () => {
    const watch = new Watch(new AbortController().signal, 1000, 'It')
    const source = silentSource()
    const first = watch.guard(source).next()
    const outcome = first.then(
      () => undefined,
      (error: unknown) => error,
    )
    await vi.advanceTimersByTimeAsync(900)
    watch.touch()
    await vi.advanceTimersByTimeAsync(900)
    expect(watch.signal.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(100)
    expect(watch.signal.aborted).toBe(true)
    expect(await outcome).toMatchObject({ code: 'idle', message: 'It sent nothing for 1 s; try again.' })
    expect(source.returned).toBe(true)
  })

  it('does not count the time that a reader takes', async () => {
    const watch = new Watch(new AbortController().signal, 1000, 'It')
    const source = silentSource()
    const items = watch.guard(source)
    const first = items.next()
    await vi.advanceTimersByTimeAsync(0)
    source.give('a')
    expect(await first).toEqual({ done: false, value: 'a' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(watch.signal.aborted).toBe(false)
    await items.return?.()
    expect(source.returned).toBe(true)
  })

  it("passes the caller's abort on, and lets go of it when stopped", async () => {
    const caller = new AbortController()
    const watch = new Watch(caller.signal, 1000, 'It')
    const next = watch.guard(silentSource()).next()
    caller.abort(new Error('why'))
    await expect(next).rejects.toMatchObject({ code: 'aborted', cause: { message: 'why' } })
    const other = new AbortController()
    const removed = vi.spyOn(other.signal, 'removeEventListener')
    new Watch(other.signal, 1000, 'It').stop()
    expect(removed).toHaveBeenCalledOnce()
    expect(vi.getTimerCount()).toBe(0)
  })
})
