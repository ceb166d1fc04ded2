// Stages 5 and 6: the content takes its final form, everything is frozen, and observers are told.
import { emit, silence } from '#registry/emit.ts'
import { failureFrom } from '#registry/failure.ts'
import { freezeResult } from '#registry/result.ts'
import type { ToolExecutionResult } from '#registry/types.ts'
import { type Call, withoutNestedMeta } from './create.ts'
import { checkContent } from './project.ts'

/** Calls the captured finalizer exactly once; what it throws becomes the result and it is not called again. */
export function finalize(call: Call, outcome: ToolExecutionResult): ToolExecutionResult {
  try {
    const result = freezeResult({ ...outcome, content: checkContent(call.exec.name, outcome.content) })
    const content: unknown = call.finalize?.(call.exec, result)
    silence(content)
    return content === undefined
      ? result
      : freezeResult({ ...result, content: checkContent(call.exec.name, content) })
  } catch (thrown) {
    const failed = withoutNestedMeta(call, failureFrom(thrown))
    const { additionalContexts } = outcome
    return freezeResult(additionalContexts === undefined ? failed : { ...failed, additionalContexts })
  }
}

/** Tells the observers of `tools/result`, and waits for those that are asynchronous. Never rejects. */
export async function publish(call: Call, result: ToolExecutionResult): Promise<void> {
  await emit(call.viewer.layer, call.core.log, 'tools/result', call.exec, result)
}
