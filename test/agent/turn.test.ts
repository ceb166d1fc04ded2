import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversationOf } from '#session/conversation.ts'
import type { AgentSession } from '#agent/port.ts'
import type { ToolResultEvent } from '#session/event.ts'
import { textOf } from '#model/content.ts'
import { say, stage } from '../support/scripted-agent.ts'

const results = (session: AgentSession): ToolResultEvent[] =>
  session.history().filter((event) => event.type === 'tool_result')
const resultTexts = (session: AgentSession): string[] =>
  results(session).map((result) => textOf(result.content))
const types = (session: AgentSession): string[] => session.history().map((event) => event.type)

describe('a turn', () => {
  it('reads, edits and runs, in order, and ends', async () => {
    const { session, cwd } = await stage({
      files: { 'a.txt': 'one\ntwo\n' },
      turns: [
        {
          steps: [
            { do: [{ text: 'Looking. ' }, { call: { name: 'read', arguments: { file_path: 'a.txt' } } }] },
            {
              do: [
                {
                  call: {
                    name: 'edit',
                    arguments: { file_path: 'a.txt', old_string: 'two', new_string: 'three' },
                  },
                },
                { call: { name: 'bash', arguments: { command: 'cat a.txt' } } },
              ],
            },
            { do: [{ text: 'It says {{result}}' }] },
          ],
        },
      ],
    })
    expect(await session.prompt(say('change it'))).toBe('end_turn')
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\nthree\n')
    expect(results(session).map((result) => result.isError)).toEqual([false, false, false])
    expect(types(session).join(' ')).toBe(
      `turn_start user_message title step_start assistant_message step_end
       tool_call tool_started observed tool_result step_start assistant_message step_end
       tool_call tool_call tool_started snapshot observed tool_result
       tool_started tool_output tool_result step_start assistant_message step_end turn_end`.replaceAll(
        /\s+/g,
        ' ',
      ),
    )
    expect(session.history().map((event) => event.seq)).toEqual(
      session.history().map((_, index) => index + 1),
    )
    expect(session.title).toBe('change it')
  })

  it('gives results of a parallel batch back in the order of the calls (B184)', async () => {
    const files = Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, `text of ${name}\n`]))
    const read = (name: string) => ({ call: { name: 'read', arguments: { file_path: name } } })
    const { session } = await stage({
      files,
      turns: [
        {
          steps: [
            { do: [read('a'), read('b'), { call: { name: 'nope', arguments: {} } }, read('c'), read('d')] },
            { do: [{ text: 'done' }] },
          ],
        },
      ],
    })
    await session.prompt(say('read all'))
    const texts = resultTexts(session)
    expect(texts.map((text) => /text of (.)/.exec(text)?.[1] ?? text)).toEqual([
      'a',
      'b',
      'Error: unknown tool "nope"',
      'c',
      'd',
    ])
    const calls = session.history().filter((event) => event.type === 'tool_call')
    expect(results(session).map((result) => result.callId)).toEqual(calls.map((call) => call.callId))
  })

  it('answers bad calls with results that say what is wrong, and goes on (B182)', async () => {
    const { session } = await stage({
      turns: [
        {
          steps: [
            {
              do: [
                { call: { name: 'read', arguments: {} } },
                { call: { name: 'edit', arguments: { file_path: 1, old_string: 'a', new_string: 'b' } } },
                { call: { name: 'read', raw: '{"file_path": "a' } },
                { call: { name: '', arguments: {} } },
              ],
            },
            { do: [{ text: 'I see' }] },
          ],
        },
      ],
    })
    expect(await session.prompt(say('go'))).toBe('end_turn')
    expect(resultTexts(session)).toEqual([
      'Error: invalid arguments: missing required property "file_path"',
      'Error: invalid arguments: "file_path" must be a string',
      'Error: invalid arguments: "arguments" must be an object',
      'Error: unknown tool ""',
    ])
  })

  it('executes none of the calls of an answer that was cut off, and is bounded (B177)', async () => {
    const cut = {
      do: [{ call: { name: 'write', arguments: { file_path: 'f', content: 'half' } } }],
      finish: 'length' as const,
    }
    const { session, cwd } = await stage({ turns: [{ steps: [cut, cut, cut, cut] }] })
    expect(await session.prompt(say('write'))).toBe('max_tokens')
    await expect(readFile(join(cwd, 'f'))).rejects.toThrow('ENOENT')
    expect(results(session).map((result) => result.error?.info?.code)).toEqual([
      'OUTPUT_CUT',
      'OUTPUT_CUT',
      'OUTPUT_CUT',
    ])
  })

  it('reminds, then stops, a model that repeats itself (B179)', async () => {
    const again = { do: [{ call: { name: 'read', arguments: { file_path: 'missing' } } }] }
    const { session } = await stage({ turns: [{ steps: Array.from({ length: 20 }, () => again) }] })
    expect(await session.prompt(say('go'))).toBe('end_turn')
    expect(results(session)).toHaveLength(8)
    const reminders = session
      .history()
      .filter((event) => event.type === 'user_message' && event.message.source.kind === 'policy')
    expect(reminders).toHaveLength(1)
    expect(types(session)).toContain('notice')
  })

  it('ends with max_tokens and refusal as the model says', async () => {
    const { session } = await stage({
      turns: [
        { match: 'long', steps: [{ do: [{ text: 'and so' }], finish: 'length' }] },
        { match: 'bad', steps: [{ do: [{ text: 'no' }], finish: 'refusal' }] },
      ],
    })
    expect(await session.prompt(say('long'))).toBe('max_tokens')
    expect(await session.prompt(say('bad'))).toBe('refusal')
  })

  it('keeps call ids unique when the provider repeats them', async () => {
    const call = { do: [{ call: { id: 'call_0', name: 'glob', arguments: { pattern: '*' } } }] }
    const { session } = await stage({ turns: [{ steps: [call, call, { do: [{ text: 'ok' }] }] }] })
    await session.prompt(say('go'))
    const ids = session.history().flatMap((event) => (event.type === 'tool_call' ? [event.callId] : []))
    expect(new Set(ids).size).toBe(2)
    expect(conversationOf(session.history()).filter((message) => message.role === 'tool')).toHaveLength(2)
  })
})

