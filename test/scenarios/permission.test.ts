import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { selected, type Wire } from '../support/bin-client.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const write = (name: string) => ({
  call: { id: name, name: 'write', arguments: { file_path: name, content: 'x\n' } },
})
const ONE: Scenario['turns'] = [{ steps: [{ do: [write('f')] }, { do: [{ text: 'ok' }] }] }]
const TWO: Scenario['turns'] = [{ steps: [{ do: [write('f'), write('g')] }, { do: [{ text: 'ok' }] }] }]

const ANSWERS: [string, unknown][] = [
  ['an id that was never offered', selected('nope')],
  ['an empty id', selected('')],
  ['the name of an outcome', selected('cancel')],
  ['another spelling', selected('ALLOW-ONCE')],
  ['an option that this prompt did not offer', selected('reject-always')],
  ['an unknown outcome', { outcome: { outcome: 'granted', optionId: 'allow-once' } }],
  ['cancelled without a cancel', { outcome: { outcome: 'cancelled' } }],
  ['rejected', selected('reject-once')],
]

it('asks before code that is run at the next start is changed, also where edits are accepted', async () => {
  const code = 'deckhand/code-v24.0.0-linux-x64/start-0a1b2c3d.bin'
  const { cwd, another } = await scriptedBin({
    turns: [{ steps: [{ do: [write('f')] }, { do: [write(code)] }, { do: [{ text: 'ok' }] }] }],
    permission: () => selected('reject-once'),
  })
  const client = another({
    env: { DECKHAND_MODE: 'accept-edits', XDG_CACHE_HOME: cwd, NODE_COMPILE_CACHE: '' },
  })
  await client.prompt(await client.open(cwd), 'go')
  const asked = client.messages.filter((message) => message.method === 'session/request_permission')
  expect(asked.map((message: Wire) => message.params.toolCall.toolCallId)).toEqual([code])
  expect([existsSync(join(cwd, 'f')), existsSync(join(cwd, code))]).toEqual([true, false])
})

describe('permission fails closed', () => {
  it.each(ANSWERS)('%s denies, and the turn goes on (B50, B58)', async (_what, answer) => {
    const { client, cwd } = await scriptedBin({ turns: ONE, permission: () => answer })
    const sessionId = await client.open(cwd)
    expect(await client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
    expect(existsSync(join(cwd, 'f'))).toBe(false)
    expect(client.updates(sessionId).findLast((update) => update.toolCallId === 'f').status).toBe('failed')
  })

  it('an error reply denies (B63)', async () => {
    const { client, cwd } = await scriptedBin({ turns: ONE, permission: () => 'never' })
    const sessionId = await client.open(cwd)
    const answer = client.prompt(sessionId, 'go')
    const asked = await client.seen((message) => message.method === 'session/request_permission')
    client.send({ id: asked.id, error: { code: -32601, message: 'Method not found' } })
    expect(await answer).toEqual({ stopReason: 'end_turn' })
    expect(existsSync(join(cwd, 'f'))).toBe(false)
  })

  it('asks one at a time, in order, and nothing new after a cancel (B60)', async () => {
    const { client, cwd } = await scriptedBin({ turns: TWO, permission: () => 'never' })
    const sessionId = await client.open(cwd)
    const answer = client.prompt(sessionId, 'go')
    await client.seen((message) => message.method === 'session/request_permission')
    client.notify('session/cancel', { sessionId })
    expect(await answer).toEqual({ stopReason: 'cancelled' })
    const asked = client.messages.filter((message) => message.method === 'session/request_permission')
    expect(asked.map((message: Wire) => message.params.toolCall.toolCallId)).toEqual(['f'])
    expect(client.messages).toContainEqual(expect.objectContaining({ method: '$/cancel_request' }))
    expect([existsSync(join(cwd, 'f')), existsSync(join(cwd, 'g'))]).toEqual([false, false])
  })

  it('a pending permission in one session holds up no other', async () => {
    const { client, cwd } = await scriptedBin({
      turns: [
        { match: 'quick', steps: [{ do: [{ text: 'ok' }] }] },
        ...ONE.map((turn) => ({ ...turn, match: 'go' })),
      ],
      permission: () => 'never',
    })
    const first = await client.open(cwd)
    const answer = client.prompt(first, 'go')
    await client.seen((message) => message.method === 'session/request_permission')
    const { sessionId: second } = await client.request('session/new', { cwd, mcpServers: [] })
    expect(await client.prompt(second as string, 'quick')).toEqual({ stopReason: 'end_turn' })
    expect(await client.request('session/close', { sessionId: first })).toEqual({})
    expect(await answer).toEqual({ stopReason: 'cancelled' })
    expect(existsSync(join(cwd, 'f'))).toBe(false)
  })

  it('a path outside the session’s directories asks, also for reading', async () => {
    const turns: Scenario['turns'] = [
      {
        steps: [
          { do: [{ call: { id: 'r', name: 'read', arguments: { file_path: '/etc/hostname' } } }] },
          { do: [{ text: 'ok' }] },
        ],
      },
    ]
    const { client, cwd } = await scriptedBin({ turns, permission: () => selected('reject-once') })
    const sessionId = await client.open(cwd)
    await client.prompt(sessionId, 'go')
    const asked = client.messages.find((message) => message.method === 'session/request_permission')
    expect(asked.params.toolCall).toMatchObject({
      title: expect.stringContaining('/etc/hostname'),
      kind: 'read',
    })
  })
})
