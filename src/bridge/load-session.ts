// `session/load`: the stored conversation is drawn again, then the request is answered.
import { methods, RequestError, type LoadSessionResponse } from '@agentclientprotocol/sdk'
import { AgentError } from '#agent/error.ts'
import type { AgentSession } from '#agent/port.ts'
import { stateOf } from './config-options.ts'
import type { BridgeContext, Request } from './context.ts'
import { requireAbsolute, usableDirectories } from './directory.ts'
import { attach, rootPairs, welcome } from './new-session.ts'
import type { LoadSessionParams } from './params.ts'
import { clientProfile } from './profile.ts'
import { replay } from './replay.ts'

/** Updates that are written before the client's reading is waited for. */
const BATCH = 64

export async function loadSession(
  bridge: BridgeContext,
  request: Request<LoadSessionParams>,
): Promise<LoadSessionResponse> {
  const { params, signal, client } = request
  const session = await openStored(bridge, request)
  const options = {
    cwd: session.cwd,
    roots: rootPairs(session, params),
    profile: clientProfile(bridge.capabilities),
    presenters: (name: string) => session.presenters(name),
    log: bridge.log,
  }
  const connection = attach(bridge, request, session)
  const underway: Promise<void>[] = []
  for (const update of replay(options, session.history())) {
    underway.push(client.notify(methods.client.session.update, { sessionId: session.id, update }))
    if (underway.length < BATCH) continue
    await Promise.all(underway.splice(0))
    if (signal.aborted) {
      bridge.sessions.delete(session.id)
      await connection.close()
      throw RequestError.requestCancelled()
    }
  }
  await Promise.all(underway)
  welcome(connection)
  return stateOf(session)
}

/** Opens a stored session. A deleted directory still replays, so `cwd` needs only be absolute. */
export async function openStored(
  bridge: BridgeContext,
  { params, signal }: Request<LoadSessionParams>,
): Promise<AgentSession> {
  requireAbsolute(params.cwd)
  const additionalDirectories = await usableDirectories(params.additionalDirectories, bridge.log)
  if (bridge.agent.get(params.sessionId)?.busy)
    throw new AgentError('busy', 'a turn is running in this session')
  const session = await bridge.agent.open(params.sessionId, {
    cwd: params.cwd,
    additionalDirectories,
    mcpServers: params.mcpServers,
  })
  if (signal.aborted) throw RequestError.requestCancelled()
  bridge.sessions.get(session.id)?.detach()
  return session
}
