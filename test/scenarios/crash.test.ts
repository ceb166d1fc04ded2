import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const TURNS: Scenario['turns'] = [
  { match: 'again', steps: [{ do: [{ text: 'The call said: {{result:b}}' }] }] },
  {
    match: 'go',
    steps: [
      {
        do: [
          { call: { id: 'b', name: 'bash', arguments: { command: 'echo half; sleep 60' } } },
          { call: { id: 'c', name: 'bash', arguments: { command: 'true' } } },
        ],
      },
    ],
  },
]

describe('kill -9', () => {
  it('in the middle of a command: the session loads, every call is closed, the next turn works (B83)', async () => {
    const { client, cwd, home, another } = await scriptedBin({
      turns: TURNS,
      env: { DECKHAND_MODE: 'bypass' },
    })
    const sessionId = await client.open(cwd)
    client.prompt(sessionId, 'go').catch(() => undefined)
    await client.seen((message) => message.params?.update?._meta?.terminal_output !== undefined)
    // The client may see what is still on its way to the log: the event that is being written may be lost.
    const log = join(home, 'sessions', `${sessionId}.jsonl`)
    while (!(await readFile(log, 'utf8')).includes('"data":"half')) await sleep(10)
    client.child.kill('SIGKILL')
    await client.exited

    const next = another()
    await next.initialize()
    await next.request('session/load', { sessionId, cwd, mcpServers: [] })
    const last = (id: string) => next.updates(sessionId).findLast((update) => update.toolCallId === id)
    expect(last('b').status).toBe('failed')
    expect(last('c').status).toBe('failed')
    const output = next
      .updates(sessionId)
      .map((update) => update._meta?.terminal_output?.data ?? '')
      .join('')
    expect(output).toContain('half')
    expect(await next.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
    const said = next.updates(sessionId).filter((update) => update.sessionUpdate === 'agent_message_chunk')
    expect(said.map((update) => update.content.text).join('')).toContain('its effects may have happened')
    expect(next.faults).toEqual([])
  })
})
