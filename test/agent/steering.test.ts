import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversationOf } from '#session/conversation.ts'
import { say, stage } from '../support/scripted-agent.ts'

describe('steering', () => {
  it('reaches the running turn at its next step, behind the batch', async () => {
    const { session } = await stage({
      turns: [
        {
          match: 'go',
          steps: [
            { do: [{ call: { name: 'bash', arguments: { command: 'echo on' } } }] },
            { do: [{ text: 'ok' }] },
          ],
        },
        { match: 'rather', steps: [{ do: [{ text: 'as you say' }] }] },
      ],
    })
    expect(session.steer(say('too early'))).toBe(false)
    session.subscribe((event) => {
      if (event.type === 'tool_started') expect(session.steer(say('rather this'))).toBe(true)
    })
    expect(await session.prompt(say('go'))).toBe('end_turn')
    const roles = conversationOf(session.history()).map((message) => message.role)
    expect(roles).toEqual(['user', 'assistant', 'tool', 'user', 'assistant'])
    expect(JSON.stringify(conversationOf(session.history()).at(-1))).toContain('as you say')
  })

  it('keeps a turn going that would have ended', async () => {
    const { session } = await stage({
      turns: [
        { match: 'go', steps: [{ do: [{ text: 'done' }] }] },
        { match: 'more', steps: [{ do: [{ text: 'more it is' }] }] },
      ],
    })
    session.subscribe(
      (event) => event.type === 'text_delta' && event.text === 'done' && session.steer(say('more')),
    )
    expect(await session.prompt(say('go'))).toBe('end_turn')
    expect(session.history().filter((event) => event.type === 'assistant_message')).toHaveLength(2)
  })
})

describe('options', () => {
  it('are mode, model and Code Mode, are logged, and survive a restart', async () => {
    const { session, cwd, restart } = await stage({
      turns: [{ steps: [{ do: [{ text: 'hi' }] }] }],
      mode: 'ask',
    })
    expect(session.options().map(({ id, current }) => [id, current])).toEqual([
      ['mode', 'ask'],
      ['model', 'scripted/test'],
      ['code_mode', 'native'],
    ])
    session.setOption('mode', 'plan')
    expect(session.modeId).toBe('plan')
    expect(() => session.setOption('mode', 'yolo2')).toThrow('choose one of ask, accept-edits, plan, bypass')
    expect(() => session.setOption('colour', 'red')).toThrow('there is no option')
    expect(() => session.setMode('')).toThrow('is no mode')
    await session.prompt(say('x'))
    await session.close()
    const again = await (await restart()).open(session.id, { cwd, additionalDirectories: [] })
    expect(again.modeId).toBe('plan')
  })
})

describe('usage', () => {
  it('adds up what the provider counted', async () => {
    const step = {
      do: [{ call: { name: 'glob', arguments: { pattern: '*' } } }],
      usage: { inputTokens: 10, outputTokens: 2 },
    }
    const last = { do: [{ text: 'ok' }], usage: { inputTokens: 20, outputTokens: 3, cachedInputTokens: 8 } }
    const { session } = await stage({ turns: [{ steps: [step, last] }] })
    await session.prompt(say('x'))
    expect(session.usage()).toEqual({
      requests: 2,
      uncounted: 0,
      inputTokens: 30,
      outputTokens: 5,
      cachedInputTokens: 8,
      context: { used: 23, size: 200_000 },
    })
  })

  it('counts requests that the provider reports no tokens for', async () => {
    const { session } = await stage({ turns: [{ steps: [{ do: [{ text: 'ok' }] }] }] })
    await session.prompt(say('x'))
    expect(session.usage()).toMatchObject({ requests: 1, uncounted: 1, inputTokens: 0 })
  })
})

const edit = (file: string, old: string, text: string) => ({
  call: { name: 'edit', arguments: { file_path: file, old_string: old, new_string: text } },
})
const read = (file: string) => ({ call: { name: 'read', arguments: { file_path: file } } })

describe('file history', () => {
  const turns = [
    {
      match: 'first',
      steps: [
        { do: [read('a.txt')] },
        {
          do: [
            edit('a.txt', 'one', '1'),
            { call: { name: 'write', arguments: { file_path: 'new.txt', content: 'n\n' } } },
          ],
        },
        { do: [{ text: 'ok' }] },
      ],
    },
    {
      match: 'second',
      steps: [{ do: [edit('a.txt', '1', 'I'), edit('a.txt', 'two', 'II')] }, { do: [{ text: 'ok' }] }],
    },
    { match: 'third', steps: [{ do: [{ text: 'ok' }] }] },
  ]

  it('shows the whole change of the session, and undoes it turn by turn', async () => {
    const { session, cwd } = await stage({ turns, files: { 'a.txt': 'one\ntwo\n' } })
    await session.prompt(say('first'))
    await session.prompt(say('second'))
    const [a, fresh] = [join(cwd, 'a.txt'), join(cwd, 'new.txt')]
    expect(await session.changes()).toEqual([
      { path: a, before: 'one\ntwo\n', after: 'I\nII\n' },
      { path: fresh, before: null, after: 'n\n' },
    ])
    expect(await session.rewind(1)).toEqual({
      undone: [{ path: a, before: 'I\nII\n', after: '1\ntwo\n' }],
      skipped: [],
    })
    expect(await readFile(a, 'utf8')).toBe('1\ntwo\n')
    const { undone } = await session.rewind(1)
    expect(undone.map(({ path, after }) => [path, after])).toEqual([
      [a, 'one\ntwo\n'],
      [fresh, null],
    ])
    await expect(readFile(fresh)).rejects.toThrow('ENOENT')
    expect(await session.changes()).toEqual([])
    expect(await session.rewind(5)).toEqual({ undone: [], skipped: [] })
    await session.prompt(say('third'))
    expect(JSON.stringify(conversationOf(session.history()))).toContain('The user has undone your changes')
  })

  it('leaves alone what somebody else has changed since', async () => {
    const { session, cwd } = await stage({ turns, files: { 'a.txt': 'one\ntwo\n' } })
    await session.prompt(say('first'))
    await writeFile(join(cwd, 'a.txt'), 'mine\n')
    const { undone, skipped } = await session.rewind(1)
    expect(skipped).toEqual([join(cwd, 'a.txt')])
    expect(undone.map(({ path }) => path)).toEqual([join(cwd, 'new.txt')])
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('mine\n')
  })
})
