// defineTool: a typed author's specification becomes a raw definition.
import { parameterSchemaSpecToJsonSchema, valueSchemaSpecToJsonSchema } from '#json/convert.ts'
import { materialize } from '#json/materialize.ts'
import type { InferArgs, InferValue, ParametersSpec, ValueSpec } from '#json/spec.ts'
import { compileSchema, type Validator } from '#json/validate.ts'
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import type { PresentedResult, ToolDefinition } from './definition.ts'
import type { ToolExecution, ToolExecutionResult, ToolRunContext } from './types.ts'
import type { ToolCallView, ToolResultView } from './view.ts'

export interface ToolSpec<P extends ParametersSpec, O> {
  name: string
  description: string
  /** A map of properties; the root is an open object. */
  parameters: P
  output: {
    schema: O & ValueSpec
    render(args: InferArgs<P>, value: InferValue<O>): ContentBlock[]
    presentationMeta?(args: InferArgs<P>, value: InferValue<O>): JsonValue | undefined
  }
  /** What is wrong with arguments that fit the schema; none when they are valid. Pure. */
  violations?(args: InferArgs<P>): string[]
  execute(args: InferArgs<P>, exec: ToolRunContext): InferValue<O> | Promise<InferValue<O>>
  finalizeContent?(exec: ToolExecution, result: ToolExecutionResult): ContentBlock[] | undefined
  /** Milliseconds; declares that the body stops on abort. */
  timeoutMs?: number
  isConcurrencySafe?(args: InferArgs<P>): boolean
  preview?(args: InferArgs<P>, exec: ToolExecution): Promise<ToolCallView | undefined>
  presentCall?(args: InferArgs<P>): ToolCallView | undefined
  presentResult?(args: InferArgs<P>, result: PresentedResult): ToolResultView | undefined
}

/** The same members with their types forgotten: what is left when validation has vouched for the arguments. */
type ErasedSpec = Omit<ToolDefinition, 'parameters' | 'output' | 'validate'> & {
  parameters: ParametersSpec
  output: Omit<ToolDefinition['output'], 'schema'> & { schema: ValueSpec }
  violations?(args: JsonValue): string[]
}

/**
 * Makes a definition whose arguments are validated before `execute`, and whose presenters and concurrency
 * classifier see validated arguments only: on a mismatch they answer `undefined` / exclusive, never a throw.
 * Throws `JsonSchemaError` when a schema leaves the enforced subset.
 */
export function defineTool<const P extends ParametersSpec, const O>(typed: ToolSpec<P, O>): ToolDefinition {
  const spec = typed as unknown as ErasedSpec
  const parameters = parameterSchemaSpecToJsonSchema(spec.parameters)
  const check = checkerOf(spec, compileSchema(parameters))
  const { presentationMeta } = spec.output
  return {
    name: spec.name,
    description: spec.description,
    parameters,
    output: {
      schema: valueSchemaSpecToJsonSchema(spec.output.schema),
      render: (args, value) => spec.output.render(args, value),
      ...(presentationMeta && {
        presentationMeta: (args, value) => presentationMeta.call(spec.output, args, value),
      }),
    },
    validate: (args) => check(args, 'arguments'),
    execute: (args, exec) => spec.execute(args, exec),
    ...hostMembers(spec, check),
    ...presenters(spec, check),
  }
}

/** The tool's own check sees arguments that fit the schema only. */
function checkerOf(spec: ErasedSpec, schema: Validator): Validator {
  return (args, label) => {
    const misfits = schema(args, label)
    return misfits.length > 0 ? misfits : (spec.violations?.(args) ?? [])
  }
}

/** Runs `use` on a snapshot of the arguments if they fit; total for anything that an old log may hold. */
function soft<R>(check: Validator, args: unknown, use: (args: JsonValue) => R): R | undefined {
  const copy = materialize(args)
  return copy.ok && check(copy.value, 'arguments').length === 0 ? use(copy.value) : undefined
}

function hostMembers(spec: ErasedSpec, check: Validator): Partial<ToolDefinition> {
  const members: Partial<ToolDefinition> = {}
  if (spec.timeoutMs !== undefined) members.timeoutMs = spec.timeoutMs
  if (spec.finalizeContent) members.finalizeContent = (exec, result) => spec.finalizeContent?.(exec, result)
  if (spec.preview) members.preview = async (args, exec) => spec.preview?.(args, exec)
  if (spec.isConcurrencySafe) {
    members.isConcurrencySafe = (args) => soft(check, args, (fit) => spec.isConcurrencySafe?.(fit)) ?? false
  }
  return members
}

function presenters(spec: ErasedSpec, check: Validator): Partial<ToolDefinition> {
  const members: Partial<ToolDefinition> = {}
  if (spec.presentCall) {
    members.presentCall = (args) => soft(check, args, (fit) => spec.presentCall?.(fit))
  }
  if (spec.presentResult) {
    members.presentResult = (args, result) => soft(check, args, (fit) => spec.presentResult?.(fit, result))
  }
  return members
}
