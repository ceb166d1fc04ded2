// The checks of the protocol's compatibility kit against the built command, one test each, by the kit's ids.
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import type { BinClient, Wire } from '../support/bin-client.ts'
import { scriptedBin, type ScriptedBin } from '../support/scripted-bin.ts'

const SAY: Scenario['turns'] = [
  { steps: [{ do: [{ text: 'Hello.' }] }] },
  { steps: [{ do: [{ text: 'Again.' }] }] },
]
const HANG: Scenario['turns'] = [{ steps: [{ do: [{ text: 'Working.' }, { hang: true }] }] }]
const WRITE: Scenario['turns'] = [
  { steps: [{ do: [{ call: { name: 'write', arguments: { file_path: 'a.txt', content: 'x' } } }] }] },
]
/** Updates that only a running turn sends. */
const OF_A_TURN = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
])
const ABSENT = 'session-that-never-was'

interface Kit extends ScriptedBin {
  init: Wire
}

async function start(turns = SAY, permission?: (params: Wire) => unknown): Promise<Kit> {
  const bin = await scriptedBin({ turns, ...(permission && { permission }) })
  return { ...bin, init: await bin.client.initialize({}) }
}
async function session({ client, cwd }: Kit): Promise<string> {
  return (await client.request('session/new', { cwd, mcpServers: [] })).sessionId as string
}
const failure = (request: Promise<Wire>): Promise<Wire> =>
  request.then(
    () => expect.fail('no error'),
    (error: Wire) => error,
  )
const spoken = (client: BinClient): Promise<Wire> =>
  client.seen(({ params }) => params?.update?.sessionUpdate === 'agent_message_chunk')

describe('mandatory', () => {
  it('TRANSPORT-001, TRANSPORT-002, SHUTDOWN-001: only whole UTF-8 messages, also after stdin closes; exits by itself', async () => {
    const kit = await start()
    const chunks: Buffer[] = []
    kit.client.child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
    await kit.client.prompt(await session(kit), '漢字')
    expect(await kit.client.end()).toBe(0)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    expect(text.endsWith('\n')).toBe(true)
    for (const line of text.trimEnd().split('\n')) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
  })

  it('JSONRPC-001, JSONRPC-002, JSONRPC-003: ids come back, one of result and error, no answer to notifications', async () => {
    const { client } = await start()
    client.notify('session/cancel', { sessionId: ABSENT })
    client.notify('_unknown/notification', {})
    client.send({ id: 'text-id', method: '_unknown/method', params: {} })
    client.send({ id: 4711, method: 'initialize', params: { protocolVersion: 1 } })
    await client.seen((message) => message.id === 'text-id')
    await client.seen((message) => message.id === 4711)
    const answers = client.messages.filter((message) => message.method === undefined)
    expect(new Set(answers.map((message) => message.id))).toEqual(new Set([1, 'text-id', 4711]))
    expect(answers).toHaveLength(3)
    for (const answer of answers) expect('result' in answer).not.toBe('error' in answer)
  })

  it('INIT-001, INIT-002, INIT-003, INIT-004: version and agentInfo; a version of the future is not echoed', async () => {
    const { client, init } = await start()
    expect(init).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: 'deckhand', version: expect.stringMatching(/\d/) },
    })
    expect(
      (await client.request('initialize', { protocolVersion: 65535, clientCapabilities: {} }))
        .protocolVersion,
    ).toBe(1)
  })

  it('SESSION-001, SESSION-002: session ids are texts and differ', async () => {
    const kit = await start()
    const ids = [await session(kit), await session(kit)]
    expect(ids.every((id) => typeof id === 'string' && id !== '')).toBe(true)
    expect(new Set(ids).size).toBe(2)
  })

  it('SCHEMA-001, SCHEMA-002, PROMPT-001, PROMPT-002, META-001: a turn is valid and names its session', async () => {
    const kit = await start()
    const sessionId = await session(kit)
    const prompt = [{ type: 'text', text: 'hi' }]
    const { stopReason } = await kit.client.request('session/prompt', {
      sessionId,
      prompt,
      _meta: { trace: 'x' },
    })
    expect(['end_turn', 'max_tokens', 'max_turn_requests', 'refusal', 'cancelled']).toContain(stopReason)
    const updates = kit.client.messages.filter((message) => message.method === 'session/update')
    expect(updates.length).toBeGreaterThan(0)
    for (const { params } of updates) expect(params.sessionId).toBe(sessionId)
    expect(kit.client.faults).toEqual([])
  })

  it('CANCEL-001, CANCEL-002: a cancelled turn says so, and nothing of it follows', async () => {
    const kit = await start(HANG)
    const sessionId = await session(kit)
    const turn = kit.client.prompt(sessionId, 'go')
    await spoken(kit.client)
    kit.client.notify('session/cancel', { sessionId })
    expect(await turn).toMatchObject({ stopReason: 'cancelled' })
    await new Promise((resolve) => setTimeout(resolve, 150))
    const { messages } = kit.client
    const answered = messages.findIndex((message) => message.result?.stopReason === 'cancelled')
    const behind = messages.slice(answered + 1).map(({ params }) => params?.update?.sessionUpdate)
    expect(behind.filter((kind) => OF_A_TURN.has(kind))).toEqual([])
  })

  it('CONFIG-003, AUTH-001, AUTH-002: nothing that the client did not announce is offered; ids are unique', async () => {
    const kit = await start()
    const created = await kit.client.request('session/new', { cwd: kit.cwd, mcpServers: [] })
    expect((created.configOptions ?? []).filter((option: Wire) => option.type === 'boolean')).toEqual([])
    const methods = kit.init.authMethods as Wire[]
    expect(methods.filter((method) => method.type === 'terminal')).toEqual([])
    expect(methods.length).toBeGreaterThan(0)
    expect(new Set(methods.map((method) => method.id)).size).toBe(methods.length)
  })

  it('CLIENTCAP-001, CLIENTCAP-002, CLIENTCAP-003: calls nothing that the client did not announce', async () => {
    const kit = await start(WRITE)
    await kit.client.prompt(await session(kit), 'write')
    const asked = kit.client.messages.flatMap(({ method, id }) =>
      method !== undefined && id !== undefined ? [method] : [],
    )
    expect(asked).toEqual(['session/request_permission'])
  })

  it('EXT-001, JSONRPC-004, JSONRPC-005, ERROR-001: unknown methods and bad params are answered in one line', async () => {
    const { client } = await start()
    const errors = [
      await failure(client.request('_custom/method', { a: 1 })),
      await failure(client.request('session/nonsense', {})),
      await failure(client.request('session/prompt', { sessionId: 5 })),
      await failure(client.prompt(ABSENT, 'hi')),
    ]
    expect(errors.map((error) => error.code)).toEqual([-32601, -32601, -32602, -32002])
    for (const error of errors) expect(error.message).toMatch(/^[^\r\n]+$/)
  })
})

