// Code Mode in a session: what the log holds of nested calls, when people see and answer for them, and what a replay shows.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentSession } from '#agent/port.ts'
import { foldUpdates } from '#bridge/fold.ts'
import { NAMED_PROFILES, PROFILE_NAMES } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import { createMapper, type MapperOptions } from '#bridge/updates.ts'
import { textOf } from '#model/content.ts'
import type { AnyEvent, LoggedEvent } from '#session/event.ts'
import { say, stage, type Stage } from '../../support/scripted-agent.ts'

const FILES = { 'a.txt': 'one\ntwo\n', 'b.txt': 'two\n' }

async function program(code: string, mode = 'bypass'): Promise<Stage> {
  const run = { call: { id: 'run', name: 'run_code', arguments: { code, description: 'Try it' } } }
  const open = await stage({
    turns: [{ steps: [{ do: [run] }, { do: [{ text: 'Done.' }] }] }],
    files: FILES,
    mode,
  })
  open.session.setOption('code_mode', 'code')
  return open
}

const ofCalls = (events: readonly LoggedEvent[]): string[] =>
  events.flatMap((event) => {
    if (!('callId' in event)) return []
    const failed = event.type === 'tool_result' && event.isError ? ' failed' : ''
    return `${event.type} ${event.callId}${failed}`
  })

const resultOf = (session: AgentSession, callId: string) => {
  const result = session.history().find((event) => event.type === 'tool_result' && event.callId === callId)
  if (result?.type !== 'tool_result') throw new Error(`no result of ${callId}`)
  return { ...result, text: textOf(result.content) }
}

describe('the log', () => {
  it('holds nested calls from their preparation to their result, inside the outer one', async () => {
    const { session } = await program(
      'const [a] = await Promise.all([tools.read({ file_path: "a.txt" }), tools.glob({ pattern: "*" })])\nreturn a.lines.length',
    )
    await session.prompt(say('go'))
    const events = ofCalls(session.history())
    expect(events.slice(0, 2)).toEqual(['tool_call run', 'tool_started run'])
    for (const id of ['run:code:1', 'run:code:2']) {
      const own = events.filter((event) => event.endsWith(` ${id}`))
      expect(own).toEqual([`code_call ${id}`, `tool_started ${id}`, `tool_result ${id}`])
    }
    // Preparation and results keep the order of submission; bodies overlap.
    const inOrder = (kind: string): string[] => events.filter((event) => event.startsWith(`${kind} run:`))
    expect(inOrder('code_call')).toEqual(['code_call run:code:1', 'code_call run:code:2'])
    expect(inOrder('tool_result')).toEqual(['tool_result run:code:1', 'tool_result run:code:2'])
    expect(events.at(-1)).toBe('tool_result run')
    const call = session.history().find((event) => event.type === 'code_call')
    expect(call).toMatchObject({ parentId: 'run', name: 'read', arguments: { file_path: 'a.txt' } })
    expect(resultOf(session, 'run').text).toBe('2')
    expect(resultOf(session, 'run:code:1').meta).toBeDefined()
    expect(session.history().some((event) => event.type === 'observed')).toBe(true)
  })

  it('has a direct call of a tool as unknown, before any policy', async () => {
    const turns = [
      {
        steps: [
          { do: [{ call: { id: 'w', name: 'write', arguments: { file_path: 'x', content: '' } } }] },
          { do: [{ text: 'ok' }] },
        ],
      },
    ]
    const { session, cwd } = await stage({ turns, mode: 'ask' })
    session.setOption('code_mode', 'code')
    session.setAsker(async () => Promise.reject(new Error('nobody is to be asked')))
    await session.prompt(say('go'))
    expect(resultOf(session, 'w').text).toBe(
      'Error: unknown tool "write": call it inside run_code, as tools.write(…)',
    )
    expect(existsSync(join(cwd, 'x'))).toBe(false)
  })
})

describe('permission', () => {
  const writes = `const said = []
    for (const file_path of ['x.txt', 'y.txt']) await tools.write({ file_path, content: 'new\\n' }).catch((error) => said.push(error.message))
    return said`

  it('is asked for each nested call, whose card is there before', async () => {
    const { session, cwd } = await program(writes, 'ask')
    const asked: string[] = []
    session.setAsker(async ({ callId }) => {
      expect(session.history().some((event) => event.type === 'code_call' && event.callId === callId)).toBe(
        true,
      )
      asked.push(callId)
      return asked.length === 1
        ? { outcome: 'rejected', reason: 'not this one' }
        : { outcome: 'allowed-once' }
    })
    await session.prompt(say('go'))
    expect(asked).toEqual(['run:code:1', 'run:code:2'])
    expect(resultOf(session, 'run').text).toContain('not this one')
    expect([existsSync(join(cwd, 'x.txt')), existsSync(join(cwd, 'y.txt'))]).toEqual([false, true])
    expect(
      ofCalls(session.history()).filter((line) => line.endsWith(':1') || line.endsWith(':1 failed')),
    ).toEqual([
      'code_call run:code:1',
      'tool_preview run:code:1',
      'approval_asked run:code:1',
      'approval_decided run:code:1',
      'tool_result run:code:1 failed',
    ])
  })

  it('still denies in plan mode', async () => {
    const { session, cwd } = await program(writes, 'plan')
    await session.prompt(say('go'))
    expect(resultOf(session, 'run').text).toContain('plan mode')
    expect(existsSync(join(cwd, 'y.txt'))).toBe(false)
  })
})