describe('a failing model', () => {
  it('fails the turn with the provider’s words, and the session goes on', async () => {
    const { session } = await stage({
      turns: [
        { match: 'one', steps: [{ do: [{ error: { code: 'auth', message: 'key refused', status: 401 } }] }] },
        { match: 'two', steps: [{ do: [{ text: 'fine' }] }] },
      ],
    })
    await expect(session.prompt(say('one'))).rejects.toMatchObject({
      code: 'auth',
      message: 'key refused',
      details: { status: 401 },
    })
    expect(session.busy).toBe(false)
    expect(session.history().at(-1)).toMatchObject({
      type: 'turn_failed',
      error: { code: 'auth', status: 401 },
    })
    expect(await session.prompt(say('two'))).toBe('end_turn')
  })

  it('is not tried again for what can’t mend, and keeps what was streamed', async () => {
    const { session } = await stage({
      turns: [
        {
          steps: [
            { do: [{ text: 'half a sen' }, { error: { code: 'bad_request', message: 'no', status: 400 } }] },
          ],
        },
      ],
    })
    await expect(session.prompt(say('go'))).rejects.toMatchObject({ code: 'model' })
    expect(types(session)).not.toContain('retry')
    expect(session.history()).toContainEqual(
      expect.objectContaining({ type: 'assistant_message', interrupted: true }),
    )
    expect(conversationOf(session.history()).at(-1)).toMatchObject({
      role: 'assistant',
      parts: [{ text: 'half a sen' }],
    })
  })

  it('withdraws calls that were announced before the failure', async () => {
    const { session } = await stage({
      turns: [
        {
          steps: [
            {
              do: [
                { call: { name: 'write', arguments: { file_path: 'f', content: 'x' } } },
                { error: { code: 'bad_request', message: 'no' } },
              ],
            },
          ],
        },
      ],
    })
    await expect(session.prompt(say('go'))).rejects.toThrow('no')
    expect(types(session)).toContain('call_withdrawn')
    expect(types(session)).not.toContain('tool_call')
  })

  it('refuses a second prompt while one runs (B14)', async () => {
    const { session } = await stage({ turns: [{ steps: [{ do: [{ hang: true }] }] }] })
    const first = session.prompt(say('one'))
    await expect(session.prompt(say('two'))).rejects.toMatchObject({ code: 'busy' })
    session.cancel()
    expect(await first).toBe('cancelled')
  })
})
