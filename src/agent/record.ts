// Recording: what happens to the calls of a scope becomes events of its session.
import type { Scope } from '#registry/scope.ts'
import type { Snapshot, ToolExecution, ToolReport } from '#registry/types.ts'
import { assertNever } from '#registry/view.ts'
import type { LiveSession } from './live-session.ts'
import { storedCallView } from './stored-view.ts'

/** Characters of live output that are kept of one call; what comes behind is in the tool's result or its file. */
const MAX_OUTPUT = 2 * 1024 * 1024

/** Installs the listeners; they leave with the scope. Calls that were given up report into the void. */
export function recordCalls(scope: Scope, session: LiveSession): void {
  const recorder = new Recorder(session)
  scope.on('tools/call', (exec) => {
    const view = storedCallView(session.presenters(exec.name), exec.arguments)
    if (view && recorder.follows(exec)) session.record({ type: 'tool_preview', callId: exec.callId, view })
  })
  scope.on('tools/preview', (exec, view) => {
    if (recorder.follows(exec)) session.record({ type: 'tool_preview', callId: exec.callId, view })
  })
  scope.on('tools/started', async (exec) => {
    if (!recorder.follows(exec)) return
    session.record({ type: 'tool_started', callId: exec.callId })
    await session.written()
  })
  scope.on('tools/report', (exec, report) => {
    if (!session.calls.isCommitted(exec.rootCallId)) recorder.report(exec, report)
  })
  scope.on('tools/result', (exec) => recorder.forget(exec.callId))
}

class Recorder {
  readonly #session: LiveSession
  readonly #outputs = new Map<string, number>()
  /** Nested calls that have a card, and no result yet. */
  readonly #nested = new Set<string>()
  /** Files of this turn whose first state is kept already. */
  #kept: { turnId: string; paths: Set<string> } = { turnId: '', paths: new Set() }

  constructor(session: LiveSession) {
    this.#session = session
  }

  /** Whether the log follows the call: every call of the model, and of those inside it the ones that have a card. */
  follows({ callId, rootCallId, parent }: ToolExecution): boolean {
    return parent === undefined || (this.#nested.has(callId) && !this.#session.calls.isCommitted(rootCallId))
  }

  report(exec: ToolExecution, report: ToolReport): void {
    const { callId } = exec
    const session = this.#session
    switch (report.kind) {
      case 'output':
        return this.follows(exec) ? this.#output(callId, report.data) : undefined
      case 'progress': {
        const { kind: _kind, ...progress } = report
        return this.follows(exec) ? session.show({ type: 'tool_progress', callId, ...progress }) : undefined
      }
      case 'todos':
        return void session.record({ type: 'todos', todos: report.todos })
      case 'observed': {
        const { kind: _kind, ...observation } = report
        return void session.record({ type: 'observed', ...observation })
      }
      case 'snapshot':
        return this.#snapshot(report)
      case 'nested_call':
      case 'nested_result':
        return this.#nestedCall(callId, report)
      default:
        assertNever(report)
    }
  }

  #nestedCall(
    parentId: string,
    report: Extract<ToolReport, { kind: 'nested_call' | 'nested_result' }>,
  ): void {
    if (report.kind === 'nested_call') {
      const { kind: _kind, ...call } = report
      this.#nested.add(call.callId)
      this.#session.record({ type: 'code_call', parentId, ...call })
    } else {
      const { kind: _kind, ...result } = report
      this.#nested.delete(result.callId)
      this.#session.record({ type: 'tool_result', ...result })
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
  #snapshot({ path, before, left }: Snapshot): void {
    const { turnId } = this.#session
    if (this.#kept.turnId !== turnId) this.#kept = { turnId, paths: new Set() }
    if (this.#kept.paths.has(path) && left === undefined) return
    this.#kept.paths.add(path)
    this.#session.record({ type: 'snapshot', turnId, path, before, ...(left !== undefined && { left }) })
  }
}
