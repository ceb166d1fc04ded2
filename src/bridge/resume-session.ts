// `session/resume`: as load, without the replay.
import type { ResumeSessionResponse } from '@agentclientprotocol/sdk'
import { stateOf } from './config-options.ts'
import type { BridgeContext, Request } from './context.ts'
import { openStored } from './load-session.ts'
import { attach, welcome } from './new-session.ts'
import type { LoadSessionParams } from './params.ts'

export async function resumeSession(
  bridge: BridgeContext,
  request: Request<LoadSessionParams>,
): Promise<ResumeSessionResponse> {
  const session = await openStored(bridge, request)
  welcome(attach(bridge, request, session))
  return stateOf(session)
}
