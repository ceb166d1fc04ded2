// The one mapper from session events to ACP updates, live and on replay: a deterministic state machine.
import type { SessionConfigOption, SessionUpdate, ToolCallUpdate } from '@agentclientprotocol/sdk'
import type { Log } from '#registry/types.ts'
import type { Presenters } from '#agent/port.ts'
import type { AnyEvent } from '#session/event.ts'
import type { RootPair } from '#bridge/cards/card.ts'
import type { ClientProfile } from './profile.ts'
import { promptCard, pushCall } from '#bridge/updates/calls.ts'
import { pushChat } from '#bridge/updates/chat.ts'
import { pushSession } from '#bridge/updates/session.ts'
import type { State } from '#bridge/updates/state.ts'

export interface MapperOptions {
  /** Absolute: the base of relative paths. A `cwd` event of the log changes it. */
  cwd: string
  roots: readonly RootPair[]
  profile: ClientProfile
  /** Presenters of a tool that exists now. */
  presenters(toolName: string): Presenters | undefined
  /** The options as they are now, for changes of one of them; on replay the response carries them. */
  configOptions?(): SessionConfigOption[]
  /** Also what the person said: on replay the client does not know it. */
  replay?: boolean
  log?: Log
}

export interface Mapper {
  /** The updates that an event makes, in order. Never throws. */
  push(event: AnyEvent): SessionUpdate[]
  /** The call as a permission prompt shows it; undefined for one that was not announced in this turn. */
  card(callId: string): ToolCallUpdate | undefined
}

/** Neither clocks nor I/O: pacing is the pacer's. */
export function createMapper(options: MapperOptions): Mapper {
  const state: State = {
    cwd: options.cwd,
    roots: options.roots,
    profile: options.profile,
    presenting: { presenters: (name) => options.presenters(name), log: options.log ?? (() => {}) },
    configOptions: options.replay === true ? undefined : options.configOptions,
    replay: options.replay === true,
    inTurn: false,
    ended: false,
    calls: new Map(),
    arguments: new Map(),
    streamed: new Map(),
    held: [],
    apart: undefined,
    retried: undefined,
    cost: undefined,
  }
  return {
    push: (event) => {
      try {
        return dispatch(state, event)
      } catch (error) {
        state.presenting.log(
          'error',
          `an event of type ${JSON.stringify(event.type)} could not be shown`,
          error,
        )
        return []
      }
    },
    card: (callId) => promptCard(state, callId),
  }
}

function dispatch(state: State, event: AnyEvent): SessionUpdate[] {
  switch (event.type) {
    case 'user_message':
    case 'command':
    case 'assistant_message':
    case 'text_delta':
    case 'thought_delta':
      state.apart = undefined
      return pushChat(state, event)
    case 'call_start':
    case 'call_delta':
    case 'tool_call':
    case 'code_call':
    case 'call_withdrawn':
    case 'tool_preview':
    case 'approval_asked':
    case 'tool_started':
    case 'tool_output':
    case 'tool_progress':
    case 'tool_result':
      state.apart = undefined
      return pushCall(state, event)
    default:
      return pushSession(state, event)
  }
}
