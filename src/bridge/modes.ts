// The modes of a session as clients list them.
import type { SessionModeState } from '@agentclientprotocol/sdk'
import { MODES } from '#agent/modes.ts'

export function modeState(currentModeId: string): SessionModeState {
  return { currentModeId, availableModes: MODES.map((mode) => ({ ...mode })) }
}

export function isMode(id: string): boolean {
  return MODES.some((mode) => mode.id === id)
}
