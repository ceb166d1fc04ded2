// `_session/steering`: a message into the running turn, at its next step. The wire shape is that of other agents.
import { RequestError } from '@agentclientprotocol/sdk'
import { openSession, type BridgeContext, type Request } from './context.ts'
import type { SteeringParams } from './params.ts'
import { promptContent } from './prompt-content.ts'

export type SteeringResponse =
  | { outcome: 'injected' }
  | { outcome: 'promptRequired'; reason: 'noRunningTurn' }

export function steer(bridge: BridgeContext, { params }: Request<SteeringParams>): SteeringResponse {
  const connection = openSession(bridge, params.sessionId)
  const { input, notices } = promptContent(params.prompt, connection.session.cwd)
  if (connection.session.steer(input)) {
    for (const notice of notices) connection.tell(notice)
    return { outcome: 'injected' }
  }
  if (params.promptRequired) return { outcome: 'promptRequired', reason: 'noRunningTurn' }
  throw new RequestError(-32600, 'no turn is running in this session: send session/prompt instead')
}
