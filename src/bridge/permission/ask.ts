// Asking the person over the wire. Fails closed: only an offered option that was selected in time allows anything.
import type {
  CreateElicitationRequest,
  PermissionOption,
  RequestPermissionRequest,
  SendRequestOptions,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk'
import { isJsonObject, type JsonObject } from '#json/value.ts'
import type { Asker } from '#agent/port.ts'
import type { ApprovalRequest, Log } from '#registry/types.ts'
import type { ApprovalDecision } from '#session/event.ts'
import type { Clock } from '#bridge/pacing/clock.ts'
import { ALLOW_ALWAYS, ALLOW_ONCE, permissionOptions, REJECT_ONCE } from './options.ts'
import { createQueue, type Queue } from './queue.ts'
import { askReason } from './reason.ts'

export interface AskerOptions {
  sessionId: string
  /** Sends `session/request_permission`; rejects on an error reply or a closed connection. */
  request(params: RequestPermissionRequest, options: SendRequestOptions): Promise<unknown>
  /** Sends `elicitation/create`; absent where nobody is asked for reasons. */
  elicit?(params: CreateElicitationRequest, options: SendRequestOptions): Promise<unknown>
  clock?: Clock
  /** Where other questions to the same person wait too; default: one of its own. */
  queue?: Queue
  /** The announced call as last sent, the diff or command whole. */
  card(callId: string): ToolCallUpdate | undefined
  /** Everything that was said before the question. */
  flush(): Promise<void> | void
  log: Log
}

/** One question at a time, in the order of asking; one that is retracted while it waits is never sent. */
export function createAsker(options: AskerOptions): Asker {
  const { queue = createQueue() } = options
  return async (request) => (await queue(request.signal, () => ask(options, request))) ?? CANCELLED
}

const CANCELLED: ApprovalDecision = { outcome: 'cancelled' }
const UNAVAILABLE: ApprovalDecision = { outcome: 'unavailable' }

async function ask(options: AskerOptions, request: ApprovalRequest): Promise<ApprovalDecision> {
  const { signal, callId, toolName } = request
  const offered = permissionOptions(request.grant)
  const toolCall = options.card(callId) ?? {
    toolCallId: callId,
    title: toolName,
    name: toolName,
    status: 'pending' as const,
  }
  await options.flush()
  if (signal.aborted) return CANCELLED
  let reply: unknown
  try {
    const params = { sessionId: options.sessionId, toolCall, options: offered }
    reply = await options.request(params, { cancellationSignal: signal, stopWaitingOnCancel: true })
  } catch (error) {
    if (signal.aborted) return CANCELLED
    options.log('warn', `permission for ${callId} denied: the client answered with an error`, {
      error: String(error),
    })
    return UNAVAILABLE
  }
  return signal.aborted ? CANCELLED : decide(options, request, offered, reply)
}

async function decide(
  options: AskerOptions,
  { callId, grant, signal }: ApprovalRequest,
  offered: readonly PermissionOption[],
  reply: unknown,
): Promise<ApprovalDecision> {
  const { log } = options
  if (wasCancelled(reply)) {
    log('info', `permission for ${callId} denied: the client cancelled the question`)
    return CANCELLED
  }
  const chosen = selectedOption(reply)
  const option = offered.find((candidate) => candidate.optionId === chosen)
  if (option?.optionId === REJECT_ONCE) return rejected(options, callId, signal)
  if (option?.optionId === ALLOW_ONCE) return { outcome: 'allowed-once' }
  if (option?.optionId === ALLOW_ALWAYS && grant) {
    const kept = await remembered(grant, log)
    if (signal.aborted) return CANCELLED
    return kept ? { outcome: 'allowed-always', label: grant.label } : { outcome: 'allowed-once' }
  }
  const ids = offered.map((candidate) => candidate.optionId)
  log('warn', `permission for ${callId} denied: not an offered answer`, { offered: ids, received: reply })
  return UNAVAILABLE
}

async function rejected(
  { elicit, sessionId, clock }: AskerOptions,
  callId: string,
  signal: AbortSignal,
): Promise<ApprovalDecision> {
  const reason = elicit && (await askReason({ elicit, sessionId, callId, signal, ...(clock && { clock }) }))
  return { outcome: 'rejected', ...(reason !== undefined && { reason }) }
}

export function wasCancelled(reply: unknown): boolean {
  return outcomeOf(reply)?.['outcome'] === 'cancelled'
}

/** The id that an answer selects; undefined for every other outcome. */
export function selectedOption(reply: unknown): string | undefined {
  const { outcome, optionId } = outcomeOf(reply) ?? {}
  return outcome === 'selected' && typeof optionId === 'string' ? optionId : undefined
}

function outcomeOf(reply: unknown): JsonObject | undefined {
  const outcome = isJsonObject(reply) ? reply['outcome'] : undefined
  return isJsonObject(outcome) ? outcome : undefined
}

/** A grant that can't be stored still allows this one call, which the person did allow. */
async function remembered(grant: NonNullable<ApprovalRequest['grant']>, log: Log): Promise<boolean> {
  try {
    await grant.remember()
    return true
  } catch (error) {
    log('error', `could not remember: ${grant.label}`, { error: String(error) })
    return false
  }
}
