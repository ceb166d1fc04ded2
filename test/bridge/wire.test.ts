import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { StopReason } from '#session/event.ts'
import type { FakeAgentOptions, FakeTurn, Script } from '../support/fake-agent.ts'
import { RawWire } from '../support/wire.ts'

const cwd = mkdtempSync(join(tmpdir(), 'deckhand-wire-'))
afterAll(() => rmSync(cwd, { recursive: true }))

let wire: RawWire
function start(options: FakeAgentOptions | Script = {}): RawWire {
  wire = new RawWire(typeof options === 'function' ? { script: options } : options)
  return wire
}
afterEach(async () => {
  await wire.bridge.close()
  await wire.agent.dispose()
  expect(wire.problems).toEqual([])
})

const echo: Script = (turn) => {
  const text = turn.input.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  turn.emit({ type: 'text_delta', messageId: 'm', text })
  return 'end_turn'
}
const untilCancelled = async (turn: FakeTurn): Promise<StopReason> => {
  turn.emit({ type: 'text_delta', messageId: 'm', text: 'working' })
  await turn.cancelled()
  return 'cancelled'
}
const spoken = (): string =>
  wire.lines
    .map((line) => line.params?.update)
    .map((update) =>
      update?.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? update.content.text
        : '',
    )
    .join('')

describe('initialize', () => {
  it('tells version, name and only what exists', async () => {
    start().request(0, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
    expect((await wire.response(0)).result).toEqual({
      protocolVersion: 1,
      agentInfo: { name: 'deckhand', title: 'Deckhand', version: '1.2.3' },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {}, additionalDirectories: {} },
        auth: { logout: {} },
      },
      authMethods: [expect.objectContaining({ id: 'api-key' })],
      _meta: { steering: { supported: true } },
    })
  })

  it('answers another version with ours, under any id', async () => {
    start().request('a-1', 'initialize', { protocolVersion: 65535 })
    expect((await wire.response('a-1')).result).toMatchObject({ protocolVersion: 1 })
  })

  it('offers the terminal only to clients that have one', async () => {
    wire = new RawWire(
      {},
      { auth: { problem: () => undefined, login: { command: '/usr/bin/deckhand', args: [] } } },
    )
    wire.request(1, 'initialize', {
      protocolVersion: 1,
      clientCapabilities: { auth: { terminal: true }, _meta: { 'terminal-auth': true } },
    })
    const { result } = await wire.response(1)
    expect(result?.['authMethods']).toMatchObject([
      { id: 'api-key', _meta: { 'terminal-auth': { command: '/usr/bin/deckhand', args: ['login'] } } },
      { id: 'login', type: 'terminal', args: ['login'] },
    ])
    wire.request(2, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
    expect((await wire.response(2)).result?.['authMethods']).toHaveLength(1)
  })
})

describe('session/new', () => {
  it('returns id and modes, and two ids for two calls', async () => {
    const first = await start().open(cwd)
    wire.request(2, 'session/new', { cwd, mcpServers: [] })
    const { result } = await wire.response(2)
    expect(result?.['sessionId']).not.toBe(first)
    expect(result?.['modes']).toMatchObject({
      currentModeId: 'ask',
      availableModes: [{ id: 'ask' }, { id: 'accept-edits' }, { id: 'plan' }, { id: 'bypass' }],
    })
  })

  it.each([
    ['relative', 'some/dir', /absolute/],
    ['missing', join(cwd, 'missing'), /does not exist/],
    ['no directory', join(cwd, 'file'), /not a directory/],
    ['absent', undefined, /cwd/],
  ])('refuses a cwd that is %s', async (_what, path, reason) => {
    writeFileSync(join(cwd, 'file'), '')
    await start().hello()
    wire.request(2, 'session/new', { cwd: path, mcpServers: [] })
    expect((await wire.response(2)).error).toMatchObject({
      code: -32602,
      message: expect.stringMatching(reason),
    })
  })

  it('asks for authentication when no model is usable', async () => {
    await start({ model: null }).hello()
    wire.request(2, 'session/new', { cwd, mcpServers: [] })
    expect((await wire.response(2)).error).toMatchObject({
      code: -32000,
      data: { authMethods: [{ id: 'api-key' }] },
    })
    wire.request(3, 'authenticate', { methodId: 'api-key' })
    expect((await wire.response(3)).error).toMatchObject({ code: -32000 })
    wire.request(4, 'authenticate', { methodId: 'nope' })
    expect((await wire.response(4)).error).toMatchObject({ code: -32602 })
  })

  it('survives a bad MCP entry', async () => {
    await start(echo).hello()
    wire.request(2, 'session/new', { cwd, mcpServers: [{ name: 'docs', command: 5 }, 'nonsense'] })
    const sessionId = String((await wire.response(2)).result?.['sessionId'])
    wire.prompt(3, sessionId)
    expect((await wire.response(3)).result).toEqual({ stopReason: 'end_turn' })
  })

  it('sends nothing for a session before its id is known', async () => {
    await start().hello()
    const create = wire.agent.create.bind(wire.agent)
    wire.agent.create = async (options) => {
      const session = await create(options)
      session.setAsker = () => wire.agent.sessions.get(session.id)?.emit({ type: 'title', title: 'early' })
      return session
    }
    wire.request(2, 'session/new', { cwd, mcpServers: [] })
    await wire.until((line) => line.params?.update?.sessionUpdate === 'session_info_update')
    expect(wire.lines.map((line) => line.method ?? line.id)).toEqual(['init', 2, 'session/update'])
  })
})

