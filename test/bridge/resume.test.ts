// A session that is resumed or loaded while a prompt of it begins: the turn stays with who can cancel it.
import { afterEach, describe, expect, it } from 'vitest'
import { RawWire } from '../support/wire.ts'

let wire: RawWire
afterEach(() => wire.bridge.close())

describe.each(['session/resume', 'session/load'])('%s while a turn begins', (method) => {
  it('is refused as busy, and the turn can be cancelled', async () => {
    wire = new RawWire({
      script: async (turn) => {
        await turn.cancelled()
        return 'cancelled' as const
      },
    })
    const sessionId = await wire.open('/tmp')
    const session = wire.agent.get(sessionId)
    const begun = Promise.withResolvers<void>()
    wire.agent.open = async () => {
      await begun.promise
      if (session === undefined) throw new Error('no session')
      return session
    }
    wire.request(1, method, { sessionId, cwd: '/tmp', mcpServers: [] })
    wire.prompt(2, sessionId)
    while (!wire.agent.sessions.get(sessionId)?.busy) await new Promise((resolve) => setImmediate(resolve))
    begun.resolve()
    expect(await wire.response(1)).toMatchObject({ error: { code: -32600 } })
    wire.notify('session/cancel', { sessionId })
    expect(await wire.response(2)).toMatchObject({ result: { stopReason: 'cancelled' } })
    wire.request(3, method, { sessionId, cwd: '/tmp', mcpServers: [] })
    expect((await wire.response(3)).error).toBeUndefined()
    expect(wire.problems).toEqual([])
  })
})
