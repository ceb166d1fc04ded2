// A form for the person, in the client: what the agent or a server of the session wants to know.
import { z } from 'zod'
import {
  methods,
  type AgentContext,
  type CreateElicitationRequest,
  type ElicitationSchema,
} from '@agentclientprotocol/sdk'
import type { AskForm } from '#registry/form.ts'

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])
const Answer = z.discriminatedUnion('action', [
  z.object({ action: z.literal('accept'), content: z.record(z.string(), Value).nullish() }),
  z.object({ action: z.literal('decline') }),
  z.object({ action: z.literal('cancel') }),
])

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
    const answer = Answer.safeParse(reply)
    if (!answer.success) return { action: 'decline' }
    return answer.data.action === 'accept'
      ? { action: 'accept', content: answer.data.content ?? {} }
      : answer.data
  }
}
