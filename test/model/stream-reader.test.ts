import type { LanguageModelV4StreamPart as Part } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { StreamReader } from '#model/stream-reader.ts'
import type { ModelEvent } from '#model/port.ts'

const ORIGIN = { provider: 'p', modelId: 'm', title: 'It', usedCallIds: () => new Set(['used']) }
const USAGE = { inputTokens: {}, outputTokens: {} }

function finish(finishReason: string, rawFinishReason: string | undefined = finishReason) {
  const reason = { unified: finishReason, raw: rawFinishReason }
  return { type: 'finish', finishReason: reason, usage: USAGE } as unknown as Part
}

async function read(...parts: Part[]): Promise<ModelEvent[]> {
  const reader = new StreamReader(ORIGIN)
  return [...parts.flatMap((part) => reader.read(part)), ...reader.end()]
}

describe('an answer that is read', () => {
  it("gathers a part's data from its start, its pieces and its end", async () => {
    const events = await read(
      { type: 'reasoning-start', id: '1', providerMetadata: { p: { itemId: 'i' } } },
      { type: 'reasoning-delta', id: '1', delta: 'Hm' },
      { type: 'reasoning-delta', id: '1', delta: '', providerMetadata: { p: { signature: 's' } } },
      { type: 'reasoning-end', id: '1', providerMetadata: { p: { end: true } } },
      finish('stop'),
    )
    expect(events).toEqual([
      { type: 'thought', text: 'Hm' },
      {
        type: 'part_end',
        part: 'thought',
        provider: { by: 'p', model: 'm', data: { p: { itemId: 'i', signature: 's', end: true } } },
      },
      { type: 'finish', reason: 'stop' },
    ])
  })

  it('passes over a kind of part that it does not know', async () => {
    const events = await read(
      { type: 'text-delta', id: '1', delta: 'a' },
      { type: 'hologram', id: 'h' } as never,
      finish('stop'),
    )
    expect(events.map(({ type }) => type)).toEqual(['text', 'part_end', 'finish'])
  })

  it('closes what is open when the answer breaks off, and then says so', () => {
    const reader = new StreamReader(ORIGIN)
    reader.read({
      type: 'reasoning-delta',
      id: '1',
      delta: 'Hm',
      providerMetadata: { p: { signature: 's' } },
    })
    const rest = reader.end()
    expect(rest.next().value).toMatchObject({
      type: 'part_end',
      provider: { data: { p: { signature: 's' } } },
    })
    expect(() => rest.next()).toThrow(/broke off/)
  })

  it('closes an open part before another begins', async () => {
    const events = await read(
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'a' },
      { type: 'tool-input-start', id: 'x', toolName: 'read' },
      { type: 'text-delta', id: '1', delta: 'b' },
      { type: 'text-end', id: '1' },
      { type: 'tool-call', toolCallId: 'x', toolName: 'read', input: '{"q":1}' },
      finish('stop'),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'text',
      'part_end',
      'call_start',
      'text',
      'part_end',
      'call',
      'finish',
    ])
    expect(events.at(-2)).toEqual({ type: 'call', callId: 'x', name: 'read', arguments: { q: 1 } })
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls' })
  })

  it('announces a call that came whole, under an id of its own', async () => {
    const events = await read(
      {
        type: 'tool-call',
        toolCallId: 'used',
        toolName: 'read',
        input: 'no json',
      },
      { type: 'tool-call', toolCallId: '', toolName: 'read', input: '{}' },
      finish('tool-calls'),
    )
    expect(events.map(({ type }) => type)).toEqual(['call_start', 'call', 'call_start', 'call', 'finish'])
    expect(events[1]).toMatchObject({
      callId: expect.stringMatching(/^used_\w{8}$/),
      arguments: 'no json',
      malformed: true,
    })
    expect(events[3]).toMatchObject({ callId: expect.stringMatching(/^call_\w{8}$/), arguments: {} })
  })

  it('throws the error of the stream as it is', async () => {
    const error = new Error('of the provider')
    await expect(read({ type: 'error', error })).rejects.toBe(error)
    await expect(read()).rejects.toMatchObject({ code: 'transport' })
    await expect(read(finish('stop'))).rejects.toMatchObject({ code: 'protocol' })
  })
})
