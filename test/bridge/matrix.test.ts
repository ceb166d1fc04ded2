// Every ending of a call on every kind of card: one terminal status per card, one answer per request, nothing behind it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { AgentError } from '#agent/error.ts'
import type { Presenters } from '#agent/port.ts'
import type { ToolCallView, ToolResultView } from '#registry/view.ts'
import type { AnyEvent, StopReason } from '#session/event.ts'
import type { FakeTurn } from '../support/fake-agent.ts'
import { RawWire } from '../support/wire.ts'

const cwd = mkdtempSync(join(tmpdir(), 'deckhand-matrix-'))
afterAll(() => rmSync(cwd, { recursive: true }))
const text = (value: string): [{ type: 'text'; text: string }] => [{ type: 'text', text: value }]

interface Card {
  call?: ToolCallView
  result?: ToolResultView
  preview?: true
  /** The call runs inside another one. */
  nested?: true
  /** Stored with the result: the tool has no presenters here. */
  stored?: ToolResultView
}
const CARDS: Record<ToolResultView['card'] | 'MCP-like' | 'nested', Card> = {
  generic: {
    call: { card: 'generic', title: 'Think', kind: 'think', rawInput: { about: 'x' } },
    result: { card: 'generic', title: 'Thought', content: text('x') },
  },
  terminal: {
    call: { card: 'terminal', title: 'npm test' },
    result: { card: 'terminal', output: 'x\n', exitCode: 0 },
  },
  diff: {
    preview: true,
    call: { card: 'diff', title: 'Write a', diffs: [{ path: 'a', oldText: null, newText: 'x\n' }] },
    result: { card: 'diff', diffs: [{ path: 'a', oldText: null, newText: 'x\n' }] },
  },
  read: {
    call: { card: 'generic', title: 'Read a', kind: 'read', locations: [{ path: 'a' }] },
    result: { card: 'read', path: 'a', offset: 1, lines: [{ number: 1, text: 'x' }], totalLines: 1 },
  },
  search: {
    call: { card: 'generic', title: 'Grep x', kind: 'search' },
    result: { card: 'search', shape: 'paths', paths: ['a'], truncated: false, total: 1 },
  },
  web: {
    call: { card: 'generic', title: 'Fetch x', kind: 'fetch' },
    result: { card: 'web', kind: 'fetch', url: 'https://x.org/', statusCode: 200, truncated: false },
  },
  'MCP-like': { stored: { card: 'generic', title: 'Looked it up' } },
  nested: {
    nested: true,
    call: { card: 'terminal', title: 'ls' },
    result: { card: 'terminal', output: 'x', exitCode: 0 },
  },
}

const failed = (message: string): AnyEvent => ({
  type: 'tool_result',
  callId: 'c',
  isError: true,
  content: text(message),
  error: { message },
})

/** What a script does once the call is announced, and what the client does to it. */
interface Ending {
  play(turn: FakeTurn, card: Card): Promise<StopReason> | StopReason
  /** While the turn hangs. */
  client?(wire: RawWire, sessionId: string): void | Promise<void>
  /** The option that is chosen, or `cancelled`. */
  answer?: string
  /** What answers the prompt. Nobody is there to read it where it is undefined. */
  response: { stopReason: StopReason } | { code: number } | undefined
}

const started: AnyEvent = { type: 'tool_started', callId: 'c' }
const done = (card: Card): AnyEvent => ({
  type: 'tool_result',
  callId: 'c',
  isError: false,
  content: text('ok'),
  ...(card.stored && { view: card.stored }),
})
async function asks(turn: FakeTurn, card: Card): Promise<StopReason> {
  turn.emit({ type: 'approval_asked', callId: 'c', toolName: 'tool' })
  const decision = await turn.ask('c', 'tool')
  turn.emit({ type: 'approval_decided', callId: 'c', decision })
  if (decision.outcome === 'allowed-once') turn.emit(started, done(card))
  else turn.emit(failed(decision.outcome))
  return turn.signal.aborted ? 'cancelled' : 'end_turn'
}
async function runsUntilCancelled(turn: FakeTurn): Promise<StopReason> {
  turn.emit(started, { type: 'tool_output', callId: 'c', data: 'half' })
  await turn.cancelled()
  turn.emit(failed('Cancelled.'))
  // What a body still reports when it was given up.
  setTimeout(() => turn.emit({ type: 'tool_output', callId: 'c', data: 'late' }, done({})), 5)
  return 'cancelled'
}
const plays = (...events: AnyEvent[]): Ending => ({
  play: (turn) => (turn.emit(...events), 'end_turn'),
  response: { stopReason: 'end_turn' },
})

