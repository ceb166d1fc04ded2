// Leave to carry out a plan: what is offered, what counts as a yes, and that it waits in the queue of other questions.
import { describe, expect, it } from 'vitest'
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { createAsker, type AskerOptions } from '#bridge/permission/ask.ts'
import { createPlanAsker } from '#bridge/permission/plan.ts'
import { createQueue } from '#bridge/permission/queue.ts'
import type { ApprovalRequest } from '#registry/types.ts'
import { checkMessage } from '../../support/validate-message.ts'

const never = new AbortController().signal
const selected = (optionId: unknown): unknown => ({ outcome: { outcome: 'selected', optionId } })

function desk(
  answer: (signal: AbortSignal | undefined) => Promise<unknown>,
  more: Partial<AskerOptions> = {},
) {
  const asked: RequestPermissionRequest[] = []
  const lines: string[] = []
  const options: AskerOptions = {
    sessionId: 's',
    request: (params, init) => {
      asked.push(params)
      return answer(init.cancellationSignal)
    },
    card: () => undefined,
    flush: () => undefined,
    log: (_level, message) => lines.push(message),
    ...more,
  }
  return { options, asked, lines, ask: createPlanAsker(options) }
}
const question = (signal = never) => ({ callId: 'p', plan: '1. do it', signal })

describe('a plan', () => {
  it('is asked about with the modes that it may go on in', async () => {
    const { ask, asked } = desk(async () => selected('ask'))
    expect(await ask(question())).toEqual({ kind: 'approved', mode: 'ask' })
    expect(asked[0]?.options.map(({ optionId, kind, name }) => [optionId, kind, name])).toEqual([
      ['ask', 'allow_once', 'Yes, and ask before each change'],
      ['accept-edits', 'allow_always', 'Yes, and accept edits without asking'],
      ['reject-once', 'reject_once', 'No, keep planning'],
    ])
    expect(asked[0]?.toolCall).toMatchObject({ toolCallId: 'p', kind: 'switch_mode', status: 'pending' })
    const params = asked[0] as object
    expect(checkMessage({ jsonrpc: '2.0', id: 1, method: 'session/request_permission', params })).toEqual([])
  })

  it('goes on in the mode that was picked, or not at all', async () => {
    expect(await desk(async () => selected('accept-edits')).ask(question())).toEqual({
      kind: 'approved',
      mode: 'accept-edits',
    })
    expect(await desk(async () => selected('reject-once')).ask(question())).toEqual({ kind: 'rejected' })
    const elicit = async () => ({ action: 'accept', content: { reason: 'use pnpm' } })
    expect(await desk(async () => selected('reject-once'), { elicit }).ask(question())).toEqual({
      kind: 'rejected',
      reason: 'use pnpm',
    })
    const cancelled = async () => ({ outcome: { outcome: 'cancelled' } })
    expect(await desk(cancelled).ask(question())).toEqual({ kind: 'cancelled' })
  })

  it.each([selected('bypass'), selected('plan'), selected('allow-once'), selected(''), {}, null])(
    'is not approved by %j',
    async (reply) => {
      const { ask, lines } = desk(async () => reply)
      await expect(ask(question())).rejects.toThrow('not approved')
      expect(lines).toEqual(['plan of p not approved: not an offered answer'])
    },
  )

  it('is not approved by an error', async () => {
    const { ask } = desk(() => Promise.reject(new Error('no window')))
    await expect(ask(question())).rejects.toThrow('could not be shown')
  })

  it('is retracted by its signal, whatever the answer then is', async () => {
    const controller = new AbortController()
    const late = desk(async (signal) => {
      expect(signal).toBe(controller.signal)
      controller.abort()
      return selected('accept-edits')
    })
    expect(await late.ask(question(controller.signal))).toEqual({ kind: 'cancelled' })
    expect(await late.ask(question(controller.signal))).toEqual({ kind: 'cancelled' })
    expect(late.asked).toHaveLength(1)
  })

  it('waits behind other questions to the same person', async () => {
    const first = Promise.withResolvers<unknown>()
    let number = 0
    const shared = desk(() => (number++ === 0 ? first.promise : Promise.resolve(selected('ask'))), {
      queue: createQueue(),
    })
    const request = { callId: 'c', toolName: 'write', signal: never } as ApprovalRequest
    const permission = createAsker(shared.options)(request)
    const plan = shared.ask(question())
    await new Promise((resolve) => setImmediate(resolve))
    expect(shared.asked).toHaveLength(1)
    first.resolve(selected('reject-once'))
    expect(await permission).toEqual({ outcome: 'rejected' })
    expect(await plan).toEqual({ kind: 'approved', mode: 'ask' })
  })
})
