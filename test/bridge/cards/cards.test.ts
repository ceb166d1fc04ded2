// Every card on every profile, as files: `fixtures/cards/<card>/<case>.json` and its three drawings.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { CALL_VIEWS, isMember, type Members, RESULT_VIEWS } from '#registry/conformance/view-schemas.ts'
import { NAMED_PROFILES, PROFILE_NAMES } from '#bridge/profile.ts'
import { type CardCase, caseUpdates } from '#cli/cards-case.ts'
import { checkUpdate } from '../../support/validate-message.ts'

const ROOT = new URL('../../../fixtures/cards/', import.meta.url)
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.json'),
)
const read = (name: string): CardCase =>
  JSON.parse(readFileSync(new URL(`${name}.json`, ROOT), 'utf8')) as CardCase
const isDrawing = (name: string): boolean =>
  PROFILE_NAMES.some((profile) => name.endsWith(`.${profile}.json`))
const cases = files
  .filter((name) => !isDrawing(name))
  .map((name) => name.slice(0, -'.json'.length))
  .sort()

describe('cards', () => {
  it('has a good number of cases, and no drawing without a case', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40)
    const expected = new Set(
      cases.flatMap((name) => PROFILE_NAMES.map((profile) => `${name}.${profile}.json`)),
    )
    expect(files.filter((name) => isDrawing(name) && !expected.has(name))).toEqual([])
  })

  it('has a case of every member of the unions', () => {
    const given = cases.map(read)
    const calls = given.flatMap(({ call, preview }) => [call, preview])
    const results = given.map(({ result }) => result.view)
    const undrawn = (members: Members, views: readonly (object | undefined)[]): unknown[] =>
      members.filter((member) => !views.some((view) => view && isMember({ ...view }, member)))
    expect(undrawn(Object.values(CALL_VIEWS).flat(), calls)).toEqual([])
    expect(undrawn(Object.values(RESULT_VIEWS).flat(), results)).toEqual([])
  })

  describe.each(cases)('%s', (name) => {
    const given = read(name)
    it.each(PROFILE_NAMES)('on %s', async (profile) => {
      const updates = caseUpdates(given, NAMED_PROFILES[profile])
      expect(updates.flatMap((update) => checkUpdate(update))).toEqual([])
      const sent = new Map<string, unknown>()
      for (const { sessionUpdate: _kind, _meta: _more, ...fields } of updates) {
        for (const [key, value] of Object.entries(fields)) {
          if (key !== 'toolCallId')
            expect(value, `${key} is sent only when it changes`).not.toEqual(sent.get(key))
          sent.set(key, value)
        }
      }
      const file = new URL(`${name}.${profile}.json`, ROOT).pathname
      await expect(`${JSON.stringify(updates, null, 2)}\n`).toMatchFileSnapshot(file)
    })
  })
})
