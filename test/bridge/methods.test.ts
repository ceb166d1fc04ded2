// The methods around a turn: listing, resuming, deleting, options, steering, withdrawing requests, logging out.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { StopReason } from '#session/event.ts'
import type { FakeTurn } from '../support/fake-agent.ts'
import { RawWire } from '../support/wire.ts'

const cwd = mkdtempSync(join(tmpdir(), 'deckhand-methods-'))
afterAll(() => rmSync(cwd, { recursive: true }))

let wire: RawWire
afterEach(async () => {
  await wire.bridge.close()
  await wire.agent.dispose()
  expect(wire.problems).toEqual([])
})

let id = 100
async function ask(method: string, params: object): Promise<Awaited<ReturnType<RawWire['response']>>> {
  const own = ++id
  wire.request(own, method, params)
  return wire.response(own)
}
const untilCancelled = async (turn: FakeTurn): Promise<StopReason> => {
  turn.emit({ type: 'text_delta', messageId: 'm', text: 'working' })
  await turn.cancelled()
  return 'cancelled'
}

describe('session/list', () => {
  it('gives pages with an opaque cursor, filtered by directory', async () => {
    wire = new RawWire()
    await wire.open(cwd)
    wire.agent.pageSize = 2
    const named = wire.agent.add('session-2', { cwd, additionalDirectories: ['/more'] })
    named.title = 'Named'
    wire.agent.add('session-3', { cwd: '/elsewhere', additionalDirectories: [] })
    const first = (await ask('session/list', {})).result
    expect(first).toMatchObject({
      sessions: [
        { sessionId: 'session-1', cwd, updatedAt: '2026-01-01T00:00:00.000Z' },
        { sessionId: 'session-2', title: 'Named', additionalDirectories: ['/more'] },
      ],
    })
    const rest = (await ask('session/list', { cursor: first?.['nextCursor'] })).result
    expect(rest).toMatchObject({ sessions: [{ sessionId: 'session-3' }] })
    expect(rest).not.toHaveProperty('nextCursor')
    expect((await ask('session/list', { cwd: '/elsewhere' })).result?.['sessions']).toHaveLength(1)
    expect((await ask('session/list', { cwd: 'relative' })).error?.code).toBe(-32602)
  })
})

describe('session/resume', () => {
  it('opens without a replay, and tells modes and options', async () => {
    wire = new RawWire({
      script: (turn) => (turn.emit({ type: 'text_delta', messageId: 'm', text: 'x' }), 'end_turn'),
    })
    const sessionId = await wire.open(cwd)
    wire.prompt('p', sessionId)
    await wire.response('p')
    const before = wire.lines.length
    const { result } = await ask('session/resume', { sessionId, cwd, mcpServers: [] })
    expect(result).toMatchObject({
      modes: { currentModeId: 'ask' },
      configOptions: [{ id: 'mode', type: 'select', currentValue: 'ask' }, { id: 'model' }],
    })
    expect(wire.lines.slice(before)).toHaveLength(1)
    wire.prompt('p2', sessionId)
    expect((await wire.response('p2')).result).toEqual({ stopReason: 'end_turn' })
    expect((await ask('session/resume', { sessionId: 'none', cwd, mcpServers: [] })).error?.code).toBe(-32002)
  })
})

describe('session/delete', () => {
  it('ends what runs, and succeeds quietly for what is not there', async () => {
    wire = new RawWire({ script: untilCancelled })
    const sessionId = await wire.open(cwd)
    wire.prompt('p', sessionId)
    await wire.until((line) => line.method === 'session/update')
    expect((await ask('session/delete', { sessionId })).result).toEqual({})
    expect((await wire.response('p')).result).toEqual({ stopReason: 'cancelled' })
    expect(wire.agent.sessions.has(sessionId)).toBe(false)
    expect((await ask('session/delete', { sessionId })).result).toEqual({})
    expect((await ask('session/prompt', { sessionId, prompt: [] })).error?.code).toBe(-32002)
  })
})

describe('options', () => {
  it('and modes change together, whichever is set', async () => {
    wire = new RawWire()
    const sessionId = await wire.open(cwd)
    const set = await ask('session/set_config_option', { sessionId, configId: 'mode', value: 'plan' })
    expect(set.result).toMatchObject({
      configOptions: [{ id: 'mode', currentValue: 'plan' }, { id: 'model' }],
    })
    await ask('session/set_mode', { sessionId, modeId: 'ask' })
    await ask('session/set_config_option', { sessionId, configId: 'model', value: 'scripted/other' })
    await wire.until(
      ({ params }) => JSON.stringify(params)?.includes('"currentValue":"scripted/other"') === true,
    )
    const told = wire.lines.flatMap(({ params }) => {
      const update = params?.update
      if (update?.sessionUpdate === 'current_mode_update') return [update.currentModeId]
      return update?.sessionUpdate === 'config_option_update'
        ? [update.configOptions.map((option) => option.type === 'select' && option.currentValue).join()]
        : []
    })
    expect(told).toEqual(['plan', 'plan,scripted/demo', 'ask', 'ask,scripted/demo', 'ask,scripted/other'])
  })

  it.each([
    ['an unknown option', { configId: 'nope', value: 'x' }],
    ['an unknown value', { configId: 'mode', value: 'x' }],
    ['a boolean', { configId: 'mode', type: 'boolean', value: true }],
  ])('refuse %s', async (_what, params) => {
    wire = new RawWire()
    const sessionId = await wire.open(cwd)
    expect((await ask('session/set_config_option', { sessionId, ...params })).error?.code).toBe(-32602)
  })
})

