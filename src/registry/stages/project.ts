// Projection: a canonical value is snapshotted, checked, and rendered for the model and for presenters.
import { faultMessage, materialize } from '#json/materialize.ts'
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import { contentFault } from '#registry/content.ts'
import { ToolOutputError } from '#registry/errors.ts'
import type { ToolEntry } from '#registry/layer.ts'
import { thrownMessage } from '#json/thrown.ts'
import type { ToolExecution } from '#registry/types.ts'

export interface Projection {
  value: JsonValue
  content: ContentBlock[]
  meta?: JsonValue
}

/** Throws `ToolOutputError` naming the tool and what is wrong. Everything returned is frozen. */
export function project(entry: ToolEntry, exec: ToolExecution, produced: unknown): Projection {
  const { output } = entry.definition
  const args = exec.arguments ?? null
  const value = snapshot(exec.name, produced, 'value')
  const violations = entry.checkOutput(value, 'value')
  if (violations.length > 0) throw new ToolOutputError(exec.name, violations)
  const content = renderSafely(exec.name, () => checkContent(exec.name, output.render(args, value)))
  if (exec.parent !== undefined || output.presentationMeta === undefined) return { value, content }
  const meta = renderSafely(exec.name, () => output.presentationMeta?.(args, value))
  return meta === undefined ? { value, content } : { value, content, meta: snapshot(exec.name, meta, 'meta') }
}

/** A frozen snapshot of content blocks; throws `ToolOutputError` when they are none. */
export function checkContent(toolName: string, content: unknown): ContentBlock[] {
  const copy = snapshot(toolName, content, 'content')
  const fault = contentFault(copy)
  if (fault !== undefined) throw new ToolOutputError(toolName, [fault])
  return copy as unknown as ContentBlock[]
}

function snapshot(toolName: string, given: unknown, label: string): JsonValue {
  const copy = materialize(given)
  if (!copy.ok) throw new ToolOutputError(toolName, [faultMessage(copy.fault, copy.path, label)])
  return copy.value
}

function renderSafely<T>(toolName: string, render: () => T): T {
  try {
    return render()
  } catch (thrown) {
    if (thrown instanceof ToolOutputError) throw thrown
    throw new ToolOutputError(toolName, [`it could not be rendered (${thrownMessage(thrown)})`], thrown)
  }
}
