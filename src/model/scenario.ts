// The scenario of a scripted model: what it says and calls, prompt by prompt.
import type { JsonObject } from '#json/value.ts'
import type { ModelErrorCode } from './error.ts'
import type { FinishReason, Usage } from './port.ts'

/** One thing that the model does. Texts and thoughts may quote: see `Scenario`. */
export type ScenarioAction =
  | { thought: string }
  | { text: string }
  | { call: { id?: string; name: string; arguments: JsonObject } }
  /** A call whose argument text is malformed. */
  | { call: { id?: string; name: string; raw: string } }
  | { delayMs: number }
  | { error: { code: ModelErrorCode; message: string; status?: number } }
  /** Says nothing more until it is aborted. */
  | { hang: true }

/** One answer of the model: the actions in order, then the finish. */
export interface ScenarioStep {
  do: ScenarioAction[]
  /** Default: `tool_calls` when there is a call, else `stop`. */
  finish?: FinishReason
  usage?: Usage
}

export interface ScenarioTurn {
  /** A regular expression on the text of the newest prompt. Turns without it are taken in order. */
  match?: string
  steps: ScenarioStep[]
}

/**
 * In texts and thoughts `{{prompt}}` is the newest prompt, `{{result}}` the text of the newest tool result and
 * `{{result:<callId>}}` that of a certain call.
 */
export interface Scenario {
  name: string
  /** Tokens; default 200,000. */
  contextWindow?: number
  /** Milliseconds between the chunks of texts, thoughts and arguments; default 0. */
  chunkMs?: number
  turns: ScenarioTurn[]
}
