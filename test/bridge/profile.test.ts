import { describe, expect, it } from 'vitest'
import type { ClientCapabilities } from '@agentclientprotocol/sdk'
import { clientProfile, NAMED_PROFILES } from '#bridge/profile.ts'

describe('client profiles', () => {
  it('know what was announced', () => {
    expect(
      clientProfile({
        fs: { readTextFile: true, writeTextFile: true },
        elicitation: { form: {} },
        session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
        _meta: { terminal_output: true, 'deckhand/card': true },
      }),
    ).toEqual(NAMED_PROFILES.zed)
    expect(clientProfile({ fs: { readTextFile: true, writeTextFile: true } })).toEqual(
      NAMED_PROFILES['fs-only'],
    )
  })

  it.each([
    undefined,
    {},
    { terminal: true },
    { fs: {}, session: null, elicitation: null, _meta: null },
    { _meta: { terminal_output: 'true', 'deckhand/card': 1 } },
    { elicitation: { url: {} }, session: { notices: null } },
    { elicitation: { form: true }, session: { notices: true, compaction: [] } },
  ])('take nothing else for it: %j', (capabilities) => {
    expect(clientProfile(capabilities as ClientCapabilities)).toEqual(NAMED_PROFILES.plain)
  })
})