describe('advertised', () => {
  it('LOAD-001, LOAD-002, LOAD-003: history comes before the answer', async () => {
    const kit = await start()
    expect(kit.init.agentCapabilities.loadSession).toBe(true)
    const sessionId = await session(kit)
    await kit.client.prompt(sessionId, 'remember me')
    expect(await kit.client.end()).toBe(0)
    const client = kit.another()
    await client.initialize({})
    const loaded = await client.request('session/load', { sessionId, cwd: kit.cwd, mcpServers: [] })
    expect(loaded.modes.currentModeId).toBe('ask')
    const kinds = client.updates(sessionId).map((update) => update.sessionUpdate)
    expect(kinds).toEqual(expect.arrayContaining(['user_message_chunk', 'agent_message_chunk']))
    // The list of commands is no history: it may follow the answer.
    const after = client.messages.slice(client.messages.findIndex(({ result }) => result === loaded))
    expect(after[0]?.result).toEqual(loaded)
    for (const { params } of after.slice(1))
      expect(params.update.sessionUpdate).toBe('available_commands_update')
    expect(client.faults).toEqual([])
  })

  it('CLOSE-001: a closed session answers its prompt as cancelled', async () => {
    const kit = await start(HANG)
    expect(kit.init.agentCapabilities.sessionCapabilities.close).toEqual({})
    const sessionId = await session(kit)
    const turn = kit.client.prompt(sessionId, 'go')
    await spoken(kit.client)
    await kit.client.request('session/close', { sessionId })
    expect(await turn).toMatchObject({ stopReason: 'cancelled' })
  })

  it('CLOSE-002: also while it waits for permission', async () => {
    const kit = await start(WRITE, () => 'never')
    const sessionId = await session(kit)
    const turn = kit.client.prompt(sessionId, 'write')
    await kit.client.seen((message) => message.method === 'session/request_permission')
    await kit.client.request('session/close', { sessionId })
    expect(await turn).toMatchObject({ stopReason: 'cancelled' })
  })

  it('MODES-001, MODES-002: every advertised mode can be set, and is told', async () => {
    const kit = await start()
    const { sessionId, modes } = await kit.client.request('session/new', { cwd: kit.cwd, mcpServers: [] })
    for (const { id } of [...modes.availableModes].toReversed()) {
      await kit.client.request('session/set_mode', { sessionId, modeId: id })
      if (id === modes.currentModeId) continue
      await kit.client.seen(({ params }) => params?.update?.currentModeId === id)
    }
    expect(kit.client.faults).toEqual([])
  })

  it('PROMPTCAP-001, PROMPTCAP-003, PROMPT-003: pictures, embedded resources and links are taken', async () => {
    const kit = await start()
    expect(kit.init.agentCapabilities.promptCapabilities).toMatchObject({
      image: true,
      embeddedContext: true,
    })
    const prompt = [
      { type: 'text', text: 'look' },
      { type: 'resource_link', uri: 'file:///tmp/x.txt', name: 'x.txt' },
      { type: 'resource', resource: { uri: 'file:///tmp/y.txt', text: 'y' } },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    ]
    const answer = await kit.client.request('session/prompt', { sessionId: await session(kit), prompt })
    expect(answer.stopReason).toBe('end_turn')
  })

  it('AUTH-003: after authenticate a session opens', async () => {
    const kit = await start()
    await kit.client.request('authenticate', { methodId: kit.init.authMethods[0].id })
    expect(await session(kit)).not.toBe('')
  })
})

describe('informational', () => {
  it('a malformed line and a request that is none are answered, and the next one works', async () => {
    const kit = await start()
    kit.client.raw('not json\n[]\n{"jsonrpc":"2.0","id":{},"method":"initialize"}\n')
    const sessionId = await session(kit)
    const codes = kit.client.messages.filter(({ id }) => id === null).map(({ error }) => error.code)
    expect(codes).toEqual([-32700, -32600, -32600])
    expect(await kit.client.prompt(sessionId, 'hi')).toMatchObject({ stopReason: 'end_turn' })
  })
})