describe('session/prompt', () => {
  it('answers behind the last update', async () => {
    const session = await start(echo).open(cwd)
    wire.prompt(1, session, 'hello')
    expect((await wire.response(1)).result).toEqual({ stopReason: 'end_turn' })
    expect(spoken()).toBe('hello')
    expect(wire.lines.at(-1)?.id).toBe(1)
  })

  it('waits for nothing that the pacer holds back', async () => {
    const pieces = ['one ', 'two ', 'three ', 'four']
    const session = await start((turn) => {
      for (const text of pieces) turn.emit({ type: 'text_delta', messageId: 'm', text })
      return 'end_turn'
    }).open(cwd)
    wire.prompt(1, session)
    await wire.response(1)
    expect(spoken()).toBe(pieces.join(''))
    expect(wire.lines.at(-1)?.id).toBe(1)
  })

  it('keeps every character, one byte at a time', async () => {
    const session = await start(echo).open(cwd)
    wire.note(1, 'session/prompt')
    const text = '漢字🙂é a\u2028b\u2029c\r\nd'
    const frame = `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'session/prompt', params: { sessionId: session, prompt: [{ type: 'text', text }] } })}\n`
    for (const byte of Buffer.from(frame)) wire.send(Buffer.from([byte]))
    await wire.response(1)
    expect(spoken()).toBe(text)
  })

  it('answers malformed lines with -32700 and goes on', async () => {
    start(echo)
    wire.send('Welcome back\n\n\u001B[1 q{"jsonrpc":\nhalf a line of prose\n')
    const session = await wire.open(cwd)
    expect(wire.lines.filter((line) => line.error?.code === -32700 && line.id === null)).toHaveLength(3)
    wire.prompt(1, session)
    expect((await wire.response(1)).result).toEqual({ stopReason: 'end_turn' })
  })

  it('refuses a second one while the first runs, and leaves other sessions alone', async () => {
    const session = await start((turn) =>
      JSON.stringify(turn.input).includes('slow') ? untilCancelled(turn) : echo(turn),
    ).open(cwd)
    wire.request(10, 'session/new', { cwd, mcpServers: [] })
    const other = String((await wire.response(10)).result?.['sessionId'])
    wire.prompt(1, session, 'slow')
    wire.prompt(2, session)
    expect((await wire.response(2)).error).toMatchObject({
      code: -32600,
      message: expect.stringContaining('turn is running'),
    })
    wire.prompt(3, other)
    expect((await wire.response(3)).result).toEqual({ stopReason: 'end_turn' })
    wire.notify('session/cancel', { sessionId: session })
    expect((await wire.response(1)).result).toEqual({ stopReason: 'cancelled' })
  })

  it('accepts the next one in the tick of the response', async () => {
    const session = await start(echo).open(cwd)
    wire.prompt(0, session)
    for (let id = 1; id <= 200; id++) {
      await wire.response(id - 1)
      wire.prompt(id, session)
    }
    expect((await wire.response(200)).result).toEqual({ stopReason: 'end_turn' })
    expect(wire.lines.filter((line) => line.error)).toEqual([])
  })

  it('answers -32002, -32601 and -32602 where they belong, and never a notification', async () => {
    const session = await start(echo).open(cwd)
    const before = wire.lines.length
    wire.notify('session/cancel', { sessionId: 'nobody' })
    wire.notify('session/cancel', { sessionId: session })
    wire.notify('_unknown/notification', {})
    wire.prompt(1, 'nobody')
    wire.request(2, '_custom/method', {})
    wire.request(3, 'session/prompt', { sessionId: session, prompt: [{ type: 'text', text: ' \n' }] })
    wire.request(4, 'session/prompt', { sessionId: session })
    wire.request(5, 'session/set_mode', { sessionId: session, modeId: 'yolo' })
    const errors = await Promise.all([1, 2, 3, 4, 5].map((id) => wire.response(id)))
    expect(errors.map((line) => line.error?.code)).toEqual([-32002, -32601, -32602, -32602, -32602])
    expect(errors.every((line) => line.error && !/[\r\n]/.test(line.error.message))).toBe(true)
    expect(wire.lines).toHaveLength(before + 5)
  })

  it('tells a failure as one line with details, and closes what was open', async () => {
    const session = await start((turn) => {
      turn.emit({ type: 'tool_call', callId: 'c', name: 'x', messageId: 'm' })
      throw new Error('first\nsecond')
    }).open(cwd)
    wire.prompt(1, session)
    expect((await wire.response(1)).error).toMatchObject({
      code: -32603,
      message: 'first second',
      data: { details: {} },
    })
    expect(wire.lines.at(-2)?.params?.update).toMatchObject({ toolCallId: 'c', status: 'failed' })
  })
})

