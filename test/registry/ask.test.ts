// registry.md §4, "Ask", and what surrounds it: preview, grants, the request.
import { describe, expect, it, vi } from 'vitest'
import {
  type ApprovalRequest,
  type ApprovalService,
  createRegistry,
  type Grant,
  type ToolCallView,
  type ToolDefinition,
  ToolError,
} from '#index.ts'
import { codeOf, gate, input, messageOf, probe } from './probe.ts'

interface Setup {
  answer?: unknown
  approval?: ApprovalService | null
  reason?: string
  grant?: Grant
  tool?: Partial<ToolDefinition>
}

function setUp({ answer = 'allowed-once', approval, reason, grant, tool = {} }: Setup = {}) {
  const requests: ApprovalRequest[] = []
  const service: ApprovalService = approval ?? {
    request: async (request) => {
      requests.push(request)
      return answer as 'rejected'
    },
  }
  const log = vi.fn()
  const registry = createRegistry({ log, ...(approval !== null && { approval: service }) })
  const execute = vi.fn(() => 'done')
  registry.register(probe({ execute, ...tool }))
  registry.on('tools/pre-execute', () => ({
    kind: 'ask',
    ...(reason && { reason }),
    ...(grant && { grant }),
  }))
  const scope = registry.scope()
  return { registry, scope, requests, execute, log }
}

describe('ask', () => {
  const denials: { situation: string; setup: Setup; scoped?: false; says: RegExp }[] = [
    {
      situation: 'no approval service: deny, with the asker’s reason',
      setup: { approval: null, reason: 'writes outside' },
      says: /^writes outside$/,
    },
    {
      situation: 'no approval service: deny, else one that says approval is needed and none is there',
      setup: { approval: null },
      says: /needs approval.*nobody/,
    },
    {
      situation: 'call without a scope: deny, with the reason',
      setup: { reason: 'r' },
      scoped: false,
      says: /^r$/,
    },
    { situation: 'call without a scope: deny', setup: {}, scoped: false, says: /needs approval/ },
    { situation: 'rejected', setup: { answer: 'rejected' }, says: /user rejected this call/ },
    {
      situation: 'rejected with a reason',
      setup: { answer: { outcome: 'rejected', reason: 'use git mv' } },
      says: /rejected.*use git mv/,
    },
    {
      situation: 'rejected with an empty reason',
      setup: { answer: { outcome: 'rejected', reason: ' ' } },
      says: /do not repeat it/,
    },
    { situation: 'cancelled', setup: { answer: 'cancelled' }, says: /cancelled without an answer/ },
    { situation: 'unavailable', setup: { answer: 'unavailable' }, says: /unavailable/ },
  ]
  it.each(denials)('$situation', async ({ setup, scoped, says }) => {
    const { registry, scope, requests, execute } = setUp(setup)
    const result = await registry.execute(input(scoped === false ? {} : { scope }))
    expect(messageOf(result)).toMatch(says)
    expect(codeOf(result)).toBeUndefined()
    expect(execute).not.toHaveBeenCalled()
    expect(requests).toHaveLength(scoped === false || setup.approval === null ? 0 : 1)
  })

  it('has distinguishable denials', async () => {
    const answers = ['rejected', { outcome: 'rejected', reason: 'r' }, 'cancelled', 'unavailable']
    const said = answers.map(async (answer) => {
      const { registry, scope } = setUp({ answer })
      return messageOf(await registry.execute(input({ scope })))
    })
    expect(new Set(await Promise.all(said)).size).toBe(4)
  })

  it('allowed-once: allow; guards still run', async () => {
    const { registry, scope, execute } = setUp()
    expect(await registry.execute(input({ scope }))).toMatchObject({ isError: false, value: 'done' })
    registry.guard(() => 'guarded')
    expect(messageOf(await registry.execute(input({ scope })))).toBe('guarded')
    expect(execute).toHaveBeenCalledTimes(1)
  })

  it('cancelled together with an aborted caller → ABORTED_BEFORE_DISPATCH', async () => {
    const abort = new AbortController()
    const approval: ApprovalService = {
      request: async () => {
        abort.abort()
        return 'cancelled'
      },
    }
    const { registry, scope } = setUp({ approval })
    expect(codeOf(await registry.execute(input({ scope, signal: abort.signal })))).toBe(
      'ABORTED_BEFORE_DISPATCH',
    )
  })

  it.each([
    null,
    undefined,
    true,
    'allowed',
    'allowed-always',
    {},
    { outcome: 'rejected' },
    { outcome: 'allowed-once' },
  ])('anything else (%j): error result, the body never runs', async (answer) => {
    const approval: ApprovalService = { request: async () => answer as never }
    const { registry, scope, execute } = setUp({ approval })
    expect(messageOf(await registry.execute(input({ scope })))).toMatch(/no answer that is known/)
    expect(execute).not.toHaveBeenCalled()
  })

  it('never carries the arguments; carries reason, grant and the caller’s signal', async () => {
    const grant: Grant = { label: 'Always allow `x`', remember: async () => undefined }
    const { registry, scope, requests } = setUp({ reason: 'why', grant })
    const given = input({ scope, arguments: { secret: 1 } })
    await registry.execute(given)
    expect(requests).toEqual([
      { scope, toolName: 'probe', callId: 'c1', reason: 'why', grant, signal: given.signal },
    ])
    expect(requests[0]?.signal).toBe(given.signal)
  })

  it('lets the adapter remember a grant before it allows once', async () => {
    const order: string[] = []
    const grant: Grant = { label: 'l', remember: async () => void order.push('remembered') }
    const approval: ApprovalService = {
      request: async (request) => {
        await request.grant?.remember()
        return 'allowed-once'
      },
    }
    const { registry, scope } = setUp({
      approval,
      grant,
      tool: { execute: () => (order.push('ran'), 'done') },
    })
    await registry.execute(input({ scope }))
    expect(order).toEqual(['remembered', 'ran'])
  })

  it.each([{ label: 1, remember: async () => undefined }, { label: 'l' }, 'grant'])(
    'refuses a malformed grant %j',
    async (grant) => {
      const { registry, scope, requests } = setUp({ grant: grant as never })
      expect(messageOf(await registry.execute(input({ scope })))).toMatch(/no decision that is known/)
      expect(requests).toEqual([])
    },
  )

  it.each([
    { case: 'not visible', over: { name: 'gone' }, tool: {}, code: 'UNKNOWN_TOOL' },
    {
      case: 'invalid arguments',
      over: {},
      tool: { validate: () => ['"p" must be a string'] },
      code: 'INVALID_ARGS',
    },
  ])('tool $case: that error, nobody is asked, nothing is previewed', async ({ over, tool, code }) => {
    const preview = vi.fn(async () => undefined)
    const { registry, scope, requests } = setUp({ tool: { ...tool, preview } })
    expect(codeOf(await registry.execute(input({ scope, ...over })))).toBe(code)
    expect(requests).toEqual([])
    expect(preview).not.toHaveBeenCalled()
  })
})

