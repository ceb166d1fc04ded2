import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ApprovalDecision } from '#session/event.ts'
import { textOf } from '#model/content.ts'
import { say, stage } from '../support/scripted-agent.ts'

const TURNS = [
  {
    steps: [
      { do: [{ call: { name: 'write', arguments: { file_path: 'f', content: 'x\n' } } }] },
      { do: [{ text: 'ok' }] },
    ],
  },
]

const DECISIONS: { decision: ApprovalDecision; written: boolean; says: string }[] = [
  { decision: { outcome: 'allowed-once' }, written: true, says: '' },
  { decision: { outcome: 'allowed-always', label: 'x' }, written: true, says: '' },
  { decision: { outcome: 'rejected' }, written: false, says: 'rejected this call' },
  { decision: { outcome: 'rejected', reason: 'not there' }, written: false, says: 'said: not there' },
  { decision: { outcome: 'cancelled' }, written: false, says: 'cancelled without an answer' },
  { decision: { outcome: 'unavailable' }, written: false, says: 'unavailable' },
]

describe('approval (B48)', () => {
  it.each(DECISIONS)('$decision.outcome', async ({ decision, written, says }) => {
    const { session, cwd } = await stage({ turns: TURNS, mode: 'ask' })
    let asked = 0
    session.setAsker(async () => {
      asked += 1
      expect(existsSync(join(cwd, 'f'))).toBe(false)
      return decision
    })
    expect(await session.prompt(say('go'))).toBe('end_turn')
    expect(asked).toBe(1)
    expect(existsSync(join(cwd, 'f'))).toBe(written)
    const result = session.history().find((event) => event.type === 'tool_result')
    expect(textOf(result?.content ?? [])).toContain(says)
    expect(session.history().map((event) => event.type)).toEqual(
      expect.arrayContaining(['tool_preview', 'approval_asked', 'approval_decided']),
    )
  })

  it('denies when nobody is there, and when the asker throws', async () => {
    for (const asker of [undefined, async () => Promise.reject(new Error('gone'))]) {
      const { session, cwd } = await stage({ turns: TURNS, mode: 'ask' })
      if (asker) session.setAsker(asker)
      await session.prompt(say('go'))
      expect(existsSync(join(cwd, 'f'))).toBe(false)
    }
  })

  it('nobody is asked about a call that can’t succeed', async () => {
    const { session } = await stage({
      mode: 'ask',
      files: { f: 'abc\n' },
      turns: [
        {
          steps: [
            {
              do: [
                { call: { name: 'edit', arguments: { file_path: 'f', old_string: 'zzz', new_string: 'y' } } },
              ],
            },
            { do: [{ text: 'ok' }] },
          ],
        },
      ],
    })
    session.setAsker(async () => expect.unreachable())
    await session.prompt(say('go'))
    expect(session.history().map((event) => event.type)).not.toContain('approval_asked')
  })

  it('plan mode denies changes and says why', async () => {
    const { session, cwd } = await stage({ turns: TURNS, mode: 'plan' })
    await session.prompt(say('go'))
    expect(existsSync(join(cwd, 'f'))).toBe(false)
    const result = session.history().find((event) => event.type === 'tool_result')
    expect(textOf(result?.content ?? [])).toContain('plan mode')
  })
})
