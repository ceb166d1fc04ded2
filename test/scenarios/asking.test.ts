// The whole program asks the person: for leave to carry out a plan, and by a form.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foldUpdates } from '#bridge/fold.ts'
import type { Scenario } from '#model/scenario.ts'
import { selected, type Wire } from '../support/bin-client.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const call = (id: string, name: string, args: object) => ({ call: { id, name, arguments: args as never } })
const PLANNED: Scenario['turns'] = [
  {
    match: 'go',
    steps: [
      { do: [call('p', 'exit_plan', { plan: '1. write **f**' })] },
      { do: [call('w', 'write', { file_path: 'f', content: 'x\n' })] },
      { do: [{ text: 'ok' }] },
    ],
  },
]
const ASKED: Scenario['turns'] = [
  {
    match: 'go',
    steps: [
      { do: [call('q', 'ask_user', { question: 'Which?', options: ['red', 'blue'] })] },
      { do: [{ text: 'ok' }] },
    ],
  },
]
const cards = (updates: Wire[]): unknown =>
  foldUpdates(updates).entries.filter((entry) => entry.kind !== 'user')

describe('a plan', () => {
  it('is approved once, edits then go through, and a reload shows it as it was', async () => {
    const { client, cwd, another } = await scriptedBin({
      turns: PLANNED,
      env: { DECKHAND_MODE: 'plan' },
      permission: () => selected('accept-edits'),
    })
    const sessionId = await client.open(cwd)
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
    const asked = client.messages.filter(({ method }) => method === 'session/request_permission')
    expect(asked).toHaveLength(1)
    expect(asked[0].params.toolCall).toMatchObject({
      toolCallId: 'p',
      kind: 'switch_mode',
      status: 'pending',
      content: [{ content: { text: '1. write **f**' } }],
    })
    expect(existsSync(join(cwd, 'f'))).toBe(true)
    expect(client.updates(sessionId)).toContainEqual({
      sessionUpdate: 'current_mode_update',
      currentModeId: 'accept-edits',
    })
    expect(await client.prompt(sessionId, '/mode')).toEqual({ stopReason: 'end_turn' })
    const live = cards(client.updates(sessionId))
    expect(await client.end()).toBe(0)
    const again = another()
    await again.initialize()
    const loaded = await again.request('session/load', { sessionId, cwd, mcpServers: [] })
    expect(loaded.modes.currentModeId).toBe('accept-edits')
    expect(cards(again.updates(sessionId))).toEqual(live)
    expect(JSON.stringify(live)).toContain('`accept-edits` (now)')
    expect([...client.faults, ...again.faults]).toEqual([])
  })

  it('that is not approved changes nothing', async () => {
    const { client, cwd } = await scriptedBin({
      turns: PLANNED,
      env: { DECKHAND_MODE: 'plan' },
      permission: () => selected('reject-once'),
    })
    const sessionId = await client.open(cwd)
    await client.prompt(sessionId, 'go')
    expect(existsSync(join(cwd, 'f'))).toBe(false)
    const card = client.updates(sessionId).findLast((update) => update.toolCallId === 'p')
    expect(JSON.stringify(card)).toContain('did not approve')
  })
})

describe('a question', () => {
  it('is asked by a form of the client, without a permission', async () => {
    const forms: Wire[] = []
    const { client, cwd } = await scriptedBin({
      turns: ASKED,
      answer: (_method, params) => (forms.push(params), { action: 'accept', content: { answer: 'blue' } }),
    })
    const sessionId = await client.open(cwd, { elicitation: { form: {} } })
    await client.prompt(sessionId, 'go')
    expect(forms).toMatchObject([
      { mode: 'form', message: 'Which?', requestedSchema: { required: ['answer'] } },
    ])
    expect(client.messages.some(({ method }) => method === 'session/request_permission')).toBe(false)
    expect(JSON.stringify(client.updates(sessionId))).toContain('The user answers: blue')
    expect(client.faults).toEqual([])
  })

  it('is not there where the client has no forms', async () => {
    const { client, cwd } = await scriptedBin({ turns: ASKED })
    const sessionId = await client.open(cwd)
    await client.prompt(sessionId, 'go')
    const card = client.updates(sessionId).findLast((update) => update.toolCallId === 'q')
    expect(card.status).toBe('failed')
  })
})
