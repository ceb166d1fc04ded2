// The registry: tools, scopes and executions behind one face (registry.md §3).
import type { JsonObject } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { ToolSchema } from '#model/port.ts'
import { type Core, findTool } from './core.ts'
import type { ToolDefinition } from './definition.ts'
import { type ExecutionMode, executionMode } from './execution-mode.ts'
import { House } from './house.ts'
import type { Layer, ToolEntry } from './layer.ts'
import { storedContent } from './stored-content.ts'
import { type PreparedCall, prepareCall } from './pipeline.ts'
import type { Scope, ScopeInfo, ToolHost } from './scope.ts'
import type {
  ApprovalService,
  CodeDispatchLog,
  CodeMode,
  Log,
  ScopeKey,
  ToolExecutionInput,
  ToolExecutionResult,
} from './types.ts'

export interface RegistryOptions {
  approval?: ApprovalService
  /** How tools are presented where no scope says otherwise; default `native`. */
  mode?: CodeMode
  /** The `run_code` tool; the only door for that name. A function is asked, and its tool checked, when it is offered. */
  transport?: ToolDefinition | (() => ToolDefinition)
  log?: Log
}

/** A call being prepared; its methods may be chained before that is done. */
export interface PendingCall extends Promise<PreparedCall> {
  dispatch(): Promise<void>
  settle(): Promise<ToolExecutionResult>
}

export interface Registry extends ToolHost {
  /** A new layer over the global one, or over `parent`. */
  scope(parent?: Scope, info?: ScopeInfo): Scope
  /** The definition that a caller of this scope reaches. */
  get(name: string, scope?: ScopeKey): ToolDefinition | undefined
  /** The capabilities of a scope, with exactly the fields that models see; fresh copies. */
  schemas(scope?: ScopeKey): ToolSchema[]
  /** What the model is sent, under the scope's presentation. */
  presentedSchemas(scope?: ScopeKey): ToolSchema[]
  executionMode(input: ToolExecutionInput): ExecutionMode
  /** Stages 0–2. */
  prepare(input: ToolExecutionInput): PendingCall
  /** The content to store for a nested call, as the `tools/code-dispatch-log` listeners shape it. Never rejects. */
  storedContent(dispatch: CodeDispatchLog): Promise<ContentBlock[]>
  /** All stages. Every outcome of a call is a result; rejects only with a `TypeError` on a malformed input. */
  execute(input: ToolExecutionInput): Promise<ToolExecutionResult>
}

export function createRegistry(options: RegistryOptions = {}): Registry {
  const house = new House(options)
  const { core } = house
  return {
    ...house.host(core.global),
    scope: (parent, info) => house.createScope(parent, info),
    get: (name, scope) => findTool(core, { layer: core.layerOf(scope), nested: false }, name)?.definition,
    schemas: (scope) => schemasOf(core.layerOf(scope).visible().values()),
    presentedSchemas: (scope) => presented(core, core.layerOf(scope)),
    executionMode: (input) => executionMode(core, input),
    prepare: (input) => pending(prepareCall(core, input)),
    storedContent: (dispatch) => storedContent(core, dispatch),
    execute: async (input) => (await prepareCall(core, input)).settle(),
  }
}

function pending(prepared: Promise<PreparedCall>): PendingCall {
  return Object.assign(prepared, {
    dispatch: async () => (await prepared).dispatch(),
    settle: async () => (await prepared).settle(),
  })
}

function schemasOf(entries: Iterable<ToolEntry>): ToolSchema[] {
  return [...entries].map(({ schema: { name, description, parameters } }) => ({
    name,
    description,
    // JSON as it is, and from V8 as deep as a schema may be, unlike structuredClone.
    parameters: JSON.parse(textOf(parameters)) as JsonObject,
  }))
}

/** Of schemas as they were at registration: they are frozen. */
const texts = new WeakMap<object, string>()

function textOf(parameters: JsonObject): string {
  const text = texts.get(parameters) ?? JSON.stringify(parameters)
  texts.set(parameters, text)
  return text
}

function presented(core: Core, layer: Layer): ToolSchema[] {
  const mode = layer.presentation(core.mode)
  const capabilities = mode === 'code' ? [] : schemasOf(layer.visible().values())
  return mode === 'native' || core.transport === undefined
    ? capabilities
    : [...capabilities, ...schemasOf([core.transport])]
}
