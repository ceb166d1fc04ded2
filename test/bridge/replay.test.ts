// Recorded logs on every profile, as files: `fixtures/sessions/<name>.jsonl` and what an editor shows of it.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { foldUpdates } from '#bridge/fold.ts'
import { NAMED_PROFILES, PROFILE_NAMES, type ProfileName } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import { createMapper, type MapperOptions } from '#bridge/updates.ts'
import { storedPresenters } from '#compose-presenters.ts'
import type { LoggedEvent, SessionHeader } from '#session/event.ts'
import { streamed } from '../support/live-events.ts'
import { RECIPES } from '../support/recording/recipes.ts'
import { checkUpdate } from '../support/validate-message.ts'

const ROOT = new URL('../../fixtures/sessions/', import.meta.url)
const files = readdirSync(ROOT)
const logs = files.filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))

function read(name: string): { header: SessionHeader; events: LoggedEvent[] } {
  const [header, ...events] = readFileSync(new URL(`${name}.jsonl`, ROOT), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)
  return { header: header as SessionHeader, events: events as LoggedEvent[] }
}

function optionsFor({ cwd, roots }: SessionHeader, profile: ProfileName): MapperOptions {
  const presenters = storedPresenters({ type: 'session', version: 1, id: '', cwd, roots, createdAt: '' }, {})
  return {
    cwd,
    roots: roots.map((root) => [cwd, root] as const),
    profile: NAMED_PROFILES[profile],
    presenters,
  }
}

/** Every card: announced once, first; one terminal status, last. */
function lives(updates: readonly SessionUpdate[]): void {
  const calls = new Map<string, SessionUpdate[]>()
  for (const update of updates) {
    if (!('toolCallId' in update)) continue
    calls.set(update.toolCallId, [...(calls.get(update.toolCallId) ?? []), update])
  }
  for (const own of calls.values()) {
    expect(own.map((update) => update.sessionUpdate === 'tool_call')).toEqual(
      own.map((_, index) => index === 0),
    )
    const ends = own.map((update) => 'status' in update && /completed|failed/.test(String(update.status)))
    expect(ends).toEqual(own.map((_, index) => index === own.length - 1))
  }
}

describe('recorded sessions', () => {
  it('are many, and each drawing and recipe has its log', () => {
    const expected = new Set(
      logs.flatMap((name) => PROFILE_NAMES.map((profile) => `${name}.${profile}.json`)),
    )
    expect(logs.length).toBeGreaterThanOrEqual(15)
    expect(files.filter((name) => name.endsWith('.json') && !expected.has(name))).toEqual([])
    expect(RECIPES.map(({ name }) => name).filter((name) => !logs.includes(name))).toEqual([])
  })

  describe.each(logs)('%s', (name) => {
    const { header, events } = read(name)
    it.each(PROFILE_NAMES)('on %s', async (profile) => {
      const options = optionsFor(header, profile)
      const updates = replayUpdates(options, events)
      expect(updates.flatMap((update) => checkUpdate(update))).toEqual([])
      lives(updates)
      const shown = foldUpdates(updates)
      for (const size of [1, 7, 64, 100_000]) {
        const mapper = createMapper({ ...options, replay: true })
        const live = streamed(events, size).flatMap((event) => mapper.push(event))
        expect(live.flatMap((update) => checkUpdate(update))).toEqual([])
        lives(live)
        expect(foldUpdates(live)).toEqual(shown)
      }
      const file = new URL(`${name}.${profile}.json`, ROOT).pathname
      await expect(`${JSON.stringify(shown, null, 2)}\n`).toMatchFileSnapshot(file)
    })
  })
})
