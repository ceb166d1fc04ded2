// Stage 1b: a call that policy leaves to a person. Only `allowed-once` goes on.
import { findTool } from '#registry/core.ts'
import { ToolArgsError, ToolNotFoundError } from '#registry/errors.ts'
import { abortedBeforeDispatch, failure, failureFrom } from '#registry/failure.ts'
import type {
  ApprovalOutcome,
  ApprovalRequest,
  ApprovalService,
  PreToolDecision,
  ScopeKey,
} from '#registry/types.ts'
import { type Call, settleWith } from './create.ts'
import { preview } from './preview.ts'

type Ask = Extract<PreToolDecision, { kind: 'ask' }>

/** Sets an outcome unless the person has allowed the call. Never rejects. */
export async function approve(call: Call, ask: Ask): Promise<void> {
  const { core, exec, viewer } = call
  const entry = findTool(core, viewer, exec.name)
  if (entry === undefined) return settleWith(call, failureFrom(new ToolNotFoundError(exec.name)), false)
  try {
    const violations = entry.definition.validate?.(exec.arguments ?? null) ?? []
    if (violations.length > 0) return settleWith(call, failureFrom(new ToolArgsError(violations)), false)
  } catch (thrown) {
    return settleWith(call, failureFrom(thrown), false)
  }
  const nobody = `tool ${JSON.stringify(exec.name)} needs approval, and nobody is there to give it`
  const { approval } = core
  if (approval === undefined || exec.scope === undefined) return deny(call, ask.reason ?? nobody)
  await preview(call, entry)
  if (call.outcome !== undefined) return
  if (exec.signal.aborted) return settleWith(call, abortedBeforeDispatch(), false)
  await request(call, ask, approval, exec.scope)
}

function deny(call: Call, message: string): void {
  settleWith(call, failure({ message }), false)
}

async function request(call: Call, ask: Ask, approval: ApprovalService, scope: ScopeKey): Promise<void> {
  const { exec } = call
  const question: ApprovalRequest = {
    scope,
    toolName: exec.name,
    callId: exec.callId,
    signal: exec.signal,
    ...(ask.reason !== undefined && { reason: ask.reason }),
    ...(ask.grant !== undefined && { grant: ask.grant }),
  }
  let outcome: ApprovalOutcome
  try {
    outcome = await approval.request(question)
    applyOutcome(call, outcome)
  } catch (thrown) {
    settleWith(call, failureFrom(thrown), true)
  }
}

function applyOutcome(call: Call, outcome: ApprovalOutcome): void {
  const { name, signal } = call.exec
  const tool = `tool ${JSON.stringify(name)}`
  if (outcome === 'allowed-once') {
    if (signal.aborted) settleWith(call, abortedBeforeDispatch(), false)
  } else if (outcome === 'rejected') deny(call, rejectionOf(tool))
  else if (outcome === 'cancelled') {
    if (signal.aborted) settleWith(call, abortedBeforeDispatch(), false)
    else
      deny(call, `the question whether ${tool} may run was cancelled without an answer; the call was not run`)
  } else if (outcome === 'unavailable')
    deny(call, `approval for ${tool} is unavailable; the call was not run`)
  else if (outcome?.outcome === 'rejected' && typeof outcome.reason === 'string') {
    deny(call, rejectionOf(tool, outcome.reason))
  } else throw new TypeError('the approval service gave no answer that is known; the call was not run')
}

function rejectionOf(tool: string, reason = ''): string {
  if (reason.trim() === '') return `the user rejected this call of ${tool}; do not repeat it unchanged`
  return `the user rejected this call of ${tool} and said: ${reason}`
}