describe('_session/steering', () => {
  it('reaches the running turn, and says it when there is none', async () => {
    wire = new RawWire({ script: untilCancelled })
    const sessionId = await wire.open(cwd)
    const prompt = [{ type: 'text', text: 'also this' }]
    expect((await ask('_session/steering', { sessionId, prompt })).error?.code).toBe(-32600)
    const optIn = { sessionId, prompt, _meta: { steering: { idleBehavior: 'promptRequired' } } }
    expect((await ask('_session/steering', optIn)).result).toEqual({
      outcome: 'promptRequired',
      reason: 'noRunningTurn',
    })
    wire.prompt('p', sessionId)
    await wire.until((line) => line.method === 'session/update')
    expect((await ask('_session/steering', { sessionId, prompt })).result).toEqual({ outcome: 'injected' })
    expect(wire.agent.sessions.get(sessionId)?.steered).toMatchObject([{ shown: prompt }])
    expect((await ask('_session/steering', { sessionId, prompt: [null] })).error?.code).toBe(-32602)
    wire.notify('session/cancel', { sessionId })
    await wire.response('p')
  })
})

describe('$/cancel_request', () => {
  it('answers any request in flight with -32800, once, and unknown ids with nothing', async () => {
    wire = new RawWire()
    await wire.open(cwd)
    wire.agent.list = () => new Promise(() => {})
    wire.request(7, 'session/list', {})
    wire.notify('$/cancel_request', { requestId: 7 })
    wire.notify('$/cancel_request', { requestId: 999 })
    expect((await wire.response(7)).error?.code).toBe(-32800)
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(wire.lines.filter((line) => line.id === 7)).toHaveLength(1)
  })

  it('of a session/new leaves no session open', async () => {
    wire = new RawWire()
    await wire.hello()
    const gate = Promise.withResolvers<void>()
    const create = wire.agent.create.bind(wire.agent)
    wire.agent.create = async (options) => {
      await gate.promise
      return create(options)
    }
    wire.request(7, 'session/new', { cwd, mcpServers: [] })
    await new Promise((resolve) => setTimeout(resolve, 20))
    wire.notify('$/cancel_request', { requestId: 7 })
    expect((await wire.response(7)).error?.code).toBe(-32800)
    gate.resolve()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect([...wire.agent.sessions.values()].map(({ closed }) => closed)).toEqual([true])
  })

  it('ends the replay of a long session', async () => {
    wire = new RawWire()
    await wire.hello()
    const session = wire.agent.add('long', { cwd, additionalDirectories: [] })
    for (let turn = 0; turn < 2000; turn++) {
      const message = { id: `m${turn}`, parts: [{ type: 'text' as const, text: `${turn}` }] }
      session.emit({ type: 'turn_start', turnId: `t${turn}` }, { type: 'assistant_message', message })
    }
    wire.request(7, 'session/load', { sessionId: 'long', cwd, mcpServers: [] })
    await wire.until((line) => line.method === 'session/update')
    wire.notify('$/cancel_request', { requestId: 7 })
    expect((await wire.response(7)).error?.code).toBe(-32800)
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(wire.lines.filter((line) => line.method === 'session/update').length).toBeLessThan(2000)
    expect(session.closed).toBe(true)
  })

  it('of a prompt is a cancelled turn', async () => {
    wire = new RawWire({ script: untilCancelled })
    const sessionId = await wire.open(cwd)
    wire.prompt(7, sessionId)
    await wire.until((line) => line.method === 'session/update')
    wire.notify('$/cancel_request', { requestId: 7 })
    expect((await wire.response(7)).result).toEqual({ stopReason: 'cancelled' })
  })
})

describe('authentication', () => {
  it('asks its port, and a logout forgets', async () => {
    let key = false
    wire = new RawWire(
      {},
      { auth: { problem: () => (key ? undefined : 'set X_KEY.'), logout: async () => void (key = false) } },
    )
    await wire.hello()
    const refused = (await ask('session/new', { cwd, mcpServers: [] })).error
    expect(refused).toMatchObject({ code: -32000, message: 'Authentication required: set X_KEY.' })
    key = true
    expect((await ask('authenticate', { methodId: 'api-key' })).result).toEqual({})
    expect((await ask('session/new', { cwd, mcpServers: [] })).result).toHaveProperty('sessionId')
    expect((await ask('logout', {})).result).toEqual({})
    expect((await ask('session/new', { cwd, mcpServers: [] })).error?.code).toBe(-32000)
  })
})
