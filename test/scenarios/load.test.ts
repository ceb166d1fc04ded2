import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import type { Wire } from '../support/bin-client.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const TURNS: Scenario['turns'] = [
  {
    match: 'work',
    steps: [
      {
        do: [
          { thought: 'hm' },
          { text: 'Reading. ' },
          { call: { id: 'r', name: 'read', arguments: { file_path: 'a.txt' } } },
        ],
      },
      {
        do: [
          {
            call: {
              id: 'e',
              name: 'edit',
              arguments: { file_path: 'a.txt', old_string: 'two', new_string: '2' },
            },
          },
        ],
      },
      { do: [{ call: { id: 'b', name: 'bash', arguments: { command: 'echo hi; exit 2' } } }] },
      { do: [{ text: 'Done.' }] },
    ],
  },
  { match: 'again', steps: [{ do: [{ text: 'I remember.' }] }] },
]

/** The last of each field of a card, as an editor would hold it. */
function cards(updates: Wire[]): Record<string, Wire> {
  const held: Record<string, Wire> = {}
  for (const { sessionUpdate: _kind, toolCallId, _meta, ...fields } of updates) {
    if (toolCallId === undefined) continue
    const output: string = (held[toolCallId]?.output ?? '') + (_meta?.terminal_output?.data ?? '')
    held[toolCallId] = {
      ...held[toolCallId],
      ...fields,
      output,
      exit: _meta?.terminal_exit ?? held[toolCallId]?.exit,
    }
  }
  return held
}

const said = (updates: Wire[], kind: string): string =>
  updates
    .filter((update) => update.sessionUpdate === kind)
    .map((update) => update.content.text)
    .join('')

describe('session/load', () => {
  it('replays in a new process what was drawn live, then answers, and goes on (B88, B90)', async () => {
    const { client, cwd, another } = await scriptedBin({ turns: TURNS, files: { 'a.txt': 'one\ntwo\n' } })
    const sessionId = await client.open(cwd)
    await client.prompt(sessionId, 'work')
    const live = client.updates(sessionId)
    await client.end()

    const next = another()
    await next.initialize()
    const loaded = await next.request('session/load', { sessionId, cwd, mcpServers: [] })
    expect(loaded.modes.currentModeId).toBe('ask')
    const replayed = next.updates(sessionId)
    expect(cards(replayed)).toEqual(cards(live))
    expect(said(replayed, 'user_message_chunk')).toBe('work')
    for (const kind of ['agent_message_chunk', 'agent_thought_chunk']) {
      expect(said(replayed, kind)).toBe(said(live, kind))
    }
    expect(await next.prompt(sessionId, 'again')).toEqual({ stopReason: 'end_turn' })
    expect(said(next.updates(sessionId), 'agent_message_chunk')).toContain('I remember.')
    expect(next.faults).toEqual([])
  })
})
