// Asking before a command changes files: a card of its own, then the usual prompt, then the outcome on the card.
import { thrownMessage } from '#json/thrown.ts'
import { randomUUID } from 'node:crypto'
import { methods, type AgentContext, type ToolCall } from '@agentclientprotocol/sdk'
import type { AgentSession } from '#agent/port.ts'
import type { Log } from '#registry/types.ts'
import type { CommandCard } from '#session/event.ts'
import { confirmCard, confirmEnd } from '#bridge/cards/confirm-card.ts'
import type { Question } from '#bridge/commands/command.ts'
import type { Outgoing } from '#bridge/outgoing.ts'
import { selectedOption } from './ask.ts'
import { ALLOW_ONCE, REJECT_ONCE } from './options.ts'

export interface ConfirmOptions {
  session: Pick<AgentSession, 'id' | 'cwd'>
  client: AgentContext
  outgoing: Pick<Outgoing, 'send' | 'flush'>
  signal: AbortSignal
  log: Log
  /** Told how it ended, before what was asked for is given or thrown. */
  ended(card: CommandCard): void
}

/** What `work` gave, or undefined when it was not allowed. Fails closed; a throw of `work` fails the card and is passed on. */
export async function confirm(options: ConfirmOptions, question: Question): Promise<string | undefined> {
  const { outgoing, session } = options
  const { title, diffs } = question
  const asked = { callId: `command-${randomUUID()}`, title, diffs }
  const card = confirmCard(asked, session.cwd)
  outgoing.send({ sessionUpdate: 'tool_call', ...card })
  await outgoing.flush()
  const { toolCallId } = card
  const end = (status: 'completed' | 'failed', text?: string): void => {
    const outcome = { status, ...(text !== undefined && { text }) }
    outgoing.send(confirmEnd(card, outcome))
    options.ended({ ...asked, ...outcome })
  }
  if (!(await allowed(options, card, question.allow))) {
    end('failed', options.signal.aborted ? 'Cancelled.' : 'Rejected.')
    return undefined
  }
  outgoing.send({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' })
  try {
    const text = await question.work()
    end('completed')
    return text
  } catch (error) {
    end('failed', thrownMessage(error))
    throw error
  }
}

async function allowed(
  { client, session, signal, log }: ConfirmOptions,
  toolCall: ToolCall,
  allow: string,
): Promise<boolean> {
  const offered = [
    { optionId: ALLOW_ONCE, kind: 'allow_once' as const, name: allow },
    { optionId: REJECT_ONCE, kind: 'reject_once' as const, name: 'Leave everything as it is' },
  ]
  try {
    const reply: unknown = await client.request(
      methods.client.session.requestPermission,
      { sessionId: session.id, toolCall, options: offered },
      { cancellationSignal: signal, stopWaitingOnCancel: true },
    )
    return !signal.aborted && selectedOption(reply) === ALLOW_ONCE
  } catch (error) {
    if (!signal.aborted)
      log('warn', 'a question was answered with an error: not allowed', { error: String(error) })
    return false
  }
}
