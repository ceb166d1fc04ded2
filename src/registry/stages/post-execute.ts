// Stage 4: the post-execute waterfall accepts the outcome, reshapes it, or blocks it.
import type { UserMessage } from '#model/message.ts'
import { textOf } from '#model/content.ts'
import { snapshotContexts } from '#registry/content.ts'
import { findTool } from '#registry/core.ts'
import { ToolNotFoundError } from '#registry/errors.ts'
import { aborted, abortedBeforeDispatch, failure, failureFrom } from '#registry/failure.ts'
import { attach, freezeResult } from '#registry/result.ts'
import type { PostToolDecision, ToolExecutionResult } from '#registry/types.ts'
import { runWaterfall } from '#registry/waterfall.ts'
import { type Call, withoutNestedMeta } from './create.ts'
import { checkContent, project } from './project.ts'

const BLOCKED = 'the result was withheld by a policy of this session'

/** The outcome after the listeners, with its contexts in order: the tool's, the wrapper's, then theirs. */
export async function postExecute(call: Call, outcome: ToolExecutionResult): Promise<ToolExecutionResult> {
  const own = [...call.deferred, ...call.wrapperContexts]
  const listeners = call.skipsPostExecute ? [] : call.viewer.layer.chain('tools/post-execute')
  if (listeners.length === 0) return attach(outcome, own)
  const seen = freezeResult(attach(outcome, own))
  let settled: ToolExecutionResult
  try {
    const decision = await runWaterfall(
      listeners,
      [call.exec, seen],
      async (): Promise<PostToolDecision> => ({ kind: 'accept' }),
    )
    settled = apply(call, outcome, decision, own)
  } catch (thrown) {
    return attach(withoutNestedMeta(call, failureFrom(thrown)), own)
  }
  if (settled.isError || !call.exec.signal.aborted) return settled
  return attach(call.invoked ? aborted() : abortedBeforeDispatch(), settled.additionalContexts ?? [])
}

function apply(
  call: Call,
  outcome: ToolExecutionResult,
  decision: PostToolDecision,
  own: UserMessage[],
): ToolExecutionResult {
  const added = snapshotContexts(decision?.additionalContexts ?? [])
  switch (decision?.kind) {
    case 'accept':
      return attach(accept(call, outcome, decision), [...own, ...added])
    case 'block':
      return attach(block(call, decision.feedback), added)
    default:
      throw new TypeError('a tools/post-execute listener answered with no decision that is known')
  }
}

function accept(
  call: Call,
  outcome: ToolExecutionResult,
  decision: Extract<PostToolDecision, { kind: 'accept' }>,
): ToolExecutionResult {
  const { content, value } = decision
  if (value === undefined) {
    return content === undefined ? outcome : { ...outcome, content: checkContent(call.exec.name, content) }
  }
  if (content !== undefined)
    throw new TypeError('a tools/post-execute listener replaced both value and content')
  if (outcome.isError)
    throw new TypeError('a tools/post-execute listener replaced the value of a failed call')
  const entry = findTool(call.core, call.viewer, call.exec.name)
  if (entry === undefined) throw new ToolNotFoundError(call.exec.name)
  const replaced: ToolExecutionResult = { isError: false, ...project(entry, call.exec, value) }
  return outcome.concludesTurn ? { ...replaced, concludesTurn: true } : replaced
}

function block(call: Call, feedback: unknown): ToolExecutionResult {
  const content = checkContent(call.exec.name, feedback)
  const message = textOf(content)
  return content.length === 0
    ? failure({ message: BLOCKED })
    : { isError: true, error: { message: message || BLOCKED }, content }
}