describe('preview', () => {
  const view: ToolCallView = {
    card: 'diff',
    title: 'Edit a',
    diffs: [{ path: '/a', oldText: 'x', newText: 'y' }],
  }

  it('runs once, before anybody is asked; its view is emitted, frozen', async () => {
    const order: string[] = []
    const approval: ApprovalService = { request: async () => (order.push('asked'), 'allowed-once') }
    const preview = vi.fn(async () => (order.push('preview'), structuredClone(view)))
    const { registry, scope } = setUp({ approval, tool: { preview } })
    const views: ToolCallView[] = []
    registry.on('tools/preview', (_exec, shown) => void (order.push('shown'), views.push(shown)))
    await registry.execute(input({ scope }))
    expect(order).toEqual(['preview', 'shown', 'asked'])
    expect(preview).toHaveBeenCalledTimes(1)
    expect(views).toEqual([view])
    expect(Object.isFrozen(views[0])).toBe(true)
  })

  it('does not run when policy simply allows', async () => {
    const preview = vi.fn(async () => undefined)
    const registry = createRegistry()
    registry.register(probe({ preview }))
    await registry.execute(input())
    expect(preview).not.toHaveBeenCalled()
  })

  it('a typed failure is the call’s error result: nobody is asked', async () => {
    const { registry, scope, requests, execute } = setUp({
      tool: { preview: () => Promise.reject(new ToolError('STALE', 'read it again', { meta: { a: 1 } })) },
    })
    expect(await registry.execute(input({ scope }))).toMatchObject({
      error: { info: { code: 'STALE' } },
      meta: { a: 1 },
    })
    expect(requests).toEqual([])
    expect(execute).not.toHaveBeenCalled()
  })

  it.each([
    ['a rejection', () => Promise.reject(new Error('io'))],
    [
      'a throw',
      () => {
        throw new Error('io')
      },
    ],
    ['a view that is no JSON', async () => ({ card: 'generic', title: 't', rawInput: () => 1 }) as never],
  ] as const)('%s falls back to presentCall: the person is asked all the same', async (_name, preview) => {
    const { registry, scope, requests, log } = setUp({ tool: { preview } })
    const shown = vi.fn()
    registry.on('tools/preview', shown)
    expect(await registry.execute(input({ scope }))).toMatchObject({ isError: false })
    expect(requests).toHaveLength(1)
    expect(shown).not.toHaveBeenCalled()
    expect(log).toHaveBeenCalledWith('warn', expect.stringContaining('preview'), undefined)
  })

  it('2 s without an answer fall back', async () => {
    vi.useFakeTimers()
    try {
      const asked = gate()
      const approval: ApprovalService = { request: async () => (asked.resolve(), 'allowed-once') }
      const { registry, scope } = setUp({ approval, tool: { preview: () => new Promise(() => undefined) } })
      let settled = false
      const running = registry.execute(input({ scope })).then(() => (settled = true))
      await vi.advanceTimersByTimeAsync(1999)
      expect(settled).toBe(false)
      await vi.advanceTimersByTimeAsync(1)
      await asked.promise
      await running
      expect(settled).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})
