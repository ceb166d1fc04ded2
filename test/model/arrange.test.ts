import { describe, expect, it } from 'vitest'
import { arrange } from '#model/arrange.ts'
import type { AssistantPart, ModelMessage, ToolAnswer } from '#model/message.ts'

const TARGET = { provider: 'p', modelId: 'm' }
const text = (value: string) => ({ type: 'text' as const, text: value })
const user = (...values: string[]): ModelMessage => ({ role: 'user', content: values.map(text) })
const call = (callId: string): AssistantPart => ({ type: 'tool_call', callId, name: 'read', arguments: {} })
const said = (...parts: AssistantPart[]): ModelMessage => ({ role: 'assistant', parts })
const result = (callId: string, value = callId): ToolAnswer => ({
  callId,
  name: 'read',
  content: [text(value)],
  isError: false,
})
const results = (...list: ToolAnswer[]): ModelMessage => ({ role: 'tool', results: list })

describe('arrange', () => {
  it('merges consecutive messages of a role and leaves out what is empty', () => {
    const history = [
      user('a'),
      user(' ', 'b'),
      said(text('x')),
      said(),
      said(text('\n')),
      said(text('y')),
      user(''),
    ]
    expect(arrange(history, TARGET)).toEqual([user('a', 'b'), said(text('x'), text('y'))])
  })

  it('puts results directly behind their calls, in the order of the calls', () => {
    const history = [
      user('a'),
      said(call('1'), call('2')),
      user('steer'),
      results(result('2')),
      results(result('1')),
      user('more'),
    ]
    expect(arrange(history, TARGET)).toEqual([
      user('a'),
      said(call('1'), call('2')),
      results(result('1'), result('2')),
      user('steer', 'more'),
    ])
  })

  it('answers calls without result, drops results without call, keeps the first of two results', () => {
    const history = [
      results(result('0')),
      user('a'),
      said(call('1'), call('2')),
      results(result('1'), result('1', 'again'), result('9')),
    ]
    const arranged = arrange(history, TARGET)
    expect(arranged.slice(0, 2)).toEqual([user('a'), said(call('1'), call('2'))])
    const last = arranged[2]
    expect(last?.role === 'tool' && last.results[0]).toEqual(result('1'))
    expect(last?.role === 'tool' && last.results[1]).toMatchObject({ callId: '2', isError: true })
    expect(last?.role === 'tool' && last.results.length).toBe(2)
  })

  it('keeps only thoughts of the same provider, and no message of thoughts alone', () => {
    const thought = (by: string): AssistantPart => ({ type: 'thought', text: by, provider: { by, data: {} } })
    const history = [
      user('a'),
      said(thought('p'), thought('q'), text('x')),
      user('b'),
      said(thought('p')),
      user('c'),
    ]
    expect(arrange(history, TARGET)).toEqual([user('a'), said(thought('p'), text('x')), user('b', 'c')])
  })

  it('does not change its input', () => {
    const history = [user('a'), user('b'), said(call('1'))]
    const copy = structuredClone(history)
    arrange(history, TARGET)
    expect(history).toEqual(copy)
  })
})
