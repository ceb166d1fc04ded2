// The floor: what the protocol's SDK, one call of the AI SDK and two tools cost with nothing around them; no log, no policy.
import { randomUUID } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { agent, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import type { Open } from './turn.ts'

const sessions = new Map<string, Open>()
const { initialize, session } = methods.agent

const app = agent({ name: 'floor' })
  .onRequest(initialize, () => ({ protocolVersion: PROTOCOL_VERSION, agentCapabilities: {} }))
  .onRequest(session.new, ({ params: { cwd } }) => {
    const sessionId = randomUUID()
    sessions.set(sessionId, { sessionId, cwd, messages: [] })
    return { sessionId }
  })
  .onRequest(session.prompt, async ({ params, client }) => {
    const open = sessions.get(params.sessionId)
    if (!open) throw new Error(`no session ${params.sessionId}`)
    const { runTurn } = await import('./turn.ts')
    await runTurn(open, params.prompt, client)
    return { stopReason: 'end_turn' }
  })

const input = Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>
await app.connect(ndJsonStream(Writable.toWeb(process.stdout), input)).closed
process.exit(0)
