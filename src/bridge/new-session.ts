// `session/new`: a session in a directory, at once; nothing slow happens here.
import { RequestError, type NewSessionResponse } from '@agentclientprotocol/sdk'
import type { AgentSession } from '#agent/port.ts'
import { requireModel } from './authenticate.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import type { BridgeContext, Request } from './context.ts'
import { requireDirectory, usableDirectories } from './directory.ts'
import { modeState } from './modes.ts'
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
  const session = await bridge.agent.create({ cwd: params.cwd, additionalDirectories })
  if (signal.aborted) {
    await session.close()
    throw RequestError.requestCancelled()
  }
  const connection = attach(bridge, request, session)
  // Behind the response: it is queued in the microtasks that follow this handler.
  setImmediate(connection.release)
  return { sessionId: session.id, modes: modeState(session.modeId) }
}

/** Connects a session to the client; its updates wait for `release`. */
export function attach(
  bridge: BridgeContext,
  { params, client }: Request<NewSessionParams>,
  session: AgentSession,
): SessionConnection {
  const connection = connectSession({
    session,
    client,
    profile: clientProfile(bridge.capabilities),
    roots: rootPairs(session, params),
    log: bridge.log,
  })
  bridge.sessions.set(session.id, connection)
  if (params.mcpServers.length > 0) {
    connection.tell({
      type: 'notice',
      severity: 'warning',
      title: 'MCP servers are not supported yet',
      description: `ignored: ${params.mcpServers.join(', ')}`,
    })
  }
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
