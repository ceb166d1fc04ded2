// A tool definition and its three audiences: model, host, UI (registry.md §1).
import type { JsonObject, JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { ToolExecution, ToolExecutionResult, ToolRunContext } from './types.ts'
import type { ToolCallView, ToolResultView } from './view.ts'

/** What a result presenter is given: stored data only, so that it works on replay. */
export interface PresentedResult {
  content: ContentBlock[]
  isError: boolean
  meta?: JsonValue
}

export interface ToolOutput {
  /** JSON Schema inside the enforced subset. */
  schema: JsonObject
  /** Pure projection of the canonical value for the model. */
  render(args: JsonValue, value: JsonValue): ContentBlock[]
  /** Pure projection of the canonical value for presenters. */
  presentationMeta?(args: JsonValue, value: JsonValue): JsonValue | undefined
}

/** A raw definition, as the registry holds it. Authors write `defineTool`, which makes one. */
export interface ToolDefinition {
  name: string
  description: string
  /** JSON Schema sent to the model as it is. */
  parameters: JsonObject
  output: ToolOutput
  /** Returns the canonical value. Must forward `exec.signal` and settle only when its own work has stopped. */
  execute(args: JsonValue, exec: ToolRunContext): JsonValue | Promise<JsonValue>
  /** Synchronous, once per outcome; may replace the content only. */
  finalizeContent?(exec: ToolExecution, result: ToolExecutionResult): ContentBlock[] | undefined
  /** Milliseconds; declares that the body stops on abort. */
  timeoutMs?: number
  /** The tool may be absent when its calls are drawn again: the session stores its views. */
  external?: true
  /** Only an exact `true` lets the call overlap others. */
  isConcurrencySafe?(args: JsonValue): boolean
  /** The call view with knowledge of the world; side-effect free; only before somebody is asked. */
  preview?(args: JsonValue, exec: ToolExecution): Promise<ToolCallView | undefined>
  /** Violations of the arguments; none when they are valid. */
  validate?(args: JsonValue): string[]
  /** Pure and total. */
  presentCall?(args: JsonValue): ToolCallView | undefined
  /** Pure and total. */
  presentResult?(args: JsonValue, result: PresentedResult): ToolResultView | undefined
}
