import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { foldUpdates } from '#bridge/fold.ts'
import { PROFILE_NAMES } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import { createMapper } from '#bridge/updates.ts'
import type { ToolCallView } from '#registry/view.ts'
import type { AnyEvent } from '#session/event.ts'
import { conversation, CWD, logged, ok } from '../support/conversation.ts'
import { announced, live, ofCall, options, turn } from '../support/mapper.ts'
import { checkUpdate } from '../support/validate-message.ts'

describe.each(PROFILE_NAMES)('live and replay on %s', (profile) => {
  it('are equal after the fold, however the stream was cut', () => {
    const replayed = foldUpdates(replayUpdates(options(profile), logged(conversation())))
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (size) => {
        expect(foldUpdates(live(conversation(size), profile))).toEqual(replayed)
      }),
      { numRuns: 25 },
    )
  })

  it('send only valid updates, one terminal status per call and nothing after it', () => {
    for (const updates of [
      live(conversation(), profile),
      replayUpdates(options(profile), logged(conversation())),
    ]) {
      expect(updates.flatMap((update) => checkUpdate(update))).toEqual([])
      const ids = [
        ...new Set(updates.flatMap((update) => ('toolCallId' in update ? [update.toolCallId] : []))),
      ]
      expect(ids.toSorted()).toEqual(['c-bash', 'c-gone', 'c-read', 'c-write'])
      for (const id of ids) {
        const own = ofCall(updates, id)
        expect(own[0]?.['sessionUpdate']).toBe('tool_call')
        expect(own.filter((update) => update['sessionUpdate'] === 'tool_call')).toHaveLength(1)
        expect(
          own.filter((update) => update['status'] === 'completed' || update['status'] === 'failed'),
        ).toHaveLength(1)
        expect(own.at(-1)?.['status']).toMatch(/completed|failed/)
      }
    }
  })
})

describe('replay', () => {
  it('shows what the person sent, and only that', () => {
    const events = turn(
      {
        type: 'user_message',
        message: { id: 'u1', content: [{ type: 'text', text: 'model text' }], source: { kind: 'user' } },
        shown: [{ type: 'resource_link', uri: 'file:///a', name: 'a' }],
      },
      {
        type: 'user_message',
        message: { id: 'u2', content: [{ type: 'text', text: 'reminder' }], source: { kind: 'policy' } },
      },
    )
    expect(replayUpdates(options('plain'), events)).toEqual([
      {
        sessionUpdate: 'user_message_chunk',
        messageId: 'u1',
        content: { type: 'resource_link', uri: 'file:///a', name: 'a' },
      },
    ])
    expect(live(events, 'plain')).toEqual([])
  })

  it('skips events of a newer version and says so', () => {
    const lines: string[] = []
    const events = turn({ type: 'hologram' } as never, { type: 'title', title: 'still here' })
    const updates = replayUpdates(options('plain', { log: (_level, message) => lines.push(message) }), events)
    expect(updates).toEqual([{ sessionUpdate: 'session_info_update', title: 'still here' }])
    expect(lines.join()).toContain('hologram')
  })

  it('resolves paths against the directory of the time', () => {
    const events = turn(
      ...announced('a', 'read', { path: 'x.ts' }),
      { type: 'cwd', cwd: '/elsewhere', roots: ['/elsewhere'] },
      ...announced('b', 'read', { path: 'x.ts' }),
    )
    const locations = replayUpdates(options('plain'), events).map(
      (update) => 'locations' in update && update.locations,
    )
    expect(locations).toEqual([[{ path: `${CWD}/x.ts` }], [{ path: '/elsewhere/x.ts' }]])
  })

  it('tells of a failed turn what live the answer to the prompt tells', () => {
    const failed = turn({ type: 'turn_failed', turnId: 't', error: { code: 'server', message: 'boom' } })
    const told = JSON.stringify(replayUpdates(options('plain'), failed))
    expect(told).toContain('The turn failed: boom')
    expect(JSON.stringify(live(failed, 'plain'))).not.toContain('boom')
  })

  it('uses the stored view of a tool that is gone', () => {
    const events = turn(...announced('a', 'mcp__x', {}), {
      ...ok('a'),
      view: { card: 'generic', content: [{ type: 'text', text: 'stored' }] },
    } as AnyEvent)
    expect(JSON.stringify(replayUpdates(options('plain'), events))).toContain('stored')
  })
})

