// Stage 0: identity is frozen, the finalizer captured, the arguments materialized; what can't go on ends here.
import { faultMessage, materialize } from '#json/materialize.ts'
import type { UserMessage } from '#model/message.ts'
import type { Core, Viewer } from '#registry/core.ts'
import { findTool, refuseDirectCall } from '#registry/core.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { ToolArgsError } from '#registry/errors.ts'
import { abortedBeforeDispatch, failureFrom } from '#registry/failure.ts'
import type {
  ToolExecution,
  ToolExecutionInput,
  ToolExecutionResult,
  ToolExecutionToken,
} from '#registry/types.ts'

/** One execution on its way through the stages. */
export interface Call {
  readonly core: Core
  readonly viewer: Viewer
  readonly exec: ToolExecution
  readonly finalize: ToolDefinition['finalizeContent']
  /** The result so far; the stages between the one that set it and post-execute are skipped. */
  outcome: ToolExecutionResult | undefined
  /** Whether post-execute listeners see the outcome. */
  skipsPostExecute: boolean
  /** Whether the body was started. */
  invoked: boolean
  /** Whether the body runs, so that what it reports, defers or concludes counts. */
  open: boolean
  /** Messages that the body deferred. */
  readonly deferred: UserMessage[]
  /** Messages that execute wrappers added. */
  wrapperContexts: UserMessage[]
  concludes: boolean
}

/** Ends the call with this outcome. */
export function settleWith(call: Call, outcome: ToolExecutionResult, skipsPostExecute: boolean): void {
  call.outcome = withoutNestedMeta(call, outcome)
  call.skipsPostExecute = skipsPostExecute
}

/** Meta is for cards of calls that the model made; nested calls have none. */
export function withoutNestedMeta(call: Call, result: ToolExecutionResult): ToolExecutionResult {
  if (call.exec.parent === undefined || result.meta === undefined) return result
  const { meta: _dropped, ...rest } = result
  return rest
}

/** Reads each property of the input once. Throws a `TypeError` on an input that no result could answer. */
export function createCall(core: Core, input: ToolExecutionInput): Call {
  const { callId, rootCallId, name, arguments: given, scope, parent, signal } = input
  if (typeof callId !== 'string' || callId === '') throw new TypeError('callId must be a non-empty string')
  if (typeof name !== 'string') throw new TypeError('name must be a string')
  if (!(signal instanceof AbortSignal)) throw new TypeError('signal is required and must be an AbortSignal')
  const viewer: Viewer = { layer: core.layerOf(scope), nested: parent !== undefined }
  const copy = materialize(given)
  const exec: ToolExecution = Object.freeze({
    callId,
    rootCallId: rootCallId ?? callId,
    name,
    arguments: copy.ok ? copy.value : undefined,
    token: Symbol(callId) as ToolExecutionToken,
    signal,
    ...(scope !== undefined && { scope }),
    ...(parent !== undefined && { parent }),
  })
  const definition = findTool(core, viewer, name)?.definition
  const call: Call = {
    core,
    viewer,
    exec,
    finalize: definition?.finalizeContent?.bind(definition),
    outcome: undefined,
    skipsPostExecute: false,
    invoked: false,
    open: false,
    deferred: [],
    wrapperContexts: [],
    concludes: false,
  }
  const refusal = refuseDirectCall(core, viewer, name)
  if (!copy.ok)
    settleWith(call, failureFrom(new ToolArgsError([faultMessage(copy.fault, copy.path, 'arguments')])), true)
  else if (signal.aborted) settleWith(call, abortedBeforeDispatch(), true)
  else if (refusal !== undefined) settleWith(call, failureFrom(refusal), true)
  return call
}
