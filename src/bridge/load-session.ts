// `session/load`: the stored conversation is drawn again, then the request is answered.
import { methods, RequestError, type LoadSessionResponse } from '@agentclientprotocol/sdk'
import { AgentError } from '#agent/error.ts'
import type { BridgeContext, Request } from './context.ts'
import { requireAbsolute, usableDirectories } from './directory.ts'
import { modeState } from './modes.ts'
import { attach, rootPairs } from './new-session.ts'
import type { LoadSessionParams } from './params.ts'
import { clientProfile } from './profile.ts'
import { replayUpdates } from './replay.ts'

/** A deleted directory still replays, so `cwd` needs only be absolute. */
export async function loadSession(
  bridge: BridgeContext,
  request: Request<LoadSessionParams>,
): Promise<LoadSessionResponse> {
  const { params, signal, client } = request
  requireAbsolute(params.cwd)
  const additionalDirectories = await usableDirectories(params.additionalDirectories, bridge.log)
  if (bridge.agent.get(params.sessionId)?.busy)
    throw new AgentError('busy', 'a turn is running in this session')
  const session = await bridge.agent.open(params.sessionId, { cwd: params.cwd, additionalDirectories })
  bridge.sessions.get(session.id)?.detach()
  const updates = replayUpdates(
    {
      cwd: session.cwd,
      roots: rootPairs(session, params),
      profile: clientProfile(bridge.capabilities),
      presenters: (name) => session.presenters(name),
      log: bridge.log,
    },
    session.history(),
  )
  const connection = attach(bridge, request, session)
  for (const update of updates) {
    if (signal.aborted) throw RequestError.requestCancelled()
    await client.notify(methods.client.session.update, { sessionId: session.id, update })
  }
  connection.release()
  return { modes: modeState(session.modeId) }
}
