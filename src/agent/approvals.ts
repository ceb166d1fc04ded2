// Approvals: the registry's questions find the session they belong to, and both question and answer are logged.
import type { ApprovalOutcome, ApprovalRequest, ApprovalService } from '#registry/types.ts'
import type { ApprovalDecision } from '#session/event.ts'
import type { LiveSession } from './live-session.ts'

/** `sessionOf` finds the open session of a scope. */
export function createApprovals(
  sessionOf: (scope: ApprovalRequest['scope']) => LiveSession | undefined,
): ApprovalService {
  return {
    async request(request) {
      const session = sessionOf(request.scope)
      if (session === undefined) return 'unavailable'
      const { callId, toolName, reason, grant } = request
      session.record({
        type: 'approval_asked',
        callId,
        toolName,
        ...(reason !== undefined && { reason }),
        ...(grant !== undefined && { label: grant.label }),
      })
      const decision = await ask(session, request)
      session.record({ type: 'approval_decided', callId, decision })
      return outcomeOf(decision)
    },
  }
}

async function ask(session: LiveSession, request: ApprovalRequest): Promise<ApprovalDecision> {
  if (session.asker === undefined) return { outcome: 'unavailable' }
  try {
    return await session.asker(request)
  } catch {
    return request.signal.aborted ? { outcome: 'cancelled' } : { outcome: 'unavailable' }
  }
}

function outcomeOf(decision: ApprovalDecision): ApprovalOutcome {
  switch (decision.outcome) {
    case 'allowed-once':
    case 'allowed-always':
      return 'allowed-once'
    case 'rejected':
      return decision.reason === undefined ? 'rejected' : { outcome: 'rejected', reason: decision.reason }
    case 'cancelled':
    case 'unavailable':
      return decision.outcome
  }
}