describe('streamed text', () => {
  it('keeps a character whole that two deltas share, and is not said twice', () => {
    const half = (text: string): AnyEvent => ({ type: 'text_delta', messageId: 'm', text })
    const updates = live(
      turn(half('a\ud83d'), half('\ude42b'), {
        type: 'assistant_message',
        message: { id: 'm', parts: [{ type: 'text', text: 'a🙂bc' }] },
      }),
      'plain',
    )
    const texts = updates.map((update) =>
      'content' in update && update.content && 'text' in update.content ? update.content.text : '',
    )
    expect(texts).toEqual(['a', '🙂b', 'c'])
  })

  it('that the message contradicts stays as it was shown', () => {
    const updates = live(
      turn(
        { type: 'text_delta', messageId: 'm', text: 'one' },
        { type: 'assistant_message', message: { id: 'm', parts: [{ type: 'text', text: 'two' }] } },
      ),
      'plain',
    )
    expect(updates).toHaveLength(1)
  })
})

describe('the life of a call', () => {
  it('ends every open card when the turn fails, and drops what comes late', () => {
    const updates = live(
      turn(
        ...announced('a', 'read', { path: 'a' }),
        ...announced('b', 'bash', { command: 'sleep 9' }),
        { type: 'tool_started', callId: 'b' },
        { type: 'turn_failed', turnId: 't', error: { code: 'server', message: 'boom' } },
        { type: 'tool_output', callId: 'b', data: 'late' },
        { type: 'text_delta', messageId: 'm', text: 'late' },
        ok('b'),
      ),
      'zed',
    )
    expect(updates.filter((update) => 'status' in update && update.status === 'failed')).toHaveLength(2)
    expect(updates.at(-1)).toMatchObject({
      toolCallId: 'b',
      status: 'failed',
      _meta: { terminal_exit: { exit_code: null } },
    })
    expect(JSON.stringify(updates)).not.toContain('late')
  })

  it('is over with its result', () => {
    const mapper = createMapper(options('zed'))
    for (const event of turn(...announced('a', 'read', { path: 'a' }), ok('a'))) mapper.push(event)
    const late: AnyEvent[] = [
      { type: 'tool_preview', callId: 'a', view: { card: 'generic', title: 'other' } },
      { type: 'tool_started', callId: 'a' },
      { type: 'tool_output', callId: 'a', data: 'x' },
      { type: 'tool_progress', callId: 'a', message: 'x' },
      { type: 'call_delta', callId: 'a', delta: 'x' },
      { type: 'call_withdrawn', callId: 'a', name: 'read', messageId: 'm', reason: 'x' },
      ok('a', 'again'),
    ]
    expect(late.flatMap((event) => mapper.push(event))).toEqual([])
  })

  it('contains presenters that throw', () => {
    const lines: string[] = []
    const throwing = {
      presentCall: () => {
        throw new Error('no')
      },
      presentResult: () => {
        throw new Error('no')
      },
    }
    const updates = live(turn(...announced('a', 'odd', { x: 1 }), ok('a', 'raw')), 'plain', {
      presenters: () => throwing,
      log: (_level, message) => lines.push(message),
    })
    expect(updates[0]).toMatchObject({ title: 'odd', kind: 'other', rawInput: { x: 1 } })
    expect(updates.at(-1)).toMatchObject({ status: 'completed', content: [{ content: { text: 'raw' } }] })
    expect(lines).toHaveLength(2)
  })

  it('pauses live output at 2 MiB and shows the end on completion', () => {
    const outputs = Array.from({ length: 40 }, (): AnyEvent => ({
      type: 'tool_output',
      callId: 'b',
      data: 'x'.repeat(100_000),
    }))
    const view = { card: 'terminal' as const, output: '…the end\n', exitCode: 0 }
    const updates = live(turn(...announced('b', 'bash', { command: 'yes' }), ...outputs, ok('b')), 'zed', {
      presenters: () => ({
        presentCall: () => ({ card: 'terminal', title: 'yes' }),
        presentResult: () => view,
      }),
    })
    const [call] = foldUpdates(updates).entries
    const shown = call?.kind === 'call' ? (call.terminal?.output ?? '') : ''
    expect(shown.length).toBeGreaterThan(2 * 1024 * 1024)
    expect(shown.length).toBeLessThan(2 * 1024 * 1024 + 300)
    expect(shown).toMatch(/paused at 2 MiB[^]*…the end\n$/)
  })

  it('gives a call whose id came again a card of its own', () => {
    const updates = live(
      turn(
        ...announced('a', 'read', { path: 'one' }),
        ok('a'),
        ...announced('a', 'read', { path: 'two' }),
        ok('a'),
      ),
      'plain',
    )
    expect(
      updates.filter((update) => update.sessionUpdate === 'tool_call').map((update) => update.title),
    ).toEqual(['Read `one`', 'Read `two`'])
  })

  it('links nested calls to the one they run in', () => {
    const updates = live(
      turn({ type: 'code_call', callId: 'n', parentId: 'p', name: 'read', arguments: { path: 'a' } }),
      'plain',
    )
    expect(updates[0]).toMatchObject({ _meta: { tool_name: 'read', 'deckhand/parent': 'p' } })
  })
})