describe('after 50 calls', () => {
  it('those that only look are counted; those that change or ask have their cards', async () => {
    const { session, home } = await program(
      `for (let n = 0; n < 60; n += 1) await tools.read({ file_path: 'a.txt' })
       await tools.write({ file_path: 'new.txt', content: 'x' })
       await tools.read({ file_path: OUTSIDE })
       await tools.read({ file_path: 'b.txt' })`.replace('OUTSIDE', '"../home/outside.txt"'),
      'accept-edits',
    )
    await writeFile(join(home, 'outside.txt'), 'secret\n')
    const asked: string[] = []
    session.setAsker(async ({ callId }) => {
      asked.push(callId)
      return { outcome: 'allowed-once' }
    })
    await session.prompt(say('go'))
    const carded = session.history().flatMap((event) => (event.type === 'code_call' ? [event.callId] : []))
    const first = Array.from({ length: 50 }, (_, n) => `run:code:${n + 1}`)
    expect(carded).toEqual([...first, 'run:code:61', 'run:code:62'])
    expect(asked).toEqual(['run:code:62'])
    expect(resultOf(session, 'run')).toMatchObject({ isError: false, meta: { withoutCard: 11 } })
    const ids = new Set(ofCalls(session.history()).map((line) => line.split(' ')[1]))
    expect([...ids].filter((id) => id !== 'run' && !carded.includes(id ?? ''))).toEqual([])
  })
})

describe('a cancel', () => {
  it('stops the program and what it runs, and leaves a result for each call', async () => {
    const { session } = await program(
      'await Promise.all([tools.bash({ command: "sleep 30" }), tools.bash({ command: "echo never" })])',
    )
    session.subscribe((event) => {
      if (event.type === 'tool_started' && event.callId === 'run:code:1')
        setTimeout(() => session.cancel(), 50)
    })
    expect(await session.prompt(say('go'))).toBe('cancelled')
    expect(ofCalls(session.history())).toEqual([
      'tool_call run',
      'tool_started run',
      'code_call run:code:1',
      'tool_started run:code:1',
      'tool_result run:code:1 failed',
      'tool_result run failed',
    ])
    expect(resultOf(session, 'run').text).toMatch(/abort: the run was cancelled/)
  })
})

describe('replay', () => {
  it.each(PROFILE_NAMES)('shows on %s what was shown live', async (profile) => {
    const { session, cwd } = await program(
      `console.log('reading')
       const { lines } = await tools.read({ file_path: 'a.txt' })
       await tools.edit({ file_path: 'a.txt', old_string: 'two', new_string: 'zwei' })
       const { output } = await tools.bash({ command: 'printf hello' })
       await tools.read({ file_path: 'none.txt' }).catch((error) => console.log(error.message))
       return [lines.length, output]`,
    )
    const options: MapperOptions = {
      cwd,
      roots: [[cwd, cwd]],
      profile: NAMED_PROFILES[profile],
      presenters: (name) => session.presenters(name),
    }
    const events: AnyEvent[] = []
    session.subscribe((event) => void events.push(event))
    await session.prompt(say('go'))
    const mapper = createMapper(options)
    const live = foldUpdates(events.flatMap((event) => mapper.push(event)))
    const replayed = foldUpdates(replayUpdates(options, session.history()))
    const cards = ({ entries }: typeof live) => entries.filter((entry) => entry.kind === 'call')
    expect(cards(live)).toEqual(cards(replayed))
    const [outer, ...nested] = cards(replayed)
    expect(
      nested.map(({ fields, meta }) => [meta['deckhand/parent'], fields['kind'], fields['status']]),
    ).toEqual([
      ['run', 'read', 'completed'],
      ['run', 'edit', 'completed'],
      ['run', 'execute', 'completed'],
      ['run', 'read', 'failed'],
    ])
    expect(JSON.stringify(nested[1])).toContain('"type":"diff"')
    expect(JSON.stringify(nested[2])).toContain('hello')
    expect(JSON.stringify(outer)).toMatch(/```ts.*```console.*reading.*```json/)
  })
})

describe('the choice', () => {
  it('is offered, logged, presented and kept', async () => {
    const { session, cwd, restart } = await program('return 1')
    const current = (one: AgentSession): string | undefined =>
      one.options().find(({ id }) => id === 'code_mode')?.current
    expect(current(session)).toBe('code')
    session.setOption('code_mode', 'both')
    session.setOption('code_mode', 'both')
    expect(() => session.setOption('code_mode', 'python')).toThrow('choose one of native, code, both')
    await session.close()
    await mkdir(cwd, { recursive: true })
    const again = await (await restart()).open(session.id, { cwd, additionalDirectories: [] })
    expect(current(again)).toBe('both')
    expect(again.history().flatMap((event) => (event.type === 'code_mode' ? [event.mode] : []))).toEqual([
      'code',
      'both',
    ])
  })
})
