// Views in the log: those of tools that may be absent when their calls are drawn again.
import { materialize } from '#json/materialize.ts'
import type { ToolExecutionResult } from '#registry/types.ts'
import type { ToolCallView, ToolResultView } from '#registry/view.ts'
import type { Presenters } from './port.ts'

/** Undefined for tools that draw their own replays, and where a presenter fails: the generic card then stands in. */
export function storedCallView(presenters: Presenters | undefined, args: unknown): ToolCallView | undefined {
  return stored(presenters, args, (given) => presenters?.presentCall?.(given))
}

/** The field of the result's event; null says that the tool draws the generic card. */
export function storedResultView(
  presenters: Presenters | undefined,
  args: unknown,
  { content, isError, meta }: ToolExecutionResult,
): { view?: ToolResultView | null } {
  if (presenters?.external !== true) return {}
  const result = { content, isError, ...(meta !== undefined && { meta }) }
  return { view: stored(presenters, args, (given) => presenters.presentResult?.(given, result)) ?? null }
}

function stored<View>(
  presenters: Presenters | undefined,
  args: unknown,
  present: (args: never) => View | undefined,
): View | undefined {
  if (presenters?.external !== true || args === undefined) return undefined
  try {
    const copy = materialize(present(args as never))
    return copy.ok ? (copy.value as View) : undefined
  } catch {
    return undefined
  }
}