const ENDINGS: Record<string, Ending> = {
  success: {
    play: (turn, card) => (
      turn.emit(started, { type: 'tool_output', callId: 'c', data: 'x\n' }, done(card)),
      'end_turn'
    ),
    response: { stopReason: 'end_turn' },
  },
  'tool error': plays(started, failed('It broke.')),
  'invalid arguments': plays(failed('file_path: is required')),
  denial: plays(failed('Denied by a rule.')),
  rejection: { play: asks, answer: 'reject-once', response: { stopReason: 'end_turn' } },
  'permission cancelled': { play: asks, answer: 'cancelled', response: { stopReason: 'end_turn' } },
  'session/cancel': {
    play: runsUntilCancelled,
    client: (wire, sessionId) => wire.notify('session/cancel', { sessionId }),
    response: { stopReason: 'cancelled' },
  },
  timeout: plays(started, { type: 'tool_output', callId: 'c', data: 'x' }, failed('Timed out after 120 s.')),
  'provider error': {
    play: (turn, card) => {
      turn.emit(started, done(card))
      throw new AgentError('model', 'the provider answered 500')
    },
    response: { code: -32603 },
  },
  'loop crash': {
    play: (turn) => {
      turn.emit(started)
      throw new Error('boom')
    },
    response: { code: -32603 },
  },
  'client gone': {
    play: runsUntilCancelled,
    client: async (wire) => {
      wire.input.end()
      await wire.bridge.closed
    },
    response: undefined,
  },
  'session/close': {
    play: runsUntilCancelled,
    client: (wire, sessionId) => wire.request('close', 'session/close', { sessionId }),
    response: { stopReason: 'cancelled' },
  },
  SIGTERM: {
    play: runsUntilCancelled,
    client: (wire) => wire.agent.dispose(),
    response: { stopReason: 'cancelled' },
  },
}

function presentersOf(card: Card): (name: string) => Presenters | undefined {
  return () =>
    card.call && {
      presentCall: () => card.call,
      presentResult: (_args, { isError }) => (isError ? undefined : card.result),
      ...(card.preview && { preview: async () => undefined }),
    }
}

function announce(turn: FakeTurn, card: Card): void {
  const callId = card.nested ? 'parent' : 'c'
  const part = { type: 'tool_call' as const, callId, name: 'tool', arguments: {} }
  turn.emit(
    { type: 'assistant_message', message: { id: 'm', parts: [part] } },
    { type: 'tool_call', callId, name: 'tool', messageId: 'm' },
  )
  if (!card.nested) return
  turn.emit(
    { type: 'tool_started', callId: 'parent' },
    { type: 'code_call', callId: 'c', parentId: 'parent', name: 'tool', arguments: {} },
  )
}

async function outcome(ending: Ending, card: Card): Promise<RawWire> {
  const wire = new RawWire({
    presenters: presentersOf(card),
    script: async (turn) => {
      announce(turn, card)
      const reason = await ending.play(turn, card)
      if (card.nested && reason !== 'cancelled') turn.emit({ ...done({}), callId: 'parent' } as AnyEvent)
      return reason
    },
  })
  const sessionId = await wire.open(cwd, { _meta: { terminal_output: true } })
  wire.prompt('p', sessionId)
  if (ending.answer !== undefined) {
    const question = await wire.until((line) => line.method === 'session/request_permission')
    const reply =
      ending.answer === 'cancelled'
        ? { outcome: 'cancelled' }
        : { outcome: 'selected', optionId: ending.answer }
    wire.send(`${JSON.stringify({ jsonrpc: '2.0', id: question.id, result: { outcome: reply } })}\n`)
  }
  if (ending.client) {
    await wire.until(({ params }) => JSON.stringify(params)?.includes('"in_progress"') === true)
    await ending.client(wire, sessionId)
  }
  if (ending.response) await wire.response('p')
  await new Promise((resolve) => setTimeout(resolve, 15))
  return wire
}

describe.each(Object.entries(CARDS))('a %s card', (_name, card) => {
  it.each(Object.keys(ENDINGS))('ends once by %s', async (endingName) => {
    const ending = ENDINGS[endingName] as Ending
    const wire = await outcome(ending, card)
    const answers = wire.lines.filter((line) => line.method === undefined && line.id === 'p')
    const updates = wire.lines.flatMap((line): SessionUpdate[] =>
      line.params?.update ? [line.params.update] : [],
    )
    const ids = new Set(updates.flatMap((update) => ('toolCallId' in update ? [update.toolCallId] : [])))
    if (ending.response === undefined) {
      expect(answers).toEqual([])
    } else {
      expect(answers).toHaveLength(1)
      expect(answers[0]?.result ?? answers[0]?.error).toMatchObject(ending.response)
      const behind = wire.lines.slice(wire.lines.indexOf(answers[0] as never) + 1)
      expect(behind.filter((line) => line.id !== 'close')).toEqual([])
      expect(ids).toEqual(new Set(card.nested ? ['parent', 'c'] : ['c']))
    }
    for (const id of ids) {
      const own = updates.filter((update) => 'toolCallId' in update && update.toolCallId === id)
      const ends = own.map((update) => 'status' in update && /completed|failed/.test(String(update.status)))
      expect(own.map((update) => update.sessionUpdate === 'tool_call')).toEqual(
        own.map((_, index) => index === 0),
      )
      if (ending.response === undefined) expect(ends.filter(Boolean).length).toBeLessThanOrEqual(1)
      else expect(ends).toEqual(own.map((_, index) => index === own.length - 1))
    }
    expect(wire.problems).toEqual([])
    await wire.bridge.close()
    await wire.agent.dispose()
  })
})
