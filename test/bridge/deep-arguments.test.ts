// Arguments that nest without end, as a broken model streams them: looked at in time, and drawn.
import { describe, expect, it } from 'vitest'
import { NAMED_PROFILES } from '#bridge/profile.ts'
import { createMapper } from '#bridge/updates.ts'
import { createEarly, grow, whole } from '#bridge/updates/early.ts'
import { parsePartial } from '#bridge/updates/presenting.ts'
import { checkUpdate } from '../support/validate-message.ts'

const deep = (levels: number): string => `{"file_path":${'['.repeat(levels)}`

describe('arguments that nest too deeply', () => {
  it.each([1001, 6500, 100_000])('%i levels are no beginning of any', (levels) => {
    expect(parsePartial(deep(levels))).toBeUndefined()
    const early = createEarly()
    for (let at = 0; at < levels; at += 24) grow(early, deep(levels).slice(at, at + 24))
    expect(whole({ ...createEarly(), text: `${deep(levels)}${']'.repeat(levels)}}` })).toBeUndefined()
  })

  it('brackets in texts are none', () => {
    expect(parsePartial(`{"a":"${'[{\\"'.repeat(5000)}`)).toEqual({ a: '[{"'.repeat(5000) })
  })

  it('are shown as they were written', () => {
    const failures: string[] = []
    const mapper = createMapper({
      cwd: '/w',
      roots: [],
      profile: NAMED_PROFILES.zed,
      presenters: () => undefined,
      log: (_level, message) => failures.push(message),
    })
    const text = `${deep(6500)}${']'.repeat(6500)}}`
    const call = { type: 'tool_call' as const, callId: 'c', name: 'read' }
    const parts = [{ ...call, arguments: text, malformed: true as const }]
    mapper.push({ type: 'assistant_message', message: { id: 'm', parts } })
    const [update] = mapper.push({ ...call, messageId: 'm' })
    expect(update).toMatchObject({ sessionUpdate: 'tool_call', rawInput: text })
    expect(checkUpdate(update)).toEqual([])
    expect(failures).toEqual([])
  })
})
