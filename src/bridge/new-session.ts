// `session/new`: a session in a directory, at once; nothing slow happens here.
import { RequestError, type NewSessionResponse } from '@agentclientprotocol/sdk'
import { AgentError } from '#agent/error.ts'
import type { AgentSession } from '#agent/port.ts'
import { requireModel } from './authenticate.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import { stateOf } from './config-options.ts'
import type { BridgeContext, Request } from './context.ts'
import { requireDirectory, usableDirectories } from './directory.ts'
import type { NewSessionParams } from './params.ts'
import { clientProfile } from './profile.ts'
import { connectSession, type SessionConnection } from './session-connection.ts'

export async function newSession(
  bridge: BridgeContext,
  request: Request<NewSessionParams>,
): Promise<NewSessionResponse> {
  const { params, signal } = request
  await requireDirectory(params.cwd)
  requireModel(bridge)
  const additionalDirectories = await usableDirectories(params.additionalDirectories, bridge.log)
  const session = await bridge.agent.create({
    cwd: params.cwd,
    additionalDirectories,
    mcpServers: params.mcpServers,
  })
  if (signal.aborted) {
    await session.close()
    throw RequestError.requestCancelled()
  }
  welcome(attach(bridge, request, session))
  return { sessionId: session.id, ...stateOf(session) }
}

/** Lets updates out and tells the commands: behind the response, which is queued in the microtasks of its handler. */
export function welcome(connection: SessionConnection): void {
  setImmediate(() => {
    connection.release()
    void connection.advertise()
  })
}

/**
 * Connects a session to the client, in place of the connection that it had; its updates wait for `release`. Refused as
 * busy where a turn has begun on that one: nobody could cancel it any more.
 */
export function attach(
  bridge: BridgeContext,
  { params, client }: Request<NewSessionParams>,
  session: AgentSession,
): SessionConnection {
  const before = bridge.sessions.get(session.id)
  if (before?.busy) throw new AgentError('busy', 'a turn is running in this session')
  before?.detach()
  const connection = connectSession({
    session,
    client,
    profile: clientProfile(bridge.capabilities),
    roots: rootPairs(session, params),
    bridge,
  })
  bridge.sessions.set(session.id, connection)
  return connection
}

/** The names under which the session's directories may turn up in paths. */
export function rootPairs(
  session: Pick<AgentSession, 'cwd' | 'roots'>,
  params: NewSessionParams,
): RootPair[] {
  const named = [session.cwd, ...params.additionalDirectories]
  const pairs = session.roots.map((real, index): RootPair => [named[index] ?? real, real])
  return [...pairs, ...named.map((raw): RootPair => [raw, raw])]
}