describe('cancelling', () => {
  it('works right behind the prompt, in one chunk, and the prompt behind it waits', async () => {
    const session = await start((turn) => (turn.number === 1 ? untilCancelled(turn) : echo(turn))).open(cwd)
    const frame = (id: number | undefined, method: string, params: object): string => {
      if (id !== undefined) wire.note(id, method)
      return `${JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), method, params })}\n`
    }
    const prompt = [{ type: 'text', text: 'again' }]
    wire.send(
      frame(1, 'session/prompt', { sessionId: session, prompt }) +
        frame(undefined, 'session/cancel', { sessionId: session }) +
        frame(2, 'session/prompt', { sessionId: session, prompt }),
    )
    expect((await wire.response(1)).result).toEqual({ stopReason: 'cancelled' })
    expect((await wire.response(2)).result).toEqual({ stopReason: 'end_turn' })
  })

  it('reaches a prompt that waits', async () => {
    const gate = Promise.withResolvers<void>()
    const session = await start(async (turn): Promise<StopReason> => {
      await turn.cancelled()
      await gate.promise
      return 'cancelled'
    }).open(cwd)
    wire.prompt(1, session)
    await new Promise(setImmediate)
    wire.notify('session/cancel', { sessionId: session })
    wire.prompt(2, session)
    wire.notify('session/cancel', { sessionId: session })
    await new Promise(setImmediate)
    gate.resolve()
    expect((await wire.response(2)).result).toEqual({ stopReason: 'cancelled' })
    expect(wire.agent.sessions.get(session)?.prompts).toHaveLength(1)
  })

  it('by $/cancel_request answers the prompt as cancelled', async () => {
    const session = await start(untilCancelled).open(cwd)
    wire.prompt(7, session)
    await wire.until((line) => line.method === 'session/update')
    wire.notify('$/cancel_request', { requestId: 99 })
    wire.notify('$/cancel_request', { requestId: 7 })
    expect((await wire.response(7)).result).toEqual({ stopReason: 'cancelled' })
  })

  it('sends nothing of the turn behind the answer', async () => {
    const session = await start(untilCancelled).open(cwd)
    wire.prompt(1, session)
    await wire.until((line) => line.method === 'session/update')
    wire.notify('session/cancel', { sessionId: session })
    await wire.response(1)
    wire.agent.sessions
      .get(session)
      ?.emit(
        { type: 'text_delta', messageId: 'm', text: 'late' },
        { type: 'tool_output', callId: 'c', data: 'late' },
      )
    await new Promise((resolve) => setTimeout(resolve, 60))
    expect(wire.lines.at(-1)?.id).toBe(1)
  })

  it('by session/close ends the prompt and releases the session', async () => {
    const session = await start(untilCancelled).open(cwd)
    wire.prompt(1, session)
    await wire.until((line) => line.method === 'session/update')
    wire.request(2, 'session/close', { sessionId: session })
    expect((await wire.response(1)).result).toEqual({ stopReason: 'cancelled' })
    expect((await wire.response(2)).result).toEqual({})
    expect(wire.agent.sessions.get(session)?.closed).toBe(true)
    wire.prompt(3, session)
    expect((await wire.response(3)).error?.code).toBe(-32002)
  })
})

describe('the end of the connection', () => {
  it('comes with the end of input, and cancels what runs', async () => {
    const session = await start(untilCancelled).open(cwd)
    wire.prompt(1, session)
    await wire.until((line) => line.method === 'session/update')
    wire.input.end()
    await wire.bridge.closed
    await new Promise(setImmediate)
    expect(wire.agent.sessions.get(session)?.busy).toBe(false)
  })

  it('comes with a broken pipe', async () => {
    const session = await start(untilCancelled).open(cwd)
    wire.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
    wire.prompt(1, session)
    await wire.bridge.closed
  })
})
