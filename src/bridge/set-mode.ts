// `session/set_mode`: the change itself is an event of the session, which updates the client.
import type { SetSessionModeRequest, SetSessionModeResponse } from '@agentclientprotocol/sdk'
import { openSession, type BridgeContext } from './context.ts'
import { MODES } from '#agent/modes.ts'
import { isMode } from './modes.ts'
import { invalidParams } from './wire-error.ts'

export function setMode(
  bridge: BridgeContext,
  { params }: { params: SetSessionModeRequest },
): SetSessionModeResponse {
  const { session } = openSession(bridge, params.sessionId)
  if (!isMode(params.modeId)) {
    throw invalidParams(
      `unknown mode ${JSON.stringify(params.modeId)}: one of ${MODES.map((mode) => mode.id).join(', ')}`,
    )
  }
  session.setMode(params.modeId)
  return {}
}
