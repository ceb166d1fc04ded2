import { expect, it, vi } from 'vitest'
import type { LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { type AdapterOptions, createModel } from '#model/adapter.ts'

it('a stream that opens when nobody waits any more is cancelled', async () => {
  const cancel = vi.fn()
  const opened = Promise.withResolvers<{ stream: ReadableStream<Part> }>()
  const asked = Promise.withResolvers<void>()
  const doStream = () => {
    asked.resolve()
    return opened.promise
  }
  const model = createModel({
    endpoint: {
      id: 'p',
      title: 'P',
      keyVariable: 'K',
      settings: {},
      api: { traits: () => ({ contextWindow: 1000, images: false, thoughtLevels: [] }) },
    },
    connect: () => ({ doStream }),
    modelId: 'm',
    baseURL: 'http://127.0.0.1',
    idleTimeoutMs: 60_000,
    fetch,
    thoughtLevel: undefined,
  } as unknown as AdapterOptions)
  const controller = new AbortController()
  const content = [{ type: 'text' as const, text: 'hello' }]
  const request = {
    system: '',
    messages: [{ role: 'user' as const, content }],
    tools: [],
    signal: controller.signal,
  }
  const first = model.stream(request)[Symbol.asyncIterator]().next()
  await asked.promise
  controller.abort()
  await expect(first).rejects.toMatchObject({ code: 'aborted' })
  opened.resolve({ stream: new ReadableStream({ cancel }, { highWaterMark: 0 }) })
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce())
})
