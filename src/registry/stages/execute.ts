// Stage 3: the execute waterfall around the body; the only place where the signal may be replaced.
import { materialize } from '#json/materialize.ts'
import type { UserMessage } from '#model/message.ts'
import { snapshotContexts } from '#registry/content.ts'
import { findTool } from '#registry/core.ts'
import { ToolNotFoundError } from '#registry/errors.ts'
import { aborted, abortedBeforeDispatch, failure, failureFrom } from '#registry/failure.ts'
import type { ToolEntry } from '#registry/layer.ts'
import type { ToolDispatchExecution, ToolExecutionResult, ToolFailure } from '#registry/types.ts'
import { runWaterfall } from '#registry/waterfall.ts'
import { runBody } from './body.ts'
import { type Call, settleWith } from './create.ts'
import { project } from './project.ts'

/** Sets the outcome of the body as its wrappers have left it. Never rejects. */
export async function dispatch(call: Call): Promise<void> {
  const { core, viewer, exec } = call
  if (exec.signal.aborted) return settleWith(call, abortedBeforeDispatch(), false)
  const entry = findTool(core, viewer, exec.name)
  if (entry === undefined) return settleWith(call, failureFrom(new ToolNotFoundError(exec.name)), false)
  const state = dispatchExecution(call)
  let bodyResult: ToolExecutionResult | undefined
  const body = async (): Promise<ToolExecutionResult> => (bodyResult = await runBody(call, entry, state))
  let result: ToolExecutionResult
  try {
    const wrappers = viewer.layer.chain('tools/execute')
    result = wrappers.length === 0 ? await body() : await runWaterfall(wrappers, [state], body)
    if (bodyResult === undefined || result !== bodyResult) result = adopt(call, entry, result, bodyResult)
  } catch (thrown) {
    return settleWith(call, failureFrom(thrown), true)
  }
  if (!result.isError && exec.signal.aborted) result = call.invoked ? aborted() : abortedBeforeDispatch()
  settleWith(call, result, false)
}

function dispatchExecution(call: Call): ToolDispatchExecution {
  const state = { ...call.exec }
  for (const key of Object.keys(state)) {
    Object.defineProperty(state, key, { writable: key === 'signal', configurable: false })
  }
  return Object.preventExtensions(state)
}

/** A result that a wrapper wrote, or took from another call, is made this call's own. Throws on anything else. */
function adopt(
  call: Call,
  entry: ToolEntry,
  authored: ToolExecutionResult,
  ofBody: ToolExecutionResult | undefined,
): ToolExecutionResult {
  if (typeof authored !== 'object' || authored === null)
    throw new TypeError('a tools/execute wrapper returned no result')
  call.wrapperContexts = addedContexts(call, authored.additionalContexts)
  if (authored.isError === true) return adoptFailure(authored)
  if (authored.isError !== false) throw new TypeError('a tools/execute wrapper returned no result')
  // A wrapper that rewrites a success does not thereby take back that the tool has concluded the turn.
  const concludes =
    authored.concludesTurn === true || (ofBody?.isError === false && ofBody.concludesTurn === true)
  try {
    const success: ToolExecutionResult = { isError: false, ...project(entry, call.exec, authored.value) }
    return concludes ? { ...success, concludesTurn: true } : success
  } catch (thrown) {
    return failureFrom(thrown)
  }
}

function adoptFailure(authored: Extract<ToolExecutionResult, { isError: true }>): ToolExecutionResult {
  const error: unknown = authored.error
  if (!isFailure(error)) throw new TypeError('a tools/execute wrapper returned a failure without a message')
  const { message, info } = error
  const typed = typeof info?.name === 'string' && typeof info.code === 'string'
  const meta = authored.meta === undefined ? undefined : materialize(authored.meta)
  const adopted = typed ? { message, info: { name: info.name, code: info.code } } : { message }
  return failure(adopted, meta?.ok ? meta.value : undefined)
}

function isFailure(error: unknown): error is ToolFailure {
  return (
    typeof error === 'object' && error !== null && 'message' in error && typeof error.message === 'string'
  )
}

/** The wrapper's own messages: what it passed on from the body is known already. */
function addedContexts(call: Call, contexts: unknown): UserMessage[] {
  if (!Array.isArray(contexts)) return []
  const known = new Set(call.deferred.map((message) => message.id))
  return snapshotContexts(contexts).filter((message) => !known.has(message.id))
}
