// Whatever happened to a conversation, what goes to each provider is a request that it accepts.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSettings } from '#config/settings.ts'
import type { ThoughtLevel } from '#config/thought-level.ts'
import type { ModelRequest } from '#model/port.ts'
import { createModelSource } from '#model/source.ts'
import { conversationOf } from '#session/conversation.ts'
import { repairEvents } from '#session/repair.ts'
import { APIS, type WireApi } from './apis.ts'
import { play, prompt, request } from './harness.ts'
import { eventsOf, message, numbered, shortened, shortening, turn } from './histories.ts'
import { faultsOf } from './valid-request.ts'

/** The body that the provider's code makes of a request, through the real adapter. */
async function bodyOf(api: WireApi, wanted: ModelRequest, thoughtLevel?: ThoughtLevel): Promise<unknown> {
  let sent = ''
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    sent = String(init?.body)
    const headers = { 'content-type': 'text/event-stream' }
    return new Response(api.chunks([{ text: ['ok'] }], 'stop').join(''), { headers })
  }
  const settings = readSettings({
    DECKHAND_MODEL: api.name,
    DECKHAND_API_KEY: 'k',
    DECKHAND_BASE_URL: 'http://x',
  })
  const source = createModelSource(settings, { fetch })
  const { error } = await play(
    await source.load(api.name, thoughtLevel === undefined ? {} : { thoughtLevel }),
    wanted,
  )
  expect(error).toBeUndefined()
  return JSON.parse(sent)
}

const turns = fc.array(turn, { minLength: 1, maxLength: 3 })
const shortenings = fc.array(shortening, { maxLength: 2 })

describe.each(APIS)('$name', (api) => {
  it('accepts what is made of any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 12 }), async (messages) => {
        expect(faultsOf(api.name, await bodyOf(api, request(messages), 'high'))).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('accepts what is made of a log that was shortened, cut anywhere and repaired', async () => {
    await fc.assert(
      fc.asyncProperty(turns, shortenings, fc.nat(), async (played, short, at) => {
        const events = shortened(played.flatMap(eventsOf), short)
        const kept = events.slice(0, at % (events.length + 1))
        const repaired = numbered([...kept, ...repairEvents(kept)])
        const messages = [...conversationOf(repaired), prompt('Go on.')]
        expect(faultsOf(api.name, await bodyOf(api, request(messages)))).toEqual([])
      }),
      { numRuns: 120 },
    )
  })
})
