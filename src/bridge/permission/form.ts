// A form for the person, in the client: what the agent or a server of the session wants to know.
import {
  methods,
  type AgentContext,
  type CreateElicitationRequest,
  type ElicitationSchema,
} from '@agentclientprotocol/sdk'
import type { AskForm } from '#registry/form.ts'

/** For clients that announced forms. Rejects on an error reply; anything that is no answer declines. */
export function formAsker(sessionId: string, client: AgentContext): AskForm {
  return async ({ server, message, schema }, signal) => {
    const request: CreateElicitationRequest = {
      mode: 'form',
      sessionId,
      message: server === undefined ? message : `${server}: ${message}`,
      requestedSchema: schema as ElicitationSchema,
    }
    const options = { cancellationSignal: signal, stopWaitingOnCancel: true }
    const reply: unknown = await client.request(methods.client.elicitation.create, request, options)
    const { formAnswer } = await import('./form-answer.ts')
    return formAnswer(reply)
  }
}
