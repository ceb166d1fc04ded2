import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { type Client, ClientSideConnection, ndJsonStream } from '@zed-industries/agent-client-protocol'
import { describe, expect, it, vi } from 'vitest'
import { scriptedBin } from '../support/scripted-bin.ts'

describe('the frozen client library 0.4.5, an independent implementation', () => {
  it('completes initialize → new → prompt → permission → end', async () => {
    const { client, cwd } = await scriptedBin({
      files: { 'a.txt': 'one\ntwo\n' },
      turns: [
        {
          steps: [
            { do: [{ text: 'Reading. ' }, { call: { name: 'read', arguments: { file_path: 'a.txt' } } }] },
            {
              do: [
                {
                  call: {
                    name: 'edit',
                    arguments: { file_path: 'a.txt', old_string: 'two', new_string: '2' },
                  },
                },
              ],
            },
            { do: [{ text: 'Done.' }] },
          ],
        },
      ],
    })
    // It complains about kinds of updates that are younger than it, and goes on.
    vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { stdin, stdout } = client.child
    if (!stdin || !stdout) throw new Error('no pipes')
    const updates: string[] = []
    const asked: string[] = []
    const editor: Client = {
      async requestPermission({ options, toolCall }) {
        asked.push(toolCall.title ?? '')
        const allow = options.find((option) => option.kind === 'allow_once')
        return { outcome: { outcome: 'selected', optionId: allow?.optionId ?? '' } }
      },
      async sessionUpdate({ update }) {
        updates.push(
          update.sessionUpdate === 'tool_call_update'
            ? `${update.sessionUpdate} ${update.status}`
            : update.sessionUpdate,
        )
      },
    }
    const stream = ndJsonStream(Writable.toWeb(stdin), Readable.toWeb(stdout) as ReadableStream<Uint8Array>)
    const connection = new ClientSideConnection(() => editor, stream)
    const { protocolVersion } = await connection.initialize({ protocolVersion: 1, clientCapabilities: {} })
    expect(protocolVersion).toBe(1)
    const { sessionId } = await connection.newSession({ cwd, mcpServers: [] })
    const { stopReason } = await connection.prompt({
      sessionId,
      prompt: [{ type: 'text', text: 'change it' }],
    })
    expect(stopReason).toBe('end_turn')
    expect(asked).toEqual(['Edit a.txt'])
    expect(updates.filter((update) => update === 'tool_call_update completed')).toHaveLength(2)
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\n2\n')
  })
})
