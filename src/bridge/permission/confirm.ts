// Asking before a command changes files: a card of its own, then the usual prompt, then the outcome on the card.
import { thrownMessage } from '#json/thrown.ts'
import { randomUUID } from 'node:crypto'
import { methods, type AgentContext, type ToolCall } from '@agentclientprotocol/sdk'
import type { AgentSession } from '#agent/port.ts'
import type { Log } from '#registry/types.ts'
import { textContent } from '#bridge/cards/card.ts'
import { diffContent } from '#bridge/cards/clip.ts'
import { absolutePath } from '#bridge/cards/path.ts'
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
}

/** What `work` gave, or undefined when it was not allowed. Fails closed; a throw of `work` fails the card and is passed on. */
export async function confirm(options: ConfirmOptions, question: Question): Promise<string | undefined> {
  const { outgoing, session } = options
  const card = cardOf(question, session.cwd)
  outgoing.send({ sessionUpdate: 'tool_call', ...card })
  await outgoing.flush()
  const { toolCallId } = card
  const end = (status: 'completed' | 'failed', text?: string): void => {
    const content = text === undefined ? {} : { content: [...(card.content ?? []), textContent(text)] }
    outgoing.send({ sessionUpdate: 'tool_call_update', toolCallId, status, ...content })
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

function cardOf({ title, diffs }: Question, cwd: string): ToolCall {
  const locations = diffs.map(({ path }) => ({ path: absolutePath(path, cwd) }))
  return {
    toolCallId: `command-${randomUUID()}`,
    title,
    kind: 'edit',
    status: 'pending',
    content: diffContent(diffs, (path) => absolutePath(path, cwd)),
    locations,
    rawInput: { paths: locations.map(({ path }) => path) },
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
