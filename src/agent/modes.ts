// The modes of a session, as people choose them. What they mean is policy's.

export interface Mode {
  id: string
  name: string
  description: string
}

export const MODES: readonly Mode[] = [
  { id: 'ask', name: 'Ask', description: 'Asks before it changes files or runs commands.' },
  {
    id: 'accept-edits',
    name: 'Accept edits',
    description: 'Changes files in the workspace without asking; asks before it runs commands.',
  },
  { id: 'plan', name: 'Plan', description: 'Reads and plans only: changes nothing.' },
  { id: 'bypass', name: 'Bypass', description: 'Never asks. Deny rules still hold.' },
]
