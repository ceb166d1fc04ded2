// What a session is told as a whole: usage with cost, compaction, options; and content that comes once.
import { describe, expect, it } from 'vitest'
import type { SessionConfigOption, SessionUpdate } from '@agentclientprotocol/sdk'
import { foldUpdates } from '#bridge/fold.ts'
import { NAMED_PROFILES, type ProfileName } from '#bridge/profile.ts'
import { createMapper } from '#bridge/updates.ts'
import { textOf } from '#model/content.ts'
import type { Presenters } from '#agent/port.ts'
import type { AnyEvent } from '#session/event.ts'
import { CWD } from '../support/conversation.ts'
import { checkUpdate } from '../support/validate-message.ts'

function updates(
  events: readonly AnyEvent[],
  profile: ProfileName = 'zed',
  presenters: Presenters = {},
  configOptions?: () => SessionConfigOption[],
): SessionUpdate[] {
  const mapper = createMapper({
    cwd: CWD,
    roots: [],
    profile: NAMED_PROFILES[profile],
    presenters: () => presenters,
    ...(configOptions && { configOptions }),
  })
  const sent = events.flatMap((event) => mapper.push(event))
  expect(sent.flatMap((update) => checkUpdate(update))).toEqual([])
  return sent
}

const START: AnyEvent = { type: 'turn_start', turnId: 't' }

describe('usage', () => {
  const step = (number: number, amount?: number, currency = 'USD'): AnyEvent => ({
    type: 'step_end',
    step: number,
    finish: 'stop',
    usage: {
      inputTokens: 100,
      outputTokens: 10,
      ...(amount !== undefined && { cost: { amount, currency } }),
    },
    contextWindow: 1000,
  })

  it('adds what the steps cost, without the dust of floating numbers', () => {
    const sent = updates([START, step(1, 0.1), step(2, 0.2), step(3)])
    expect(sent.map((update) => update.sessionUpdate === 'usage_update' && update.cost)).toEqual([
      { amount: 0.1, currency: 'USD' },
      { amount: 0.3, currency: 'USD' },
      { amount: 0.3, currency: 'USD' },
    ])
  })

  it('has no cost where nobody knows one, and counts anew in another currency', () => {
    expect(updates([START, step(1)])).toEqual([{ sessionUpdate: 'usage_update', used: 110, size: 1000 }])
    expect(updates([START, step(1, 1), step(2, 2, 'EUR')]).at(-1)).toMatchObject({
      cost: { amount: 2, currency: 'EUR' },
    })
  })
})

describe('requests that are sent again', () => {
  const retry = (attempt: number, reason: string): AnyEvent => ({
    type: 'retry',
    attempt,
    delayMs: 500 * attempt,
    reason,
  })
  const again = [retry(1, 'Overloaded.'), retry(2, 'Overloaded.'), retry(3, 'Reset.'), retry(1, 'Reset.')]
  const said = (events: readonly AnyEvent[]): string =>
    updates(events, 'plain')
      .map((update) =>
        update.sessionUpdate === 'agent_thought_chunk' ? textOf([update.content as never]) : '|',
      )
      .join('')

  it('are told one below the other, each with its reason unless that was told for the attempt before', () => {
    expect(said([START, ...again])).toBe(
      '\n\nTrying again: Overloaded. (attempt 1, in 0.5 s)\n\nTrying again: attempt 2, in 1.0 s\n\n' +
        'Trying again: Reset. (attempt 3, in 1.5 s)\n\nTrying again: Reset. (attempt 1, in 0.5 s)\n\n',
    )
  })

  it('stand apart from what was said before, and together also where they had to wait for a turn', () => {
    const answer: AnyEvent = { type: 'text_delta', messageId: 'm', text: 'Well' }
    expect(said([START, ...again.slice(0, 1), answer, retry(2, 'Reset.')])).toBe(
      '\n\nTrying again: Overloaded. (attempt 1, in 0.5 s)\n\n|\n\nTrying again: Reset. (attempt 2, in 1.0 s)\n\n',
    )
    expect(said([...again, START])).not.toMatch(/\n{3}/)
  })
})

