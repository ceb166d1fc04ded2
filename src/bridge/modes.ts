// The modes of a session as clients list them. What they allow is policy's.
import type { SessionMode, SessionModeState } from '@agentclientprotocol/sdk'

export const MODES: readonly SessionMode[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before it changes files or runs commands.' },
  {
    id: 'accept-edits',
    name: 'Accept edits',
    description: 'Changes files in the workspace without asking; asks before it runs commands.',
  },
  { id: 'plan', name: 'Plan', description: 'Reads and plans only: changes nothing.' },
  { id: 'bypass', name: 'Bypass', description: 'Never asks. Deny rules still hold.' },
]

export function modeState(currentModeId: string): SessionModeState {
  return { currentModeId, availableModes: MODES.map((mode) => ({ ...mode })) }
}

export function isMode(id: string): boolean {
  return MODES.some((mode) => mode.id === id)
}
