// `session/close`: cancels what runs, releases the session, keeps its log.
import type { CloseSessionRequest, CloseSessionResponse } from '@agentclientprotocol/sdk'
import { openSession, type BridgeContext } from './context.ts'

export async function closeSession(
  bridge: BridgeContext,
  { params }: { params: CloseSessionRequest },
): Promise<CloseSessionResponse> {
  const connection = openSession(bridge, params.sessionId)
  bridge.sessions.delete(params.sessionId)
  await connection.close()
  return {}
}
