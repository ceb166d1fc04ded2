// Every card on every profile, as files: `fixtures/cards/<card>/<case>.json` and its three drawings.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#json/value.ts'
import type { AnyEvent, ToolResultEvent } from '#session/event.ts'
import type { ToolCallView, ToolResultView } from '#registry/view.ts'
import { NAMED_PROFILES, type ProfileName } from '#bridge/profile.ts'
import { createMapper } from '#bridge/updates.ts'
import { checkUpdate } from '../../support/validate-message.ts'

interface Case {
  cwd?: string
  roots?: [string, string][]
  tool: string
  args: JsonValue
  call?: ToolCallView
  preview?: ToolCallView
  denied?: boolean
  output?: string[]
  result: Omit<ToolResultEvent, 'type' | 'callId' | 'view'> & { view?: ToolResultView }
}

const ROOT = new URL('../../../fixtures/cards/', import.meta.url)
const PROFILES = Object.keys(NAMED_PROFILES) as ProfileName[]
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
)
const isDrawing = (name: string): boolean => PROFILES.some((profile) => name.endsWith(`.${profile}.json`))
const cases = files
  .filter((name) => !isDrawing(name))
  .map((name) => name.slice(0, -'.json'.length))
  .sort()

function eventsOf(given: Case): AnyEvent[] {
  const { view: _view, ...result } = given.result
  const part = { type: 'tool_call' as const, callId: 'call-1', name: given.tool, arguments: given.args }
  return [
    { type: 'turn_start', turnId: 't' },
    { type: 'assistant_message', message: { id: 'm', parts: [part] } },
    { type: 'tool_call', callId: 'call-1', name: given.tool, messageId: 'm' },
    ...(given.preview ? [{ type: 'tool_preview' as const, callId: 'call-1', view: given.preview }] : []),
    ...(given.denied ? [] : [{ type: 'tool_started' as const, callId: 'call-1' }]),
    ...(given.output ?? []).map((data) => ({ type: 'tool_output' as const, callId: 'call-1', data })),
    { type: 'tool_result', callId: 'call-1', ...result },
  ]
}

function draw(given: Case, profile: ProfileName): unknown[] {
  const mapper = createMapper({
    cwd: given.cwd ?? '/home/dev/app',
    roots: given.roots ?? [],
    profile: NAMED_PROFILES[profile],
    presenters: () => ({ presentCall: () => given.call, presentResult: () => given.result.view }),
  })
  return eventsOf(given).flatMap((event) => mapper.push(event))
}

describe('cards', () => {
  it('has a good number of cases, and no drawing without a case', () => {
    expect(cases.length).toBeGreaterThanOrEqual(20)
    const expected = new Set(cases.flatMap((name) => PROFILES.map((profile) => `${name}.${profile}.json`)))
    expect(files.filter((name) => isDrawing(name) && !expected.has(name))).toEqual([])
  })

  describe.each(cases)('%s', (name) => {
    const given = JSON.parse(readFileSync(new URL(`${name}.json`, ROOT), 'utf8')) as Case
    it.each(PROFILES)('on %s', async (profile) => {
      const updates = draw(given, profile)
      expect(updates.flatMap((update) => checkUpdate(update))).toEqual([])
      const file = new URL(`${name}.${profile}.json`, ROOT).pathname
      await expect(`${JSON.stringify(updates, null, 2)}\n`).toMatchFileSnapshot(file)
    })
  })
})
