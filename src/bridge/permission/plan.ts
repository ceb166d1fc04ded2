// Asking for leave to carry out a plan. Fails closed: only an offered option that was selected in time approves.
import type { PermissionOption } from '@agentclientprotocol/sdk'
import type { PlanAnswer, PlanAsker, PlanQuestion } from '#agent/port.ts'
import { textContent } from '#bridge/cards/card.ts'
import { wasCancelled, selectedOption, type AskerOptions } from './ask.ts'
import { REJECT_ONCE } from './options.ts'
import { createQueue } from './queue.ts'
import { askReason } from './reason.ts'

/** The ids of the modes in which it may go on. */
const ASK = 'ask'
const ACCEPT_EDITS = 'accept-edits'

const OPTIONS: readonly PermissionOption[] = [
  { optionId: ASK, kind: 'allow_once', name: 'Yes, and ask before each change' },
  { optionId: ACCEPT_EDITS, kind: 'allow_always', name: 'Yes, and accept edits without asking' },
  { optionId: REJECT_ONCE, kind: 'reject_once', name: 'No, keep planning' },
]

/** The question stands on the announced card. Rejects when the client could not ask, or gave no offered answer. */
export function createPlanAsker(options: AskerOptions): PlanAsker {
  const { queue = createQueue() } = options
  return async (question) =>
    (await queue(question.signal, () => ask(options, question))) ?? { kind: 'cancelled' }
}

async function ask(options: AskerOptions, question: PlanQuestion): Promise<PlanAnswer> {
  const { callId, plan, signal } = question
  const { sessionId, log } = options
  const toolCall = options.card(callId) ?? {
    toolCallId: callId,
    title: 'Plan to carry out',
    kind: 'switch_mode' as const,
    status: 'pending' as const,
    content: [textContent(plan)],
  }
  await options.flush()
  if (signal.aborted) return { kind: 'cancelled' }
  let reply: unknown
  try {
    const params = { sessionId, toolCall, options: [...OPTIONS] }
    reply = await options.request(params, { cancellationSignal: signal, stopWaitingOnCancel: true })
  } catch (error) {
    if (signal.aborted) return { kind: 'cancelled' }
    log('warn', `plan of ${callId} not approved: the client answered with an error`, { error: String(error) })
    throw new Error('the plan could not be shown to the user; plan mode stays', { cause: error })
  }
  return signal.aborted ? { kind: 'cancelled' } : answerOf(options, question, reply)
}

async function answerOf(
  { elicit, sessionId, clock, log }: AskerOptions,
  { callId, signal }: PlanQuestion,
  reply: unknown,
): Promise<PlanAnswer> {
  if (wasCancelled(reply)) return { kind: 'cancelled' }
  const chosen = selectedOption(reply)
  if (chosen === ASK || chosen === ACCEPT_EDITS) return { kind: 'approved', mode: chosen }
  if (chosen === REJECT_ONCE) {
    const reason = elicit && (await askReason({ elicit, sessionId, callId, signal, ...(clock && { clock }) }))
    return { kind: 'rejected', ...(reason !== undefined && { reason }) }
  }
  log('warn', `plan of ${callId} not approved: not an offered answer`, { received: reply })
  throw new Error('the plan was not approved: the answer is none that was offered; plan mode stays')
}
