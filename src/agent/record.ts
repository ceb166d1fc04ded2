// Recording: what happens to the calls of a scope becomes events of its session.
import type { Scope } from '#registry/scope.ts'
import type { ToolExecution, ToolReport } from '#registry/types.ts'
import { assertNever } from '#registry/view.ts'
import type { LiveSession } from './live-session.ts'

/** Characters of live output that are kept of one call; what comes behind is in the tool's result or its file. */
const MAX_OUTPUT = 2 * 1024 * 1024

/** Installs the listeners; they leave with the scope. Calls that were given up report into the void. */
export function recordCalls(scope: Scope, session: LiveSession): void {
  const recorder = new Recorder(session)
  scope.on(
    'tools/preview',
    (exec, view) => void session.record({ type: 'tool_preview', callId: exec.callId, view }),
  )
  scope.on('tools/started', async (exec) => {
    session.record({ type: 'tool_started', callId: exec.callId })
    await session.written()
  })
  scope.on('tools/report', (exec, report) => {
    if (!session.calls.isCommitted(exec.callId)) recorder.report(exec, report)
  })
  scope.on('tools/result', (exec) => recorder.forget(exec.callId))
}

class Recorder {
  readonly #session: LiveSession
  readonly #outputs = new Map<string, number>()
  /** Files of this turn whose first state is kept already. */
  #kept: { turnId: string; paths: Set<string> } = { turnId: '', paths: new Set() }

  constructor(session: LiveSession) {
    this.#session = session
  }

  report({ callId }: ToolExecution, report: ToolReport): void {
    const session = this.#session
    switch (report.kind) {
      case 'output':
        return this.#output(callId, report.data)
      case 'progress': {
        const { kind: _kind, ...progress } = report
        return session.show({ type: 'tool_progress', callId, ...progress })
      }
      case 'todos':
        return void session.record({ type: 'todos', todos: report.todos })
      case 'observed': {
        const { kind: _kind, ...observation } = report
        return void session.record({ type: 'observed', ...observation })
      }
      case 'snapshot':
        return this.#snapshot(report.path, report.before)
      default:
        assertNever(report)
    }
  }

  forget(callId: string): void {
    this.#outputs.delete(callId)
  }

  #output(callId: string, data: string): void {
    const before = this.#outputs.get(callId) ?? 0
    if (before >= MAX_OUTPUT) return
    this.#outputs.set(callId, before + data.length)
    this.#session.record({ type: 'tool_output', callId, data })
  }

  /** What a rewind goes back to is the state before the first change of the turn. */
  #snapshot(path: string, before: string | null): void {
    const { turnId } = this.#session
    if (this.#kept.turnId !== turnId) this.#kept = { turnId, paths: new Set() }
    if (this.#kept.paths.has(path)) return
    this.#kept.paths.add(path)
    this.#session.record({ type: 'snapshot', turnId, path, before })
  }
}
