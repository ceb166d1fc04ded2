// The pipeline: the one place that knows the order of the stages (registry.md §4).
import type { Core } from './core.ts'
import { emit } from './emit.ts'
import { createCall } from './stages/create.ts'
import { dispatch } from './stages/execute.ts'
import { aborted } from './failure.ts'
import { attach, freezeResult } from './result.ts'
import { finalize, publish } from './stages/finalize.ts'
import { decide } from './stages/policy.ts'
import { postExecute } from './stages/post-execute.ts'
import type { ToolExecution, ToolExecutionInput, ToolExecutionResult } from './types.ts'

/** A call whose policy has been decided. Both steps run once, however often they are called, and never reject. */
export interface PreparedCall {
  readonly exec: ToolExecution
  /** Whether there is a body to run: false when the call has been denied or has failed already. */
  readonly runs: boolean
  /** Stage 3. Settles when the body has. */
  dispatch(): Promise<void>
  /** Stages 4–6, after dispatch. */
  settle(): Promise<ToolExecutionResult>
  /**
   * For a loop that gives up on a body: from now on what it reports or defers is dropped. Returns `ABORTED`, with the
   * messages deferred so far; the caller does not settle the call any more.
   */
  abandon(): ToolExecutionResult
}

/** Stages 0–2. Rejects with a `TypeError` only on an input that no result could answer. */
export async function prepareCall(core: Core, input: ToolExecutionInput): Promise<PreparedCall> {
  const call = createCall(core, input)
  const announced = emit(call.viewer.layer, core.log, 'tools/call', call.exec)
  if (announced !== undefined) await announced
  if (call.outcome === undefined) await decide(call)
  let dispatched: Promise<void> | undefined
  let settled: Promise<ToolExecutionResult> | undefined
  const runDispatch = (): Promise<void> =>
    (dispatched ??= call.outcome === undefined ? dispatch(call) : Promise.resolve())
  const runSettle = async (): Promise<ToolExecutionResult> => {
    await runDispatch()
    if (call.outcome === undefined) throw new Error('the pipeline has lost a call')
    const result = finalize(call, await postExecute(call, call.outcome))
    await publish(call, result)
    return result
  }
  return {
    exec: call.exec,
    runs: call.outcome === undefined,
    dispatch: runDispatch,
    settle: () => (settled ??= runSettle()),
    abandon: () => {
      call.open = false
      return freezeResult(attach(aborted(), call.deferred))
    },
  }
}
