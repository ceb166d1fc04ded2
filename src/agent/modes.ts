// The modes of a session, as people choose them. What they mean is policy's.
import { MODE_IDS, type ModeId } from '#config/settings.ts'

export interface Mode {
  id: string
  name: string
  description: string
}

const WORDS: Readonly<Record<ModeId, Omit<Mode, 'id'>>> = {
  ask: { name: 'Ask', description: 'Asks before it changes files or runs commands.' },
  'accept-edits': {
    name: 'Accept edits',
    description: 'Changes files in the workspace without asking; asks before it runs commands.',
  },
  plan: { name: 'Plan', description: 'Reads and plans only: changes nothing.' },
  bypass: { name: 'Bypass', description: 'Never asks. Deny rules still hold.' },
}

export const MODES: readonly Mode[] = MODE_IDS.map((id) => ({ id, ...WORDS[id] }))
