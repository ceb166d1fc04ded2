// Recorded logs on every profile, as files: `fixtures/sessions/<name>.jsonl` and what an editor shows of it.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { foldUpdates } from '#bridge/fold.ts'
import { NAMED_PROFILES, type ProfileName } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import type { LoggedEvent, SessionHeader } from '#session/event.ts'
import { presenters } from '../support/conversation.ts'
import { checkUpdate } from '../support/validate-message.ts'

const ROOT = new URL('../../fixtures/sessions/', import.meta.url)
const PROFILES = Object.keys(NAMED_PROFILES) as ProfileName[]
const files = readdirSync(ROOT)
const logs = files.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))

describe('recorded sessions', () => {
  it('have no drawing without a log', () => {
    const expected = new Set(logs.flatMap((name) => PROFILES.map((profile) => `${name}.${profile}.json`)))
    expect(logs.length).toBeGreaterThan(0)
    expect(files.filter((name) => name.endsWith('.json') && !expected.has(name))).toEqual([])
  })

  describe.each(logs)('%s', (name) => {
    const [header, ...events] = readFileSync(new URL(`${name}.jsonl`, ROOT), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
    it.each(PROFILES)('on %s', async (profile) => {
      const { cwd, roots } = header as SessionHeader
      const options = {
        cwd,
        roots: roots.map((root) => [cwd, root] as const),
        profile: NAMED_PROFILES[profile],
        presenters,
      }
      const updates = replayUpdates(options, events as LoggedEvent[])
      expect(updates.flatMap((update) => checkUpdate(update))).toEqual([])
      const file = new URL(`${name}.${profile}.json`, ROOT).pathname
      await expect(`${JSON.stringify(foldUpdates(updates), null, 2)}\n`).toMatchFileSnapshot(file)
    })
  })
})