describe('the card of a permission prompt', () => {
  const write = turn(...announced('w', 'write', { path: `${CWD}/a.ts`, content: 'new\n' }))

  it('has the diff, kind, title, locations and input of the announced call', () => {
    const mapper = createMapper(options('plain'))
    write.forEach((event) => mapper.push(event))
    expect(mapper.card('w')).toMatchObject({
      toolCallId: 'w',
      name: 'write',
      title: 'Write a.ts',
      kind: 'edit',
      status: 'pending',
      locations: [{ path: `${CWD}/a.ts` }],
      rawInput: { paths: [`${CWD}/a.ts`] },
      content: [{ type: 'diff', path: `${CWD}/a.ts`, oldText: null, newText: 'new\n' }],
    })
    expect(mapper.card('nobody')).toBeUndefined()
  })

  it('holds the whole command, in a fence or beside the terminal', () => {
    const command = Array.from({ length: 30 }, (_, index) => `echo ${index}`).join('\n')
    const events = turn(...announced('b', 'bash', { command }))
    const plain = createMapper(options('plain'))
    const zed = createMapper(options('zed'))
    for (const event of events) [plain, zed].forEach((mapper) => mapper.push(event))
    expect(plain.card('b')).toMatchObject({
      content: [{ content: { text: `\`\`\`sh\n${command}\n\`\`\`` } }],
    })
    expect(zed.card('b')).toMatchObject({ title: command, content: [{ type: 'terminal', terminalId: 'b' }] })
  })

  it.each([
    ['execute', 'sleep 1\nrm -rf x', '```\nsleep 1\nrm -rf x\n```'],
    ['execute', `echo ${'x'.repeat(300)}; rm -rf x`, `\`\`\`\necho ${'x'.repeat(300)}; rm -rf x\n\`\`\``],
    ['fetch', `Fetch \`http://a/${'x'.repeat(300)}\``, `Fetch \`http://a/${'x'.repeat(300)}\``],
  ] as const)('holds the whole title, where it was cut: %s', (kind, title, whole) => {
    const presentCall = (): ToolCallView => ({ card: 'generic', title, kind })
    const mapper = createMapper(options('zed', { presenters: () => ({ presentCall }) }))
    for (const event of turn(...announced('g', 'go', {}))) mapper.push(event)
    expect(mapper.card('g')?.content).toEqual([{ type: 'content', content: { type: 'text', text: whole } }])
  })
})

describe('session-wide updates', () => {
  it('hold chat text of notices until a turn runs', () => {
    const notice: AnyEvent = {
      type: 'notice',
      severity: 'warning',
      title: 'Server gone',
      description: 'docs',
    }
    const mapper = createMapper(options('plain'))
    expect(mapper.push(notice)).toEqual([])
    expect(mapper.push({ type: 'turn_start', turnId: 't' })).toMatchObject([
      { sessionUpdate: 'agent_thought_chunk' },
    ])
    expect(live([notice], 'zed')).toEqual([
      { sessionUpdate: 'notice', severity: 'warning', title: 'Server gone', description: 'docs' },
    ])
  })

  it('leave usage out where the provider did not count', () => {
    const end = { type: 'step_end', step: 1, finish: 'stop', contextWindow: 1000 } as const
    expect(live([end, { ...end, usage: {} }], 'plain')).toEqual([])
    expect(live([{ ...end, usage: { inputTokens: 10, outputTokens: 5 } }], 'plain')).toEqual([
      { sessionUpdate: 'usage_update', used: 15, size: 1000 },
    ])
  })
})
