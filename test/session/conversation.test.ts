import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Conversation, conversationOf } from '#session/conversation.ts'
import { eventsOf, shortened, shortening, turn } from '../model/histories.ts'

describe('the conversation of a log that grows', () => {
  it('is at every point what is made of the whole log, and leaves what it gave before as it was', () => {
    const turns = fc.array(turn, { minLength: 1, maxLength: 3 })
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 })
    fc.assert(
      fc.property(turns, fc.array(shortening, { maxLength: 2 }), cuts, (played, short, steps) => {
        const events = shortened(played.flatMap(eventsOf), short)
        const growing = new Conversation()
        const given: { messages: unknown; text: string }[] = []
        for (let length = 0, step = 0; length < events.length; step++) {
          length = Math.min(events.length, length + (steps[step % steps.length] ?? 1))
          const messages = growing.of(events.slice(0, length))
          expect(messages).toEqual(conversationOf(events.slice(0, length)))
          given.push({ messages, text: JSON.stringify(messages) })
        }
        for (const { messages, text } of given) expect(JSON.stringify(messages)).toBe(text)
      }),
      { numRuns: 1000 },
    )
  })
})
