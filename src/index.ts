// The library face: the registry, `defineTool`, the schema functions and the types a tool author needs.
import { installTimeout } from '#policy/timeout.ts'
import {
  createRegistry as createBareRegistry,
  type Registry,
  type RegistryOptions,
} from '#registry/registry.ts'

/** A registry with the timeout wrapper installed, as the product uses it. */
export function createRegistry(options?: RegistryOptions): Registry {
  const registry = createBareRegistry(options)
  installTimeout(registry)
  return registry
}

export { parameterSchemaSpecToJsonSchema, valueSchemaSpecToJsonSchema } from '#json/convert.ts'
export { JsonSchemaError } from '#json/schema-error.ts'
export type { InferArgs, InferValue, ParametersSpec, PropertySpec, ValueSpec } from '#json/spec.ts'
export { assertObjectJsonSchema, assertSupportedJsonSchema } from '#json/subset.ts'
export { validateArgs, validateJsonSchemaValue } from '#json/validate.ts'
export type { JsonObject, JsonValue } from '#json/value.ts'
export type { ContentBlock } from '#model/content.ts'
export type { UserMessage } from '#model/message.ts'
export type { ToolSchema } from '#model/port.ts'
export { defineTool, type ToolSpec } from '#registry/define-tool.ts'
export type { PresentedResult, ToolDefinition, ToolOutput } from '#registry/definition.ts'
export { ToolArgsError, ToolError, ToolNotFoundError, ToolOutputError } from '#registry/errors.ts'
export type { Listeners } from '#registry/events.ts'
export type { ExecutionMode } from '#registry/execution-mode.ts'
export type { PreparedCall } from '#registry/pipeline.ts'
export type { Deck, Plugin } from '#registry/plugin.ts'
export type { PendingCall, Registry, RegistryOptions } from '#registry/registry.ts'
export { createScheduler, type Scheduler, type SchedulerOptions } from '#registry/scheduler.ts'
export type { Disposer, Scope, ScopeFilter, ScopeInfo } from '#registry/scope.ts'
export type * from '#registry/types.ts'
export { code } from '#registry/view.ts'
export type * from '#registry/view.ts'
