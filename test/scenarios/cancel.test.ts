import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import type { Wire } from '../support/bin-client.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const bash = (command: string) => ({ call: { id: 'b', name: 'bash', arguments: { command } } })
const AGAIN: Scenario['turns'][number] = { match: 'again', steps: [{ do: [{ text: 'here' }] }] }
const isUpdate = (test: (update: Wire) => boolean) => (message: Wire) =>
  message.params?.update !== undefined && test(message.params.update)

interface Phase {
  phase: string
  steps: Scenario['turns'][number]['steps']
  mode: string
  at: (message: Wire) => boolean
}

const PHASES: Phase[] = [
  {
    phase: 'while text streams',
    steps: [{ do: [{ text: 'a story' }, { hang: true }] }],
    mode: 'bypass',
    at: isUpdate((update) => update.sessionUpdate === 'agent_message_chunk'),
  },
  {
    phase: 'while a command runs',
    steps: [{ do: [bash('echo on; sleep 60')] }],
    mode: 'bypass',
    at: isUpdate((update) => update._meta?.terminal_output !== undefined),
  },
  {
    phase: 'while permission is open',
    steps: [{ do: [bash('touch never')] }],
    mode: 'ask',
    at: (message) => message.method === 'session/request_permission',
  },
  {
    phase: 'while arguments stream',
    steps: [
      {
        do: [
          { call: { id: 'b', name: 'write', arguments: { file_path: 'f', content: 'x'.repeat(2000) } } },
          { hang: true },
        ],
      },
    ],
    mode: 'bypass',
    at: isUpdate((update) => update.sessionUpdate === 'tool_call'),
  },
]

describe.each(PHASES)('session/cancel $phase', ({ steps, mode, at }) => {
  it.each(['session/cancel', '$/cancel_request'])(
    'by %s: one response, cancelled, cards closed, nothing after it',
    async (method) => {
      const { client, cwd } = await scriptedBin({
        turns: [AGAIN, { match: 'go', steps }],
        env: { DECKHAND_MODE: mode },
        permission: () => 'never',
      })
      const sessionId = await client.open(cwd)
      const answer = client.prompt(sessionId, 'go')
      await client.seen(at)
      const promptId = 3
      client.notify(method, method === 'session/cancel' ? { sessionId } : { requestId: promptId })
      client.notify('session/cancel', { sessionId })
      expect(await answer).toEqual({ stopReason: 'cancelled' })

      const end = client.messages.length
      const open = client.messages.find((message) => message.method === 'session/request_permission')
      if (open)
        client.send({ id: open.id, result: { outcome: { outcome: 'selected', optionId: 'allow-once' } } })
      expect(await client.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
      expect(existsSync(join(cwd, 'never'))).toBe(false)
      const said = client
        .updates(sessionId)
        .filter((update) => update.sessionUpdate === 'agent_message_chunk')
      expect(said.at(-1).content.text).toBe('here')

      const statuses = client
        .updates(sessionId)
        .filter((update) => update.toolCallId === 'b' && update.status)
      expect(
        statuses.filter((update) => ['completed', 'failed'].includes(update.status as string)).length,
      ).toBe(statuses.length > 0 ? 1 : 0)
      const late = client.messages.slice(end).filter(isUpdate((update) => update.toolCallId !== undefined))
      expect(late).toEqual([])
      expect(client.messages.filter((message) => message.id === promptId && !message.method)).toHaveLength(1)
      expect(client.faults).toEqual([])
    },
  )
})

describe('prompts', () => {
  it('are accepted at once when the one before was answered, 200 times (B08)', async () => {
    const { client, cwd } = await scriptedBin({ turns: [{ steps: [{ do: [{ text: 'ok' }] }] }] })
    const sessionId = await client.open(cwd)
    for (let round = 0; round < 200; round += 1) {
      expect(await client.prompt(sessionId, 'x')).toEqual({ stopReason: 'end_turn' })
    }
  })

  it('are refused while one runs, and another session goes on (B14)', async () => {
    const { client, cwd } = await scriptedBin({
      turns: [AGAIN, { match: 'go', steps: [{ do: [{ text: 'on' }, { hang: true }] }] }],
    })
    const first = await client.open(cwd)
    const { sessionId: second } = await client.request('session/new', { cwd, mcpServers: [] })
    const answer = client.prompt(first, 'go')
    await client.seen(isUpdate((update) => update.content?.text === 'on'))
    await expect(client.prompt(first, 'again')).rejects.toMatchObject({ code: -32600 })
    expect(await client.prompt(second as string, 'again')).toEqual({ stopReason: 'end_turn' })
    client.notify('session/cancel', { sessionId: first })
    const next = client.prompt(first, 'again')
    expect(await answer).toEqual({ stopReason: 'cancelled' })
    expect(await next).toEqual({ stopReason: 'end_turn' })
  })
})
