import { describe, expect, it } from 'vitest'
import type { AnyEvent } from '#session/event.ts'
import { callEvents, CWD, presenters } from '../support/conversation.ts'
import { announced, live, ofCall, turn } from '../support/mapper.ts'

describe('early announcement', () => {
  it('never shows half a path', () => {
    const path = `${CWD}/${'deep/'.repeat(60)}file.ts`
    const { stream } = callEvents('c', 'read', { path, note: 'n'.repeat(4000) }, 7)
    const updates = live(turn(...stream), 'plain')
    expect(updates).toHaveLength(1)
    expect(updates[0]).toMatchObject({
      sessionUpdate: 'tool_call',
      kind: 'read',
      status: 'pending',
      locations: [{ path }],
    })
    expect(updates[0]).not.toHaveProperty('rawInput')
  })

  it('of whole arguments is drawn once, and its input comes with the next message', () => {
    let drawn = 0
    const counting = (name: string) => ({
      presentCall: (args: never) => ((drawn += 1), presenters(name)?.presentCall?.(args)),
    })
    const [first, second] = ['a', 'b'].map((id) => callEvents(id, 'read', { path: `${id}.ts` }))
    const calls = ['a', 'b'].map((callId): AnyEvent => ({
      type: 'tool_call',
      callId,
      name: 'read',
      messageId: 'm',
    }))
    const parts = [first?.part, second?.part] as never[]
    const message = { type: 'assistant_message' as const, message: { id: 'm', parts } }
    const stream = [...(first?.stream ?? []), ...(second?.stream ?? [])]
    const begun = turn(...stream, message, ...calls, { type: 'tool_started', callId: 'a' })
    const own = ofCall(live(begun, 'plain', { presenters: counting }), 'a')
    expect(drawn).toBe(2)
    expect(own).toEqual([
      expect.objectContaining({ title: 'Read `a.ts`', status: 'pending' }),
      expect.objectContaining({ rawInput: { path: 'a.ts' }, status: 'in_progress' }),
    ])
    expect(own[0]).not.toHaveProperty('rawInput')
  })

  it('that the call contradicts is drawn anew', () => {
    const { stream } = callEvents('a', 'read', { path: 'a.ts' })
    const other = callEvents('o', 'read', { path: 'o.ts' })
    const updates = live(
      turn(...stream, ...other.stream, ...announced('a', 'read', { path: 'b.ts' })),
      'plain',
    )
    const [, changed] = ofCall(updates, 'a')
    expect(changed).toMatchObject({ title: 'Read `b.ts`', locations: [{ path: `${CWD}/b.ts` }] })
  })

  it('of a tool without a kind of its own is followed by its input at once', () => {
    const generic = { presentCall: () => ({ card: 'generic' as const, title: 'Send' }) }
    const [call, next] = ['a', 'b'].map((id) => callEvents(id, 'send', { to: id }))
    const stream = [...(call?.stream ?? []), ...(next?.stream ?? [])]
    const updates = live(turn(...stream, ...announced('a', 'send', { to: 'a' })), 'plain', {
      presenters: () => generic,
    })
    expect(ofCall(updates, 'a').at(-1)).toMatchObject({ rawInput: { to: 'a' } })
  })

  it('waits with commands until they are whole', () => {
    const { stream } = callEvents('c', 'bash', { command: 'rm -rf build', note: 'n'.repeat(4000) })
    expect(live(turn(...stream), 'zed')).toEqual([])
    const [call] = ofCall(
      live(turn(...stream, ...announced('c', 'bash', { command: 'rm -rf build' })), 'zed'),
      'c',
    )
    expect(call).toMatchObject({
      title: 'rm -rf build',
      _meta: { terminal_info: { terminal_id: 'c', cwd: CWD } },
    })
  })

  it('keeps the order of the model', () => {
    const bash = callEvents('b', 'bash', { command: 'ls' })
    const read = callEvents('r', 'read', { path: 'a.ts', note: 'n'.repeat(2000) })
    expect(live(turn(...bash.stream, ...read.stream), 'plain')).toEqual([])
    const twoReads = callEvents('q', 'read', { path: 'short.ts' })
    const updates = live(turn(...twoReads.stream, ...read.stream), 'plain')
    expect(updates.map((update) => 'toolCallId' in update && update.toolCallId)).toEqual(['q', 'r'])
  })

  it('stays linear: a megabyte of arguments is parsed a few times only', () => {
    let parses = 0
    const counting = { presentCall: () => ((parses += 1), undefined) }
    const { stream } = callEvents('c', 'write', { content: 'x'.repeat(900_000), path: 'late' }, 50)
    live(turn(...stream), 'plain', { presenters: () => counting })
    expect(parses).toBeGreaterThan(5)
    expect(parses).toBeLessThan(60)
  })

  it('reads malformed arguments as the beginning of JSON', () => {
    const part = {
      type: 'tool_call' as const,
      callId: 'c',
      name: 'read',
      arguments: '{"path":"/home/dev/app/a.ts","x":[1,',
      malformed: true as const,
    }
    const updates = live(
      turn(
        { type: 'assistant_message', message: { id: 'm', parts: [part] } },
        { type: 'tool_call', callId: 'c', name: 'read', messageId: 'm' },
      ),
      'plain',
    )
    expect(updates[0]).toMatchObject({ title: 'Read `a.ts`', locations: [{ path: `${CWD}/a.ts` }] })
  })
})
