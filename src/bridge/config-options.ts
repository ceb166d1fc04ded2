// What can be chosen for a session, as modes and as configuration options: two names of one state.
import type { SessionConfigOption } from '@agentclientprotocol/sdk'
import type { AgentSession, SessionOption } from '#agent/port.ts'
import { modeState } from './modes.ts'

/** The part of a response that says what is chosen now. */
export function stateOf(session: AgentSession): {
  modes: ReturnType<typeof modeState>
  configOptions: SessionConfigOption[]
} {
  return { modes: modeState(session.modeId), configOptions: configOptions(session) }
}

export function configOptions(session: Pick<AgentSession, 'options'>): SessionConfigOption[] {
  return session.options().map(asConfigOption)
}

function asConfigOption({ id, name, category, current, choices }: SessionOption): SessionConfigOption {
  return { type: 'select', id, name, category, currentValue: current, options: choices }
}
