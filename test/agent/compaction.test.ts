import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { conversationOf } from '#session/conversation.ts'
import { contextTokens } from '#agent/compaction.ts'
import type { AnyEvent, SessionEvent } from '#session/event.ts'
import { say, stage, type Stage } from '../support/scripted-agent.ts'

const SUMMARY = { match: 'context is nearly full', steps: [{ do: [{ text: 'We did a lot.' }] }] }
const long = (n: number): string => `line of text number ${n}\n`.repeat(400)
const files = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`f${index}.txt`, long(index)]))
const reads = (from: number, count: number): Scenario['turns'][number]['steps'] => [
  ...Array.from({ length: count }, (_, index) => ({
    do: [{ call: { name: 'read', arguments: { file_path: `f${from + index}.txt` } } }],
  })),
  { do: [{ text: 'read' }] },
]

/** A turn whose text no pruning can shorten. */
const TALK: Scenario['turns'][number] = {
  match: 'talk',
  steps: [
    { do: [{ text: long(1) }, { call: { name: 'glob', arguments: { pattern: 'f1*' } } }] },
    { do: [{ text: 'talked' }] },
  ],
}

async function talk({ session }: Stage, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) {
    expect(await session.prompt(say(`talk about PLUM ${round}`))).toBe('end_turn')
  }
}

async function smallWindow(
  turns: Scenario['turns'],
  contextWindow = 14_000,
): Promise<Stage & { seen: AnyEvent[] }> {
  const staged = await stage({ turns, files, contextWindow })
  const seen: AnyEvent[] = []
  staged.session.subscribe((event) => seen.push(event))
  return { ...staged, seen }
}

const valid = (stagePlayed: Stage): void => {
  const messages = conversationOf(stagePlayed.session.history())
  messages.forEach((message, index) => {
    if (message.role !== 'assistant') return
    const calls = message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.callId] : []))
    const next = messages[index + 1]
    if (calls.length > 0)
      expect(next?.role === 'tool' && next.results.map((result) => result.callId)).toEqual(calls)
  })
  expect(messages[0]?.role).toBe('user')
}

describe('the size of a conversation', () => {
  const results = (count: number): SessionEvent[] =>
    Array.from({ length: count }, (_, index) => ({
      type: 'tool_result',
      callId: `c${index}`,
      isError: false,
      content: [{ type: 'text', text: 'x'.repeat(40_000) }],
    }))

  it('counts the results of the step that the provider has counted', () => {
    const step: SessionEvent = {
      type: 'step_end',
      step: 1,
      finish: 'tool_calls',
      usage: { inputTokens: 500, outputTokens: 10 },
    }
    const events = [step, ...results(3)].map((event, index) => ({ ...event, seq: index + 1, at: '' }))
    const tokens = contextTokens(events, 'system', [])
    expect(tokens).toBeGreaterThan(30_510)
    expect(tokens).toBeLessThan(31_000)
  })
})

describe('compaction', () => {
  it('prunes old results first, and that can be enough', async () => {
    const played = await smallWindow([SUMMARY, { match: 'go', steps: reads(0, 4) }], 14_000)
    expect(await played.session.prompt(say('go'))).toBe('end_turn')
    const types = played.session.history().map((event) => event.type)
    expect(types).toContain('pruned')
    expect(types).not.toContain('compaction')
    expect(JSON.stringify(conversationOf(played.session.history()))).toContain('removed to save room')
    valid(played)
  })

  it('lets a summary stand for the past, keeps the newest, and goes on (B180)', async () => {
    const played = await smallWindow([SUMMARY, TALK], 9000)
    await talk(played, 6)
    const compactions = played.session.history().filter((event) => event.type === 'compaction')
    expect(compactions.length).toBeGreaterThan(0)
    for (const { before, after } of compactions) expect(after).toBeLessThan(before)
    const text = JSON.stringify(conversationOf(played.session.history()))
    expect(text).toContain('We did a lot.')
    expect(text).toContain('PLUM 5')
    expect(text).not.toContain('PLUM 0')
    valid(played)
  })

  it('survives a restart', async () => {
    const played = await smallWindow([SUMMARY, TALK], 9000)
    await talk(played, 5)
    const before = conversationOf(played.session.history())
    await played.session.close()
    const agent = await played.restart()
    const again = await agent.open(played.session.id, { cwd: played.cwd, additionalDirectories: [] })
    expect(conversationOf(again.history())).toEqual(before)
  })

  it('that fails leaves the history as it was, and the person is told', async () => {
    const failing = {
      match: 'nearly full',
      steps: [{ do: [{ error: { code: 'bad_request' as const, message: 'no summary today' } }] }],
    }
    const played = await smallWindow([failing, { match: 'go', steps: reads(0, 3) }], 20_000)
    await played.session.prompt(say('go'))
    expect(played.session.history().filter((event) => event.type === 'notice')).toEqual([])
    const before = conversationOf(played.session.history())
    expect(await played.session.compact()).toEqual({ kind: 'failed', message: 'no summary today' })
    expect(conversationOf(played.session.history())).toEqual(before)
    expect(played.seen).toContainEqual(
      expect.objectContaining({ type: 'compaction_state', status: 'failed' }),
    )
  })

  it('that fails by itself is told once a turn, and the turn goes on', async () => {
    const failing = {
      match: 'nearly full',
      steps: [{ do: [{ error: { code: 'bad_request' as const, message: 'no summary today' } }] }],
    }
    const played = await smallWindow([failing, TALK], 10_000)
    await talk(played, 3)
    const told = played.session.history().filter((event) => event.type === 'notice')
    expect(told).toMatchObject([
      {
        severity: 'warning',
        title: 'The conversation could not be compacted',
        description: 'no summary today',
      },
    ])
  })

  it('on demand: refused during a turn, nothing to do at the start, else done', async () => {
    const played = await smallWindow(
      [SUMMARY, { match: 'hang', steps: [{ do: [{ hang: true }] }] }, { match: 'go', steps: reads(0, 3) }],
      20_000,
    )
    expect(await played.session.compact()).toEqual({ kind: 'nothing' })
    await played.session.prompt(say('go'))
    expect(await played.session.compact()).toMatchObject({ kind: 'compacted' })
    const turn = played.session.prompt(say('hang'))
    await expect(played.session.compact()).rejects.toMatchObject({ code: 'busy' })
    played.session.cancel()
    expect(await turn).toBe('cancelled')
  })

  it('a single prompt that can’t fit fails with a clear error, without a loop (B180)', async () => {
    const played = await smallWindow([SUMMARY, { match: 'x', steps: [{ do: [{ text: 'no' }] }] }], 4000)
    await expect(played.session.prompt(say('x'.repeat(40_000)))).rejects.toMatchObject({
      code: 'model',
      message: expect.stringContaining('takes 4,000'),
    })
    expect(played.session.busy).toBe(false)
  })
})