describe('compaction', () => {
  const compactionId = 'c1'
  const begun: AnyEvent = { type: 'compaction_state', compactionId, status: 'in_progress' }
  const done: AnyEvent = {
    type: 'compaction',
    compactionId,
    through: 5,
    summary: 'So far.',
    before: 9000,
    after: 800,
  }

  it('is told to clients that know it, and as a thought to others', () => {
    expect(updates([START, begun, done])).toEqual([
      { sessionUpdate: 'compaction_update', compactionId, status: 'in_progress' },
      {
        sessionUpdate: 'compaction_update',
        compactionId,
        status: 'completed',
        summary: [{ type: 'text', text: 'So far.' }],
      },
    ])
    const plain = updates([START, begun, done], 'plain')
    expect(plain.map((update) => update.sessionUpdate)).toEqual(['agent_thought_chunk'])
    expect(JSON.stringify(plain)).toContain('9000 → 800 tokens')
    expect(updates([done], 'plain')).toEqual([])
  })

  it('that failed leaves nothing behind', () => {
    const failed: AnyEvent = { type: 'compaction_state', compactionId, status: 'failed', error: 'No.' }
    const sent = updates([START, begun, failed])
    expect(sent.at(-1)).toMatchObject({ status: 'failed', error: 'No.' })
    expect(foldUpdates(sent).entries).toEqual([])
    expect(foldUpdates(updates([START, begun, done])).entries).toEqual([
      { kind: 'compaction', compactionId, status: 'completed', summary: [{ type: 'text', text: 'So far.' }] },
    ])
  })
})

describe('options', () => {
  it('are told whole when one changes', () => {
    const option: SessionConfigOption = {
      type: 'select',
      id: 'mode',
      name: 'Mode',
      currentValue: 'plan',
      options: [{ value: 'plan', name: 'Plan' }],
    }
    const events: AnyEvent[] = [
      { type: 'mode', modeId: 'plan' },
      { type: 'model', model: 'x/y' },
      { type: 'thought_level', level: 'high' },
    ]
    const told = { sessionUpdate: 'config_option_update', configOptions: [option] }
    expect(updates(events, 'plain', {}, () => [option])).toEqual([
      { sessionUpdate: 'current_mode_update', currentModeId: 'plan' },
      told,
      told,
      told,
    ])
    expect(updates(events, 'plain')).toHaveLength(1)
  })
})

describe('content', () => {
  const diff = (newText: string) => ({
    card: 'diff' as const,
    title: 'Write a',
    diffs: [{ path: 'a', oldText: null, newText }],
  })
  const call: AnyEvent[] = [
    START,
    {
      type: 'assistant_message',
      message: { id: 'm', parts: [{ type: 'tool_call', callId: 'c', name: 'w', arguments: {} }] },
    },
    { type: 'tool_call', callId: 'c', name: 'w', messageId: 'm' },
  ]
  const withPreview: Presenters = { presentCall: () => diff('guess'), preview: async () => undefined }
  /** Which updates carry content, and the text of it. */
  const contents = (events: AnyEvent[], presenters: Presenters): unknown[] =>
    updates([...call, ...events], 'plain', presenters).flatMap((update, index) => {
      const [entry] = 'content' in update && Array.isArray(update.content) ? update.content : []
      return entry?.type === 'diff' ? [[index, entry.newText]] : []
    })

  it('comes with whole arguments where nothing may replace it', () => {
    expect(contents([{ type: 'tool_started', callId: 'c' }], { presentCall: () => diff('x') })).toEqual([
      [0, 'x'],
    ])
  })

  it('waits for a preview, and what the call alone promised is never seen', () => {
    const events: AnyEvent[] = [
      { type: 'tool_preview', callId: 'c', view: diff('true') },
      { type: 'approval_asked', callId: 'c', toolName: 'w' },
      { type: 'tool_started', callId: 'c' },
    ]
    expect(contents(events, withPreview)).toEqual([[1, 'true']])
  })

  it.each<[string, AnyEvent]>([
    ['somebody is asked', { type: 'approval_asked', callId: 'c', toolName: 'w' }],
    ['the body starts', { type: 'tool_started', callId: 'c' }],
    [
      'there is a result',
      { type: 'tool_result', callId: 'c', isError: true, content: [{ type: 'text', text: 'No.' }] },
    ],
  ])('comes without a preview when %s', (_when, event) => {
    expect(contents([event], withPreview)).toEqual([[1, 'guess']])
  })

  it('is whole in a prompt that came before it was sent', () => {
    const mapper = createMapper({
      cwd: CWD,
      roots: [],
      profile: NAMED_PROFILES.plain,
      presenters: () => withPreview,
    })
    for (const event of call) mapper.push(event)
    expect(mapper.card('c')).toMatchObject({ content: [{ type: 'diff', newText: 'guess' }] })
  })
})
