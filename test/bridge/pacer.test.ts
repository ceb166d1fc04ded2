import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { foldUpdates } from '#bridge/fold.ts'
import { Pacer } from '#bridge/pacer.ts'
import { FakeClock } from '../support/fake-clock.ts'

const say = (text: string, messageId = 'm'): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  messageId,
  content: { type: 'text', text },
})
const think = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  messageId: 'm',
  content: { type: 'text', text },
})
const output = (data: string, id = 'c'): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: id,
  _meta: { terminal_output: { terminal_id: id, data } },
})
const content = (text: string, id = 'c'): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: id,
  content: [{ type: 'content', content: { type: 'text', text } }],
})
const call = (id = 'c'): SessionUpdate => ({ sessionUpdate: 'tool_call', toolCallId: id, title: id })
const status = (value: 'in_progress' | 'completed', id = 'c'): SessionUpdate => ({
  sessionUpdate: 'tool_call_update',
  toolCallId: id,
  status: value,
})

let sent: { at: number; update: SessionUpdate }[]
let clock: FakeClock
let pacer: Pacer
const updates = (): SessionUpdate[] => sent.map((entry) => entry.update)

beforeEach(() => {
  sent = []
  clock = new FakeClock()
  pacer = new Pacer((update) => sent.push({ at: clock.now(), update }), { clock })
})

describe('the pacer', () => {
  it('sends the first chunk at once and joins the next, at most 30 a second', () => {
    for (let ms = 0; ms < 1000; ms++) {
      pacer.push(say('x'))
      clock.advance(1)
    }
    pacer.flush()
    expect(sent[0]).toEqual({ at: 0, update: say('x') })
    expect(sent.length).toBeLessThanOrEqual(31)
    expect(foldUpdates(updates()).entries).toMatchObject([{ content: [{ text: 'x'.repeat(1000) }] }])
  })

  it('keeps messages, thoughts and calls in order', () => {
    pacer.push(say('a'))
    pacer.push(say('b'))
    pacer.push(think('c'))
    pacer.push(think('d'))
    pacer.push(say('e', 'n'))
    pacer.push(say('f', 'n'))
    pacer.push(call())
    expect(updates()).toEqual([
      say('a'),
      say('b'),
      think('c'),
      think('d'),
      say('e', 'n'),
      say('f', 'n'),
      call(),
    ])
    expect(clock.waiting).toBe(0)
  })

  it('sends output at most 20 times a second, 64 KiB each', () => {
    pacer.push(call())
    for (let ms = 0; ms < 1000; ms++) {
      pacer.push(output('漢'.repeat(100)))
      clock.advance(1)
    }
    const inTime = sent.length - 1
    pacer.push(status('completed'))
    const outputs = updates().filter((update) => update._meta)
    expect(inTime).toBeLessThanOrEqual(21)
    for (const update of outputs) expect(Buffer.byteLength(JSON.stringify(update))).toBeLessThan(66_000)
    expect(updates().at(-1)).toEqual(status('completed'))
    expect(foldUpdates(updates()).entries).toMatchObject([{ terminal: { output: '漢'.repeat(100_000) } }])
  })

  it('replaces content at most twice a second and keeps the last', () => {
    for (let ms = 0; ms < 2000; ms += 10) {
      pacer.push(content(String(ms)))
      clock.advance(10)
    }
    expect(sent.length).toBeLessThanOrEqual(5)
    pacer.push(status('completed'))
    expect(updates().at(-2)).toEqual(content('1990'))
  })

  it('does not hold one call back for another', () => {
    pacer.push(output('a1', 'a'))
    pacer.push(output('a2', 'a'))
    pacer.push(status('in_progress', 'b'))
    expect(updates()).toEqual([output('a1', 'a'), status('in_progress', 'b')])
    pacer.flush()
    expect(updates().at(-1)).toEqual(output('a2', 'a'))
  })

  it('drops what waits when it is disposed of', () => {
    pacer.push(say('a'))
    pacer.push(say('b'))
    pacer.dispose()
    clock.advance(1000)
    pacer.push(say('c'))
    expect(updates()).toEqual([say('a')])
  })

  it('never changes what is shown in the end', () => {
    const any = fc.oneof(
      fc.tuple(fc.constantFrom('m', 'n'), fc.string()).map(([id, text]) => say(text, id)),
      fc.string().map(think),
      fc.tuple(fc.constantFrom('a', 'b'), fc.string({ minLength: 1 })).map(([id, text]) => output(text, id)),
      fc.tuple(fc.constantFrom('a', 'b'), fc.string()).map(([id, text]) => content(text, id)),
      fc.constantFrom('a', 'b').map((id) => status('in_progress', id)),
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(any, fc.nat(60)), { maxLength: 60 }), (steps) => {
        const got: SessionUpdate[] = []
        const time = new FakeClock()
        const own = new Pacer((update) => got.push(update), { clock: time })
        const given = [call('a'), call('b'), ...steps.map(([update]) => update)]
        given.forEach((update, index) => {
          own.push(structuredClone(update))
          time.advance(steps[index - 2]?.[1] ?? 0)
        })
        own.flush()
        expect(foldUpdates(got)).toEqual(foldUpdates(given))
      }),
    )
  })
})
