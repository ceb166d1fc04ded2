import { describe, expect, it } from 'vitest'
import { betterTitle } from '#agent/better-title.ts'
import { ModelError } from '#model/error.ts'
import type { Model, ModelSource } from '#model/port.ts'
import type { LoggedEvent, SessionEvent } from '#session/event.ts'

const prompt = (text: string): SessionEvent => ({
  type: 'user_message',
  message: { id: text, content: [{ type: 'text', text }], source: { kind: 'user' } },
})
const logged = (events: SessionEvent[]): LoggedEvent[] =>
  events.map((event, index) => ({ seq: index + 1, at: 'x', ...event }))
const SECOND = logged([
  { type: 'turn_start', turnId: 'a' },
  prompt('please mend the rounding of the tax'),
  { type: 'assistant_message', message: { id: 'm', parts: [{ type: 'text', text: 'Mended.' }] } },
  { type: 'turn_end', turnId: 'a', stopReason: 'end_turn' },
  { type: 'turn_start', turnId: 'b' },
  prompt('thanks'),
])

function source(stream: Model['stream'], small: string | undefined = 'x/small'): ModelSource {
  const model: Model = { provider: 'x', id: 'small', contextWindow: 1000, images: false, stream }
  return { selected: 'x/big', small, models: () => [], load: async () => model }
}
const saying = (text: string): Model['stream'] =>
  async function* stream() {
    yield { type: 'text', text }
    yield { type: 'finish', reason: 'stop' }
  }
const { signal } = new AbortController()

describe('a better title', () => {
  it('comes from the small model, from the first exchange, without its quotes', async () => {
    let asked = ''
    const models = source(async function* stream(request) {
      asked = JSON.stringify(request.messages)
      yield* saying('"Mending the tax rounding."\n')(request)
    })
    expect(await betterTitle(models, SECOND, signal)).toBe('Mending the tax rounding')
    expect(asked).toContain('rounding of the tax')
  })

  it.each([
    ['without a small model', { ...source(saying('x')), small: undefined }, SECOND],
    ['in the first turn', source(saying('x')), SECOND.slice(0, 2)],
    [
      'when the model fails',
      source(() => {
        throw new ModelError('server', 'no')
      }),
      SECOND,
    ],
    ['when the model says nothing', source(saying(' \n ')), SECOND],
  ])('is none %s', async (_when, models, events) => {
    expect(await betterTitle(models, events, signal)).toBe('')
  })

  it('is none when the turn ends first', async () => {
    const controller = new AbortController()
    const models = source(async function* stream() {
      controller.abort()
      yield { type: 'text', text: 'late' }
    })
    expect(await betterTitle(models, SECOND, controller.signal)).toBe('')
  })
})
