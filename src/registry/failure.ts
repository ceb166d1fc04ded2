// Failures as results: from anything thrown, and for the outcomes that the pipeline itself decides.
import { JsonSchemaError } from '#json/schema-error.ts'
import { materialize } from '#json/materialize.ts'
import type { JsonValue } from '#json/value.ts'
import { ToolError } from './errors.ts'
import { thrownMessage } from '#json/thrown.ts'
import type { ToolErrorInfo, ToolExecutionFailure, ToolFailure } from './types.ts'

/** A failure with its one text block. */
export function failure(error: ToolFailure, meta?: JsonValue): ToolExecutionFailure {
  const content = [{ type: 'text' as const, text: `Error: ${error.message}` }]
  return meta === undefined ? { isError: true, error, content } : { isError: true, error, content, meta }
}

/** Any thrown value as a failure; only typed errors carry `info`, and only they may carry presentation meta. */
export function failureFrom(thrown: unknown): ToolExecutionFailure {
  const message = thrownMessage(thrown)
  try {
    if (thrown instanceof ToolError) {
      const meta = thrown.meta === undefined ? undefined : materialize(thrown.meta)
      return failure({ message, info: infoOf(thrown) }, meta?.ok ? meta.value : undefined)
    }
    if (thrown instanceof JsonSchemaError) return failure({ message, info: infoOf(thrown) })
  } catch {
    // A proxy that can't even be asked what it is: an untyped failure.
  }
  return failure({ message })
}

function infoOf(error: ToolError | JsonSchemaError): ToolErrorInfo {
  return { name: String(error.name), code: String(error.code) }
}

/** The call was given up before its body ran. */
export function abortedBeforeDispatch(): ToolExecutionFailure {
  return failureFrom(
    new ToolError('ABORTED_BEFORE_DISPATCH', 'the call was cancelled before it started; nothing was done'),
  )
}

/** The call was given up while its body ran. */
export function aborted(): ToolExecutionFailure {
  return failureFrom(new ToolError('ABORTED', 'the call was cancelled while it ran; it may have had effects'))
}
