// Stage 1: the pre-execute waterfall decides whether the call is allowed, denied, or a person's to decide.
import { abortedBeforeDispatch, failure, failureFrom } from '#registry/failure.ts'
import type { Grant, PreToolDecision } from '#registry/types.ts'
import { runWaterfall } from '#registry/waterfall.ts'
import { approve } from './approval.ts'
import { type Call, settleWith } from './create.ts'
import { runGuards } from './guards.ts'

const ALLOW: PreToolDecision = { kind: 'allow' }

/** Stages 1, 1b and 2. Sets an outcome unless the call may be dispatched. Never rejects. */
export async function decide(call: Call): Promise<void> {
  const decision = await askListeners(call)
  if (decision === undefined) return
  if (decision.kind === 'deny') return settleWith(call, failure({ message: decision.reason }), false)
  if (call.exec.signal.aborted) return settleWith(call, abortedBeforeDispatch(), false)
  if (decision.kind === 'ask') await approve(call, decision)
  if (call.outcome === undefined) runGuards(call)
}

async function askListeners(call: Call): Promise<PreToolDecision | undefined> {
  const listeners = call.viewer.layer.chain('tools/pre-execute')
  if (listeners.length === 0) return ALLOW
  try {
    return checked(await runWaterfall(listeners, [call.exec], async () => ALLOW))
  } catch (thrown) {
    settleWith(call, failureFrom(thrown), true)
    return undefined
  }
}

/** A copy that later changes of the listener's object can't reach. */
function checked(decision: PreToolDecision): PreToolDecision {
  const kind = decision?.kind
  if (kind === 'allow') return ALLOW
  if (kind === 'deny') {
    const { reason } = decision
    if (typeof reason === 'string')
      return { kind, reason: reason || 'a policy of this session denies the call' }
  } else if (kind === 'ask') {
    const { reason, grant } = decision
    const known =
      (reason === undefined || typeof reason === 'string') && (grant === undefined || isGrant(grant))
    if (known) return { kind, ...(reason !== undefined && { reason }), ...(grant !== undefined && { grant }) }
  }
  throw new TypeError(
    'a tools/pre-execute listener answered with no decision that is known; the call was not run',
  )
}

function isGrant(grant: unknown): boolean {
  if (typeof grant !== 'object' || grant === null) return false
  const { label, remember } = grant as Partial<Grant>
  return typeof label === 'string' && typeof remember === 'function'
}
