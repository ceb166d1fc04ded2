// Recording: what happens to the calls of a scope becomes events of its session.
import type { Scope } from '#registry/scope.ts'
import type { ToolExecution, ToolReport } from '#registry/types.ts'
import { assertNever } from '#registry/view.ts'
import type { LiveSession } from './live-session.ts'

/** Installs the listeners; they leave with the scope. Calls that were given up report into the void. */
export function recordCalls(scope: Scope, session: LiveSession): void {
  scope.on('tools/preview', (exec, view) => void session.record({ type: 'tool_preview', callId: exec.callId, view }))
  scope.on('tools/started', async (exec) => {
    session.record({ type: 'tool_started', callId: exec.callId })
    await session.written()
  })
  scope.on('tools/report', (exec, report) => {
    if (!session.isCommitted(exec.callId)) recordReport(session, exec, report)
  })
}

function recordReport(session: LiveSession, exec: ToolExecution, report: ToolReport): void {
  switch (report.kind) {
    case 'output':
      session.record({ type: 'tool_output', callId: exec.callId, data: report.data })
      break
    case 'progress': {
      const { kind: _kind, ...progress } = report
      session.show({ type: 'tool_progress', callId: exec.callId, ...progress })
      break
    }
    case 'todos':
      session.record({ type: 'todos', todos: report.todos })
      break
    case 'observed': {
      const { kind: _kind, ...observation } = report
      session.record({ type: 'observed', ...observation })
      break
    }
    case 'snapshot': {
      const { kind: _kind, ...snapshot } = report
      session.record({ type: 'snapshot', turnId: session.turnId, ...snapshot })
      break
    }
    default:
      assertNever(report)
  }
}
