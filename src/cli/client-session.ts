// One prompt as an editor runs it: initialize, a new session, the prompt, permission questions, updates.
import {
  client,
  methods,
  PROTOCOL_VERSION,
  type PromptRequest,
  type PromptResponse,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
  type StopReason,
  type Stream,
} from '@agentclientprotocol/sdk'

export interface ClientSession {
  stream: Stream
  version: string
  /** Absolute. */
  cwd: string
  prompt: string
  onUpdate(update: SessionUpdate): void
  onPermission(request: RequestPermissionRequest, signal: AbortSignal): Promise<RequestPermissionResponse>
  /** Aborting it cancels the turn. */
  signal: AbortSignal
}

/** Resolves with the turn's stop reason; rejects with what the agent answered, or when it went away. */
export async function runPrompt(session: ClientSession): Promise<StopReason> {
  const app = client({ name: 'deckhand-demo' })
    .onNotification(methods.client.session.update, ({ params }) => session.onUpdate(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) =>
      session.onPermission(params, AbortSignal.any([signal, session.signal])),
    )
  return app.connectWith(session.stream, async (agent) => {
    await agent.request(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      clientInfo: { name: 'deckhand-demo', version: session.version },
      clientCapabilities: { session: { notices: {} }, _meta: { terminal_output: true } },
    })
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: session.cwd, mcpServers: [] })
    if (session.signal.aborted) return 'cancelled'
    session.signal.addEventListener(
      'abort',
      () => void agent.notify(methods.agent.session.cancel, { sessionId }),
      { once: true },
    )
    const request: PromptRequest = { sessionId, prompt: [{ type: 'text', text: session.prompt }] }
    const answer = await agent.request<PromptResponse, PromptRequest>(methods.agent.session.prompt, request)
    return answer.stopReason
  })
}
