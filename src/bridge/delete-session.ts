// `session/delete`: removes the session and everything of it; unknown ids succeed quietly.
import type { DeleteSessionRequest, DeleteSessionResponse } from '@agentclientprotocol/sdk'
import type { BridgeContext } from './context.ts'

export async function deleteSession(
  bridge: BridgeContext,
  { params }: { params: DeleteSessionRequest },
): Promise<DeleteSessionResponse> {
  const connection = bridge.sessions.get(params.sessionId)
  bridge.sessions.delete(params.sessionId)
  await connection?.close()
  await bridge.agent.remove(params.sessionId)
  return {}
}
