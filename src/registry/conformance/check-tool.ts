// The conformance kit: what the house asks of every tool, checked on a definition and sample calls.
import { isDeepStrictEqual } from 'node:util'
import { faultMessage, materialize } from '#json/materialize.ts'
import { thrownMessage } from '#json/thrown.ts'
import { compileSchema } from '#json/validate.ts'
import type { JsonValue } from '#json/value.ts'
import type { ContentBlock } from '#model/content.ts'
import { contentFault } from '#registry/content.ts'
import type { PresentedResult, ToolDefinition } from '#registry/definition.ts'
import { createRegistry } from '#registry/registry.ts'
import { viewProblems } from './check-view.ts'
import { type Complain, tryPure, tryTotal } from './trial.ts'
import { variationsOf } from './variations.ts'

/** One call as it might be in a log. */
export interface ToolSample {
  /** Arguments that a model might send. */
  args: JsonValue
  /** A canonical value that the body might return for them. */
  value?: JsonValue
  /** Stored results that presenters must cope with, failures included. */
  results?: readonly PresentedResult[]
}

export interface ToolProblem {
  /** Which member, and for which sample: `presentCall, sample 1`. */
  where: string
  problem: string
}

/**
 * Checks that presenters are pure, total and replay-stable, that views are well-formed, that sample values fit the
 * output schema and render, and that nothing but the model's fields leaves through `schemas()`. Never throws, and
 * never calls `execute`.
 */
export function checkTool(definition: ToolDefinition, samples: readonly ToolSample[]): ToolProblem[] {
  const problems: ToolProblem[] = []
  const at =
    (where: string): Complain =>
    (problem) => {
      if (!problems.some((known) => known.where === where && known.problem === problem))
        problems.push({ where, problem })
    }
  if (!checkRegistration(definition, at('definition'))) return problems
  if (samples.length === 0) at('samples')('give at least one sample call')
  for (const [index, sample] of samples.entries()) {
    checkSample(definition, sample, (member) => at(`${member}, sample ${index + 1}`))
  }
  return problems
}

/** The same for a test: throws an `Error` that lists the problems. */
export function assertTool(definition: ToolDefinition, samples: readonly ToolSample[]): void {
  const problems = checkTool(definition, samples)
  if (problems.length === 0) return
  const list = problems.map(({ where, problem }) => `  ${where}: ${problem}`).join('\n')
  throw new Error(`tool ${JSON.stringify(definition.name)} has ${problems.length} problems:\n${list}`)
}

function checkRegistration(definition: ToolDefinition, complain: Complain): boolean {
  try {
    const registry = createRegistry()
    registry.register(definition)
    const { name, description, parameters } = definition
    if (
      !isDeepStrictEqual(registry.schemas(), [
        { name, description, parameters: JSON.parse(JSON.stringify(parameters)) },
      ])
    ) {
      complain('the model would see something else than name, description and parameters')
    }
    if (description.trim() === '') complain('the model needs a description')
    return true
  } catch (thrown) {
    complain(`it can’t be registered: ${thrownMessage(thrown)}`)
    return false
  }
}

function checkSample(definition: ToolDefinition, sample: ToolSample, at: (member: string) => Complain): void {
  const violations = tryPure(
    (args: JsonValue) => definition.validate?.(args) ?? [],
    [sample.args],
    at('validate'),
  )
  for (const violation of violations ?? []) at('args')(violation)
  checkClassifier(definition, sample.args, at('isConcurrencySafe'))
  checkPresentCall(definition, sample.args, at('presentCall'))
  const results: PresentedResult[] = [
    { isError: true, content: [{ type: 'text', text: 'Error: something' }] },
    { isError: false, content: [] },
    ...(sample.results ?? []),
  ]
  if (sample.value !== undefined) {
    const projected = checkOutput(definition, sample.args, sample.value, at)
    if (projected !== undefined) results.push(projected)
  }
  for (const result of results) checkPresentResult(definition, sample.args, result, at('presentResult'))
}

function checkClassifier(definition: ToolDefinition, args: JsonValue, complain: Complain): void {
  if (definition.isConcurrencySafe === undefined) return
  const safe: unknown = tryPure((given: JsonValue) => definition.isConcurrencySafe?.(given), [args], complain)
  if (safe !== undefined && typeof safe !== 'boolean') complain('it must answer true or false')
  for (const odd of variationsOf(args)) tryTotal(() => void definition.isConcurrencySafe?.(odd), complain)
}

function checkPresentCall(definition: ToolDefinition, args: JsonValue, complain: Complain): void {
  if (definition.presentCall === undefined) return
  const view = tryPure((given: JsonValue) => definition.presentCall?.(given), [args], complain)
  if (view !== undefined) viewProblems('call', view).forEach(complain)
  for (const odd of variationsOf(args)) {
    tryTotal(() => {
      const shown = definition.presentCall?.(odd)
      if (shown !== undefined) viewProblems('call', shown).forEach(complain)
    }, complain)
  }
}

/** What the pipeline would store for the value; undefined when it can't be rendered. */
function checkOutput(
  { output }: ToolDefinition,
  args: JsonValue,
  value: JsonValue,
  at: (member: string) => Complain,
): PresentedResult | undefined {
  const copy = materialize(value)
  if (!copy.ok) return void at('output.schema')(faultMessage(copy.fault, copy.path, 'value'))
  compileSchema(output.schema)(copy.value, 'value').forEach(at('output.schema'))
  const content = tryPure(
    (...given: [JsonValue, JsonValue]) => output.render(...given),
    [args, value],
    at('output.render'),
  )
  const fault = content === undefined ? undefined : contentFault(content as unknown as JsonValue)
  if (fault !== undefined) at('output.render')(fault)
  const meta =
    output.presentationMeta &&
    tryPure(
      (...given: [JsonValue, JsonValue]) => output.presentationMeta?.(...given),
      [args, value],
      at('output.presentationMeta'),
    )
  const stored = meta === undefined ? undefined : materialize(meta)
  if (stored?.ok === false) at('output.presentationMeta')(faultMessage(stored.fault, stored.path, 'meta'))
  if (content === undefined || fault !== undefined) return undefined
  return { isError: false, content, ...(stored?.ok && { meta: stored.value }) }
}

function checkPresentResult(
  definition: ToolDefinition,
  args: JsonValue,
  result: PresentedResult,
  complain: Complain,
): void {
  if (definition.presentResult === undefined) return
  const present = (given: JsonValue, stored: PresentedResult): void => {
    const view = definition.presentResult?.(given, stored)
    if (view !== undefined) viewProblems('result', view).forEach(complain)
  }
  tryPure(
    (given: JsonValue, stored: PresentedResult) => definition.presentResult?.(given, stored),
    [args, result],
    complain,
  )
  tryTotal(() => present(args, result), complain)
  for (const odd of variationsOf(args)) tryTotal(() => present(odd, result), complain)
  const { meta, ...bare } = result
  const texts: ContentBlock[][] = [
    [],
    [{ type: 'text', text: '' }],
    [{ type: 'image', data: '', mimeType: 'image/png' }],
  ]
  for (const odd of variationsOf(meta)) tryTotal(() => present(args, { ...bare, meta: odd }), complain)
  for (const content of texts)
    for (const isError of [true, false]) tryTotal(() => present(args, { content, isError }), complain)
}
