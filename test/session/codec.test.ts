// What stands in a line is checked to the bottom: what reads the events relies on it.
import { describe, expect, it } from 'vitest'
import { decodeEvent, decodeHeader, parseLine } from '#session/codec.ts'
import type { JsonValue } from '#json/value.ts'

const at = { seq: 1, at: '2026-01-01T00:00:00.000Z' }
const message = { id: 'm', content: [{ type: 'text', text: 'x' }], source: { kind: 'user' } }
const card = {
  callId: 'c',
  title: 'Undo',
  diffs: [{ path: '/a', oldText: null, newText: '' }],
  status: 'completed',
}
const good: Record<string, JsonValue>[] = [
  { type: 'user_message', message, shown: [] },
  { type: 'assistant_message', message: { id: 'm', parts: [{ type: 'text', text: 'x' }] } },
  { type: 'step_end', step: 1, finish: 'stop', usage: { inputTokens: 1, outputTokens: 2 }, contextWindow: 9 },
  { type: 'todos', todos: [{ content: 'a', status: 'pending', priority: 'low' }] },
  { type: 'approval_decided', callId: 'c', decision: { outcome: 'rejected', reason: 'no' } },
  { type: 'observed', path: '/a', version: 'v', lines: [1, 2] },
  { type: 'rewound', turnIds: ['t'], paths: ['/a'] },
  { type: 'turn_failed', turnId: 't', error: { code: 'x', message: 'y' } },
  { type: 'command', id: 'c', text: '/rewind', output: 'x', cards: [card] },
]
const bad: Record<string, JsonValue>[] = [
  { type: 'user_message', message: { ...message, source: null } },
  { type: 'user_message', message: { ...message, id: 7 } },
  { type: 'user_message', message, shown: 'text' },
  { type: 'user_message', message, shown: [{ type: 'text', text: 1 }] },
  { type: 'assistant_message', message: { id: 1, parts: [] } },
  { type: 'step_end', step: 1, finish: 'stop', usage: { outputTokens: [80] } },
  { type: 'step_end', step: 1, finish: 'stop', contextWindow: 'large' },
  { type: 'todos', todos: [{ content: 'a', status: 'pending' }] },
  { type: 'todos', todos: [null] },
  { type: 'approval_decided', callId: 'c', decision: {} },
  { type: 'observed', path: '/a', version: 'v', lines: [1] },
  { type: 'rewound', turnIds: ['t'], paths: [1] },
  { type: 'turn_end', turnId: 't', stopReason: 'whim' },
  { type: 'command', id: 'c', text: '/rewind', output: 'x', cards: 'many' },
  { type: 'command', id: 'c', text: '/rewind', output: 'x', cards: [{ ...card, diffs: [{ path: '/a' }] }] },
  { type: 'command', id: 'c', text: '/rewind', output: 'x', cards: [{ ...card, status: 'pending' }] },
]

describe('a line of the log', () => {
  it.each(good.map((event) => [JSON.stringify(event), event] as const))('%s is an event', (_title, event) => {
    expect(decodeEvent({ ...at, ...event })).toMatchObject({ kind: 'event', event })
  })

  it.each(bad.map((event) => [JSON.stringify(event), event] as const))(
    '%s is passed over',
    (_title, event) => {
      expect(decodeEvent({ ...at, ...event })).toMatchObject({ kind: 'bad' })
    },
  )

  it('that nests deeper than anything was ever written is none', () => {
    const line = (depth: number): string => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`
    expect(parseLine(line(1000))).toBeDefined()
    expect(parseLine(line(5000))).toBeUndefined()
    expect(parseLine(line(100_000))).toBeUndefined()
    expect(
      decodeHeader(`{"type":"session","version":${'['.repeat(50_000)}${']'.repeat(50_000)}}`),
    ).toBeTypeOf('string')
  })
})
