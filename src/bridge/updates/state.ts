// What the mapper remembers between two events.
import type { Cost, SessionConfigOption, SessionUpdate } from '@agentclientprotocol/sdk'
import type { JsonValue } from '#json/value.ts'
import type { CardContext, RootPair } from '#bridge/cards/card.ts'
import type { ClientProfile } from '#bridge/profile.ts'
import { profileFor, type Call } from './call.ts'
import type { Presenting } from './presenting.ts'

export interface State {
  cwd: string
  roots: readonly RootPair[]
  readonly profile: ClientProfile
  readonly presenting: Presenting
  /** The options as they are now; undefined where nobody is told of changes. */
  readonly configOptions: (() => SessionConfigOption[]) | undefined
  readonly replay: boolean
  /** False between turns: what belongs to a turn is then dropped or held. */
  inTurn: boolean
  /** A turn has ended, and none has begun since. */
  ended: boolean
  /** Calls of the running turn. */
  readonly calls: Map<string, Call>
  /** Arguments of calls, as their assistant messages gave them. */
  readonly arguments: Map<string, JsonValue>
  /** Text and thoughts that were streamed ahead of their message, by message id; `half` of a character waits. */
  readonly streamed: Map<string, { text: string; thought: string; half: string }>
  /** Chat text of notices that came between turns. */
  held: SessionUpdate[]
  /** What a paragraph of ours was said as, while nothing else has been said behind it. */
  apart: 'agent_message_chunk' | 'agent_thought_chunk' | undefined
  /** Why the last request was sent again. */
  retried: string | undefined
  /** Of all steps so far. */
  cost: Cost | undefined
}

export function contextOf(state: State, call: Call): CardContext {
  return { callId: call.id, cwd: state.cwd, roots: state.roots, profile: profileFor(call, state.profile) }
}
