// The innermost part of stage 3: the tool's own code, under a fused signal.
import type { UserMessage } from '#model/message.ts'
import { snapshotContexts } from '#registry/content.ts'
import { emit } from '#registry/emit.ts'
import { ToolArgsError } from '#registry/errors.ts'
import { aborted, abortedBeforeDispatch, failureFrom } from '#registry/failure.ts'
import type { ToolEntry } from '#registry/layer.ts'
import { attach, freezeResult } from '#registry/result.ts'
import { fuseSignals } from '#registry/signal.ts'
import type {
  ToolDispatchExecution,
  ToolExecutionResult,
  ToolReport,
  ToolRunContext,
} from '#registry/types.ts'
import { type Call, withoutNestedMeta } from './create.ts'
import { project } from './project.ts'

/** Runs the body once. What the tool throws is a failure here, so a wrapper's `next()` never rejects because of it. */
export async function runBody(
  call: Call,
  entry: ToolEntry,
  dispatch: ToolDispatchExecution,
): Promise<ToolExecutionResult> {
  const installed: unknown = dispatch.signal
  if (!(installed instanceof AbortSignal)) throw new TypeError('a tools/execute wrapper removed the signal')
  const fused = fuseSignals(call.exec.signal, installed)
  try {
    return freezeResult(attach(await invoke(call, entry, fused.signal), call.deferred))
  } finally {
    fused.release()
  }
}

async function invoke(call: Call, entry: ToolEntry, signal: AbortSignal): Promise<ToolExecutionResult> {
  const args = call.exec.arguments ?? null
  if (signal.aborted) return abortedBeforeDispatch()
  try {
    const violations = entry.definition.validate?.(args) ?? []
    if (violations.length > 0) return failureFrom(new ToolArgsError(violations))
    const announced = emit(call.viewer.layer, call.core.log, 'tools/started', call.exec)
    if (announced !== undefined) await announced
    if (signal.aborted) return abortedBeforeDispatch()
    call.invoked = true
    call.open = true
    let produced: unknown
    try {
      produced = await entry.definition.execute(args, runContext(call, signal))
    } finally {
      call.open = false
    }
    if (signal.aborted) return aborted()
    const success: ToolExecutionResult = { isError: false, ...project(entry, call.exec, produced) }
    return call.concludes ? { ...success, concludesTurn: true } : success
  } catch (thrown) {
    return withoutNestedMeta(call, failureFrom(thrown))
  }
}

function runContext(call: Call, signal: AbortSignal): ToolRunContext {
  const { core, viewer, exec } = call
  return Object.freeze({
    ...exec,
    signal,
    deferContext(message: UserMessage): void {
      if (call.open) call.deferred.push(...snapshotContexts([message]))
    },
    concludeTurn(): void {
      if (call.open) call.concludes = true
    },
    async report(report: ToolReport): Promise<void> {
      if (call.open) await emit(viewer.layer, core.log, 'tools/report', exec, report)
    },
  })
}
