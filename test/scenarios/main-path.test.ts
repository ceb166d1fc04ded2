import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { selected, type Wire } from '../support/bin-client.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const TURNS: Scenario['turns'] = [
  {
    match: 'fix',
    steps: [
      {
        do: [
          { thought: 'First I look.' },
          { text: 'Looking. ' },
          {
            call: {
              id: 'plan',
              name: 'todo_write',
              arguments: { todos: [{ content: 'Fix it', status: 'in_progress' }] },
            },
          },
          { call: { id: 'read', name: 'read', arguments: { file_path: 'src/a.txt' } } },
        ],
      },
      {
        do: [
          {
            call: {
              id: 'edit',
              name: 'edit',
              arguments: { file_path: 'src/a.txt', old_string: 'two', new_string: 'three' },
            },
          },
        ],
      },
      {
        do: [
          {
            call: { id: 'bash', name: 'bash', arguments: { command: 'cat src/a.txt; echo err >&2; exit 3' } },
          },
        ],
      },
      { do: [{ call: { id: 'grep', name: 'grep', arguments: { pattern: 'three' } } }] },
      { do: [{ text: 'Done.' }], usage: { inputTokens: 100, outputTokens: 5 } },
    ],
  },
]

const statusesOf = (updates: Wire[], id: string): string[] =>
  updates
    .filter((update) => update.toolCallId === id && update.status)
    .map((update) => update.status as string)

describe('the main path on the built command', () => {
  it('draws a whole turn, asks before it changes anything, and ends', async () => {
    const { client, cwd } = await scriptedBin({ turns: TURNS, files: { 'src/a.txt': 'one\ntwo\n' } })
    const asked: Wire[] = []
    client.permission = (params) => {
      asked.push(params)
      if (params.toolCall.toolCallId === 'edit') expect(existsSync(join(cwd, 'src/a.txt'))).toBe(true)
      return selected('allow-once')
    }
    const sessionId = await client.open(cwd)
    expect(await client.prompt(sessionId, 'fix it')).toEqual({ stopReason: 'end_turn' })

    const updates = client.updates(sessionId)
    const calls = updates.filter((update) => update.sessionUpdate === 'tool_call')
    expect(calls.map((call) => [call.toolCallId, call.kind, call.title, call.name])).toEqual([
      ['plan', expect.any(String), expect.any(String), 'todo_write'],
      ['read', 'read', 'Read `src/a.txt`', 'read'],
      ['edit', 'edit', 'Edit src/a.txt', 'edit'],
      ['bash', 'execute', 'cat src/a.txt; echo err >&2; exit 3', 'bash'],
      ['grep', 'search', expect.stringContaining('`three`'), 'grep'],
    ])
    for (const { toolCallId } of calls) {
      expect(statusesOf(updates, toolCallId)).toEqual(['pending', 'in_progress', 'completed'])
    }
    expect(updates.find((update) => update.sessionUpdate === 'plan')).toMatchObject({
      entries: [{ content: 'Fix it', status: 'in_progress', priority: 'medium' }],
    })
    const absolute = join(cwd, 'src/a.txt')
    expect(asked.map((params) => params.toolCall.toolCallId)).toEqual(['edit', 'bash'])
    expect(asked[0].toolCall).toMatchObject({
      title: 'Edit src/a.txt',
      kind: 'edit',
      status: 'pending',
      content: [{ type: 'diff', path: absolute, oldText: 'one\ntwo\n', newText: 'one\nthree\n' }],
      locations: [{ path: absolute }],
    })
    expect(asked[1].toolCall).toMatchObject({ title: calls[3].title, rawInput: { command: calls[3].title } })
    const terminal = updates.filter((update) => update.toolCallId === 'bash')
    expect(terminal[0]._meta.terminal_info).toEqual({ terminal_id: 'bash', cwd })
    expect(terminal.map((update) => update._meta?.terminal_output?.data ?? '').join('')).toBe(
      'one\nthree\nerr\n',
    )
    expect(terminal.at(-1)._meta.terminal_exit).toEqual({ terminal_id: 'bash', exit_code: 3, signal: null })
    expect(await readFile(absolute, 'utf8')).toBe('one\nthree\n')
    expect(updates.findLast((update) => update.sessionUpdate === 'usage_update')).toMatchObject({
      used: 105,
    })
    expect(updates).toContainEqual(
      expect.objectContaining({ sessionUpdate: 'session_info_update', title: 'fix it' }),
    )

    expect(client.faults).toEqual([])
    expect(await client.end()).toBe(0)
    expect(client.stderr).toBe('')
  })

  it('keeps the order of the wire', async () => {
    const { client, cwd } = await scriptedBin({ turns: TURNS, files: { 'src/a.txt': 'one\ntwo\n' } })
    const sessionId = await client.open(cwd)
    await client.prompt(sessionId, 'fix it')
    const at = (predicate: (message: Wire) => boolean): number => client.messages.findIndex(predicate)
    const created = at((message) => message.result?.sessionId === sessionId)
    const firstUpdate = at((message) => message.method === 'session/update')
    const ended = at((message) => message.result?.stopReason !== undefined)
    const announced = at(
      (message) =>
        message.params?.update?.sessionUpdate === 'tool_call' && message.params.update.toolCallId === 'edit',
    )
    const asked = at((message) => message.method === 'session/request_permission')
    expect(created).toBeLessThan(firstUpdate)
    expect(announced).toBeLessThan(asked)
    expect(ended).toBe(client.messages.length - 1)
  })

  it('draws the same on a client without terminals', async () => {
    const { client, cwd } = await scriptedBin({ turns: TURNS, files: { 'src/a.txt': 'one\ntwo\n' } })
    const sessionId = await client.open(cwd, {})
    await client.prompt(sessionId, 'fix it')
    const last = client
      .updates(sessionId)
      .findLast((update) => update.toolCallId === 'bash' && update.content)
    expect(last.content).toEqual([
      { type: 'content', content: { type: 'text', text: '```console\none\nthree\nerr\n```\nexit 3' } },
    ])
    expect(client.lines.join('\n')).not.toContain('terminal_')
    expect(client.faults).toEqual([])
  })

  it('changes nothing when the person rejects, and the turn goes on', async () => {
    const { client, cwd } = await scriptedBin({
      turns: TURNS,
      files: { 'src/a.txt': 'one\ntwo\n' },
      permission: () => selected('reject-once'),
    })
    const sessionId = await client.open(cwd)
    expect(await client.prompt(sessionId, 'fix it')).toEqual({ stopReason: 'end_turn' })
    expect(await readFile(join(cwd, 'src/a.txt'), 'utf8')).toBe('one\ntwo\n')
    const updates = client.updates(sessionId)
    expect(statusesOf(updates, 'edit')).toEqual(['pending', 'failed'])
    const failed = updates.findLast((update) => update.toolCallId === 'edit')
    expect(failed.content[0]).toMatchObject({ type: 'diff', newText: 'one\nthree\n' })
    expect(failed.content[1].content.text).toContain('rejected')
  })
})
