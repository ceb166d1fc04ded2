// Where a conversation stands in a scenario: a pure function of the messages, so that it survives restarts.
import { textOf } from './content.ts'
import type { ModelMessage } from './message.ts'
import type { Scenario, ScenarioStep } from './scenario.ts'

export interface Position {
  /** Text of the newest prompt; empty when there is none. */
  prompt: string
  /** From 0; in the order of the file. -1: no turn fits. */
  turn: number
  /** From 0. */
  step: number
  /** Undefined behind the last step. */
  script: ScenarioStep | undefined
}

/**
 * A prompt is a user message at the start, behind another prompt, or behind an answer without calls. One behind tool
 * results is a reminder or steering, unless the `match` of a turn fits it (a prompt after a cancelled batch).
 * The turn is the first whose `match` fits the newest prompt, else the n-th without `match` for the n-th prompt, the
 * last of them repeating. The step is the number of answers since that prompt.
 */
export function locate(scenario: Scenario, messages: readonly ModelMessage[]): Position {
  const prompts = messages.flatMap((message, index) =>
    isPrompt(scenario, messages, index) ? [{ message, index }] : [],
  )
  const newest = prompts.at(-1)
  const prompt = newest?.message.role === 'user' ? textOf(newest.message.content) : ''
  const turn = findTurn(scenario, prompt, prompts.length)
  const since = messages.slice((newest?.index ?? -1) + 1)
  const step = since.filter(({ role }) => role === 'assistant').length
  return { prompt, turn, step, script: scenario.turns[turn]?.steps[step] }
}

function isPrompt(scenario: Scenario, messages: readonly ModelMessage[], index: number): boolean {
  const message = messages[index]
  if (message?.role !== 'user') return false
  let before = index - 1
  while (messages[before]?.role === 'user') before--
  const previous = messages[before]
  if (previous === undefined) return true
  if (previous.role === 'assistant') return !previous.parts.some(({ type }) => type === 'tool_call')
  return matching(scenario, textOf(message.content)) >= 0
}

function matching(scenario: Scenario, prompt: string): number {
  return scenario.turns.findIndex(({ match }) => match !== undefined && new RegExp(match).test(prompt))
}

function findTurn(scenario: Scenario, prompt: string, promptCount: number): number {
  const matched = matching(scenario, prompt)
  if (matched >= 0) return matched
  const inOrder = scenario.turns.flatMap(({ match }, index) => (match === undefined ? [index] : []))
  return inOrder[Math.max(0, Math.min(promptCount, inOrder.length) - 1)] ?? -1
}

/** Fills in `{{prompt}}`, `{{result}}` and `{{result:<callId>}}`; a result that is not there becomes an empty text. */
export function quote(text: string, prompt: string, messages: readonly ModelMessage[]): string {
  const results = messages.flatMap((message) => (message.role === 'tool' ? message.results : []))
  return text.replace(/\{\{(prompt|result)(?::([^}]*))?\}\}/g, (_whole, kind: string, callId?: string) => {
    if (kind === 'prompt') return prompt
    const result =
      callId === undefined ? results.at(-1) : results.findLast((answer) => answer.callId === callId)
    return result === undefined ? '' : textOf(result.content)
  })
}
