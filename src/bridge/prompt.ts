// `session/prompt`: one turn, or one command.
import type { PromptResponse } from '@agentclientprotocol/sdk'
import { openSession, type BridgeContext, type Request } from './context.ts'
import type { PromptParams } from './params.ts'
import { promptContent } from './prompt-content.ts'

export async function prompt(
  bridge: BridgeContext,
  { params, signal }: Request<PromptParams>,
): Promise<PromptResponse> {
  const connection = openSession(bridge, params.sessionId)
  const { input, notices } = promptContent(params.prompt, connection.session.cwd)
  return { stopReason: await connection.prompt({ ...input, trace: params.trace }, notices, signal) }
}
