import { describe, expect, it } from 'vitest'
import { createAsker, type AskerOptions } from '#bridge/permission/ask.ts'
import type { ApprovalRequest, Grant } from '#registry/types.ts'
import type { RequestPermissionRequest } from '@agentclientprotocol/sdk'
import { checkMessage } from '../../support/validate-message.ts'

interface Desk {
  options: AskerOptions
  asked: RequestPermissionRequest[]
  lines: string[]
  steps: string[]
}

function desk(
  answer: (params: RequestPermissionRequest, signal: AbortSignal | undefined) => Promise<unknown>,
): Desk {
  const asked: RequestPermissionRequest[] = []
  const lines: string[] = []
  const steps: string[] = []
  const options: AskerOptions = {
    sessionId: 's',
    request: (params, init) => {
      steps.push('ask')
      asked.push(params)
      expect(init.stopWaitingOnCancel).toBe(true)
      return answer(params, init.cancellationSignal)
    },
    card: (toolCallId) => ({ toolCallId, title: 'Write a', status: 'pending' }),
    flush: () => void steps.push('flush'),
    log: (_level, message, data) => lines.push(`${message} ${JSON.stringify(data)}`),
  }
  return { options, asked, lines, steps }
}

function request(callId = 'c', more: { signal?: AbortSignal; grant?: Grant } = {}): ApprovalRequest {
  return {
    scope: {} as ApprovalRequest['scope'],
    toolName: 'write',
    callId,
    signal: new AbortController().signal,
    ...more,
  }
}

const grant = (remember: () => Promise<void> = () => Promise.resolve()): Grant => ({
  label: 'Always allow `npm test` in this project',
  remember,
})
const selected = (optionId: unknown): unknown => ({ outcome: { outcome: 'selected', optionId } })

describe('asking', () => {
  it('flushes first, and offers "always" only with a grant, in its words', async () => {
    const { options, asked, steps } = desk(() => Promise.resolve(selected('allow-once')))
    const asker = createAsker(options)
    expect(await asker(request())).toEqual({ outcome: 'allowed-once' })
    await asker(request('d', { grant: grant() }))
    expect(steps).toEqual(['flush', 'ask', 'flush', 'ask'])
    expect(
      asked.map((params) => params.options.map((option) => [option.optionId, option.kind, option.name])),
    ).toEqual([
      [
        ['allow-once', 'allow_once', 'Allow'],
        ['reject-once', 'reject_once', 'Reject'],
      ],
      [
        ['allow-once', 'allow_once', 'Allow'],
        ['allow-always', 'allow_always', 'Always allow `npm test` in this project'],
        ['reject-once', 'reject_once', 'Reject'],
      ],
    ])
    for (const params of asked) {
      expect(checkMessage({ jsonrpc: '2.0', id: 1, method: 'session/request_permission', params })).toEqual(
        [],
      )
    }
  })

  it.each([
    ['an unknown id', selected('nope'), 'unavailable'],
    ['an empty id', selected(''), 'unavailable'],
    ['another case', selected('ALLOW-ONCE'), 'unavailable'],
    ['the name instead of the id', selected('Allow'), 'unavailable'],
    ['the kind instead of the id', selected('allow_once'), 'unavailable'],
    ['"always" that was not offered', selected('allow-always'), 'unavailable'],
    ['no id', selected(undefined), 'unavailable'],
    ['an id that is no text', selected(['allow-once']), 'unavailable'],
    ['an unknown outcome', { outcome: { outcome: 'approved', optionId: 'allow-once' } }, 'unavailable'],
    ['an option without outcome', { optionId: 'allow-once' }, 'unavailable'],
    ['nothing', null, 'unavailable'],
    ['a text', 'allow-once', 'unavailable'],
    ['cancelled', { outcome: { outcome: 'cancelled' } }, 'cancelled'],
  ])('denies %s, with a line in the log', async (_what, reply, outcome) => {
    const { options, lines } = desk(() => Promise.resolve(reply))
    expect(await createAsker(options)(request())).toEqual({ outcome })
    expect(lines).toHaveLength(1)
    if (outcome === 'unavailable') expect(lines[0]).toMatch(/"offered":\["allow-once","reject-once"\]/)
  })

  it('rejects on reject', async () => {
    const { options } = desk(() => Promise.resolve(selected('reject-once')))
    expect(await createAsker(options)(request())).toEqual({ outcome: 'rejected' })
  })

  it('denies on an error reply and a dead client', async () => {
    const { options, lines } = desk(() => Promise.reject(new Error('-32601')))
    expect(await createAsker(options)(request())).toEqual({ outcome: 'unavailable' })
    expect(lines).toHaveLength(1)
  })

  it('remembers before it allows always, and allows once what could not be remembered', async () => {
    const { options, steps } = desk(() => Promise.resolve(selected('allow-always')))
    const asker = createAsker(options)
    const kept = grant(async () => {
      await Promise.resolve()
      steps.push('remembered')
    })
    expect(await asker(request('c', { grant: kept }))).toEqual({
      outcome: 'allowed-always',
      label: kept.label,
    })
    expect(steps.at(-1)).toBe('remembered')
    const lost = grant(() => Promise.reject(new Error('disk full')))
    expect(await asker(request('d', { grant: lost }))).toEqual({ outcome: 'allowed-once' })
  })

  it('is over with the turn, whatever is answered later', async () => {
    const controller = new AbortController()
    const late = Promise.withResolvers<unknown>()
    const { options } = desk((_params, signal) => {
      signal?.addEventListener('abort', () => late.reject(new Error('cancelled')))
      return late.promise
    })
    const answer = createAsker(options)(request('c', { signal: controller.signal }))
    await new Promise(setImmediate)
    controller.abort()
    late.resolve(selected('allow-once'))
    expect(await answer).toEqual({ outcome: 'cancelled' })
  })

  it('denies an answer that came together with the cancel', async () => {
    const controller = new AbortController()
    const { options } = desk(() => {
      controller.abort()
      return Promise.resolve(selected('allow-once'))
    })
    expect(await createAsker(options)(request('c', { signal: controller.signal }))).toEqual({
      outcome: 'cancelled',
    })
  })

  it('asks one at a time, in order, and never what was retracted while it waited', async () => {
    const open: ((reply: unknown) => void)[] = []
    const { options, asked } = desk(() => new Promise((resolve) => open.push(resolve)))
    const asker = createAsker(options)
    const retracted = new AbortController()
    const answers = [
      asker(request('a')),
      asker(request('b', { signal: retracted.signal })),
      asker(request('c')),
    ]
    await new Promise(setImmediate)
    expect(asked.map((params) => params.toolCall.toolCallId)).toEqual(['a'])
    retracted.abort()
    expect(await answers[1]).toEqual({ outcome: 'cancelled' })
    open[0]?.(selected('allow-once'))
    await answers[0]
    await new Promise(setImmediate)
    expect(asked.map((params) => params.toolCall.toolCallId)).toEqual(['a', 'c'])
    open[1]?.(selected('reject-once'))
    expect(await Promise.all(answers)).toEqual([
      { outcome: 'allowed-once' },
      { outcome: 'cancelled' },
      { outcome: 'rejected' },
    ])
  })
})
