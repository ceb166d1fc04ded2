// A rejection with a reason: asked for by a form, optional, and retracted like a prompt.
import { afterEach, describe, expect, it } from 'vitest'
import type { CreateElicitationRequest, SendRequestOptions } from '@agentclientprotocol/sdk'
import { createAsker, type AskerOptions } from '#bridge/permission/ask.ts'
import { REASON_MS } from '#bridge/permission/reason.ts'
import type { ApprovalRequest } from '#registry/types.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { checkMessage } from '../../support/validate-message.ts'

let asked: CreateElicitationRequest[] = []
afterEach(() => void (asked = []))

const clock = new FakeClock()
type Elicit = NonNullable<AskerOptions['elicit']>

function ask(
  reply: (init: SendRequestOptions) => unknown,
  signal = new AbortController().signal,
): Promise<unknown> {
  const elicit: Elicit = async (params, init) => {
    asked.push(params)
    return reply(init)
  }
  const asker = createAsker({
    sessionId: 's',
    request: async () => ({ outcome: { outcome: 'selected', optionId: 'reject-once' } }),
    elicit,
    clock,
    card: () => undefined,
    flush: () => undefined,
    log: () => undefined,
  })
  return asker({ callId: 'c', toolName: 't', signal } as unknown as ApprovalRequest)
}

describe('a reason', () => {
  it('is one line of what the person wrote, asked by a valid form about the call', async () => {
    expect(await ask(() => ({ action: 'accept', content: { reason: '  use\n  pnpm ' } }))).toEqual({
      outcome: 'rejected',
      reason: 'use pnpm',
    })
    expect(asked).toMatchObject([{ mode: 'form', sessionId: 's', toolCallId: 'c' }])
    const message = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params: asked[0] }
    expect(checkMessage(message)).toEqual([])
  })

  it.each([
    ['declined', { action: 'decline' }],
    ['cancelled', { action: 'cancel' }],
    ['blank', { action: 'accept', content: { reason: ' \n' } }],
    ['of another shape', { action: 'accept', content: { reason: 5 } }],
    ['no answer at all', undefined],
  ])('that is %s leaves a rejection without one', async (_what, reply) => {
    expect(await ask(() => reply)).toEqual({ outcome: 'rejected' })
  })

  it('that ends in an error leaves a rejection without one', async () => {
    const failing = (): never => {
      throw new Error('no forms here')
    }
    expect(await ask(failing)).toEqual({ outcome: 'rejected' })
  })

  const untilAborted = ({ cancellationSignal }: SendRequestOptions): Promise<never> =>
    new Promise((_resolve, reject) =>
      cancellationSignal?.addEventListener('abort', () => reject(new Error('retracted'))),
    )

  it('is waited for a minute', async () => {
    const decision = ask(untilAborted)
    while (clock.waiting === 0) await new Promise((resolve) => setImmediate(resolve))
    clock.advance(REASON_MS)
    expect(await decision).toEqual({ outcome: 'rejected' })
  })

  it('is retracted when the turn dies', async () => {
    const turn = new AbortController()
    const decision = ask(untilAborted, turn.signal)
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    turn.abort()
    expect(await decision).toEqual({ outcome: 'rejected' })
    expect(clock.waiting).toBe(0)
  })
})
