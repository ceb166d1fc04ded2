// A client that does not keep up: streams wait and are joined, nothing is lost, nothing overtakes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { createBridge } from '#bridge/bridge.ts'
import { Pacer } from '#bridge/pacer.ts'
import { Backlog } from '#bridge/pacing/backlog.ts'
import { FakeAgent, type Script } from '../support/fake-agent.ts'
import { FakeClock } from '../support/fake-clock.ts'
import type { Line } from '../support/wire.ts'

const cwd = mkdtempSync(join(tmpdir(), 'deckhand-congestion-'))
afterAll(() => rmSync(cwd, { recursive: true }))

const chunk = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  messageId: 'm',
  content: { type: 'text', text },
})
const textOf = (update: SessionUpdate | undefined): string =>
  update?.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text' ? update.content.text : ''

describe('the pacer', () => {
  it('joins what streams while the way out is congested, and goes on when it is free', () => {
    const sent: SessionUpdate[] = []
    const clock = new FakeClock()
    let congested = true
    const pacer = new Pacer((update) => sent.push(update), {
      clock,
      congested: () => congested,
      coalesce: false,
    })
    for (const text of ['a', 'b', 'c']) pacer.push(chunk(text))
    clock.advance(1000)
    expect(sent).toEqual([])
    congested = false
    pacer.wake()
    expect(sent.map(textOf)).toEqual(['abc'])
    pacer.push(chunk('d'))
    pacer.push(chunk('e'))
    expect(sent.map(textOf)).toEqual(['abc', 'd', 'e'])
  })
})

describe('the backlog', () => {
  it('is first in, first out, and tells when it is empty', async () => {
    const backlog = new Backlog()
    await backlog.empty()
    for (let number = 0; number < 3000; number++) backlog.add(chunk(String(number)))
    let empty = false
    const told = backlog.empty().then(() => (empty = true))
    for (let number = 0; number < 3000; number++) {
      expect(empty).toBe(false)
      expect(textOf(backlog.take())).toBe(String(number))
    }
    await told
    expect(backlog.take()).toBeUndefined()
  })
})

/** A client whose pipe takes nothing until it is opened. */
class SlowClient extends Writable {
  readonly lines: Line[] = []
  #rest = ''
  #held: (() => void) | undefined
  open = true

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    const take = (): void => {
      const whole = (this.#rest + bytes.toString()).split('\n')
      this.#rest = whole.pop() ?? ''
      this.lines.push(...whole.map((line) => JSON.parse(line) as Line))
      done()
    }
    if (this.open) take()
    else this.#held = take
  }
  read(): void {
    this.open = true
    const take = this.#held
    this.#held = undefined
    take?.()
  }
}

describe('a client that does not read', () => {
  it('costs a bounded number of messages underway, and gets everything in order once it reads', async () => {
    const client = new SlowClient()
    const said = Promise.withResolvers<void>()
    const script: Script = (turn) => {
      client.open = false
      for (let number = 0; number < 20_000; number++) {
        turn.emit({ type: 'text_delta', messageId: `m${number % 2}`, text: `${number} ` })
      }
      said.resolve()
      return 'end_turn'
    }
    const agent = new FakeAgent({ script })
    const input = new PassThrough()
    const bridge = createBridge({
      agent,
      input,
      output: client,
      version: '1',
      log: () => undefined,
      coalesce: false,
    })
    const send = (id: number, method: string, params: object): void =>
      void input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const answer = async (id: number): Promise<Line> => {
      for (;;) {
        const line = client.lines.find((candidate) => candidate.id === id)
        if (line) return line
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    send(1, 'initialize', { protocolVersion: 1 })
    await answer(1)
    send(2, 'session/new', { cwd, mcpServers: [] })
    const sessionId = String((await answer(2)).result?.['sessionId'])
    send(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
    await said.promise
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(client.lines.some((line) => line.id === 3)).toBe(false)
    client.read()
    expect((await answer(3)).result).toEqual({ stopReason: 'end_turn' })
    const at = client.lines.findIndex((line) => line.id === 3)
    const text = client.lines
      .slice(0, at)
      .map((line) => textOf(line.params?.update))
      .join('')
    expect(text.split(' ').filter(Boolean)).toEqual(
      Array.from({ length: 20_000 }, (_, number) => String(number)),
    )
    await bridge.close()
  })
})
