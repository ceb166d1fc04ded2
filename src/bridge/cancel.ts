// `session/cancel`: a notification; idle and unknown sessions are no-ops.
import type { CancelNotification } from '@agentclientprotocol/sdk'
import type { BridgeContext } from './context.ts'

export function cancel(bridge: BridgeContext, params: CancelNotification): void {
  bridge.sessions.get(params.sessionId)?.cancel()
}
