// Whole sessions between the library's client and the bridge: permission, load, modes, live equals replay.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { ClientCapabilities, RequestPermissionResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import { foldUpdates } from '#bridge/fold.ts'
import type { AnyEvent, StopReason } from '#session/event.ts'
import { callEvents, conversation, ok, presenters } from '../support/conversation.ts'
import type { FakeTurn, Script } from '../support/fake-agent.ts'
import { connectClient, type Client } from '../support/wire.ts'

const cwd = mkdtempSync(join(tmpdir(), 'deckhand-session-'))
afterAll(() => rmSync(cwd, { recursive: true }))

const ZED: ClientCapabilities = {
  _meta: { terminal_output: true, 'deckhand/card': true },
  session: { notices: {} },
}

let open: Client
async function connect(
  script: Script,
  capabilities?: ClientCapabilities,
  answer?: Parameters<typeof connectClient>[2],
): Promise<string> {
  open = await connectClient({ script, presenters }, capabilities, answer)
  return (await open.connection.agent.request('session/new', { cwd, mcpServers: [] })).sessionId
}
afterEach(async () => {
  open.connection.close()
  await open.wire.bridge.close()
  await open.agent.dispose()
  expect(open.wire.problems).toEqual([])
})

const prompt = (sessionId: string): Promise<{ stopReason: StopReason }> =>
  open.connection.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'go' }] })
const shown = (from = 0): SessionUpdate[] =>
  open.wire.lines.slice(from).flatMap((line) => line.params?.update ?? [])

async function writing(turn: FakeTurn): Promise<StopReason> {
  const { part } = callEvents('w', 'write', { path: `${cwd}/a.ts`, content: 'new\n' })
  turn.emit(
    {
      type: 'assistant_message',
      message: { id: 'm', parts: [{ type: 'text', text: 'I write.' }, part as never] },
    },
    { type: 'tool_call', callId: 'w', name: 'write', messageId: 'm' },
  )
  const decision = await turn.ask('w', 'write')
  turn.emit({ type: 'approval_decided', callId: 'w', decision })
  if (decision.outcome === 'allowed-once') turn.emit({ type: 'tool_started', callId: 'w' }, ok('w'))
  else
    turn.emit({
      type: 'tool_result',
      callId: 'w',
      isError: true,
      content: [{ type: 'text', text: decision.outcome }],
      error: { message: 'denied' },
    })
  return turn.signal.aborted ? 'cancelled' : 'end_turn'
}

describe('permission', () => {
  it('is asked behind everything that was said, with the diff', async () => {
    const sessionId = await connect(writing)
    expect(await prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
    const order = open.wire.lines.flatMap((line) =>
      line.method === 'session/update' ? String(line.params?.update?.sessionUpdate) : (line.method ?? []),
    )
    expect(order).toEqual([
      'agent_message_chunk',
      'tool_call',
      'session/request_permission',
      'tool_call_update',
      'tool_call_update',
    ])
    expect(open.asked[0]?.toolCall).toMatchObject({
      toolCallId: 'w',
      title: 'Write a.ts',
      kind: 'edit',
      status: 'pending',
      rawInput: { paths: [`${cwd}/a.ts`] },
      locations: [{ path: `${cwd}/a.ts` }],
      content: [{ type: 'diff', path: `${cwd}/a.ts`, oldText: null, newText: 'new\n' }],
    })
    expect(shown().at(-1)).toMatchObject({ toolCallId: 'w', status: 'completed' })
  })

  it('is denied on a rejection, and the rejected code stays visible', async () => {
    const sessionId = await connect(writing, {}, () => ({
      outcome: { outcome: 'selected', optionId: 'reject-once' },
    }))
    expect(await prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
    expect(shown().at(-1)).toMatchObject({
      status: 'failed',
      content: [{ type: 'diff' }, { content: { text: 'rejected' } }],
    })
  })

  it('is denied when the client answers with an error', async () => {
    const sessionId = await connect(writing, {}, () => {
      throw new Error('no window')
    })
    await prompt(sessionId)
    expect(shown().at(-1)).toMatchObject({
      status: 'failed',
      content: [{ type: 'diff' }, { content: { text: 'unavailable' } }],
    })
  })

  it('is retracted by a cancel; a late answer does nothing; other sessions go on', async () => {
    const late = Promise.withResolvers<RequestPermissionResponse>()
    const first = await connect(
      (turn) =>
        open.agent.sessions.get(first)?.busy && turn.number === 1 && !open.asked.length
          ? writing(turn)
          : 'end_turn',
      {},
      () => late.promise,
    )
    const answer = prompt(first)
    await open.wire.until((line) => line.method === 'session/request_permission')
    const other = await open.connection.agent.request('session/new', { cwd, mcpServers: [] })
    expect(await prompt(other.sessionId)).toEqual({ stopReason: 'end_turn' })
    await open.connection.agent.notify('session/cancel', { sessionId: first })
    expect(await answer).toEqual({ stopReason: 'cancelled' })
    expect(open.wire.lines.some((line) => line.method === '$/cancel_request')).toBe(true)
    const before = open.wire.lines.length
    late.resolve({ outcome: { outcome: 'selected', optionId: 'allow-once' } })
    await new Promise((resolve) => setTimeout(resolve, 30))
    expect(open.wire.lines).toHaveLength(before)
    expect(await prompt(first)).toEqual({ stopReason: 'end_turn' })
  })
})

describe('a plan', () => {
  it('is asked about on its card; approval switches the mode, and the client is told both ways', async () => {
    const plan = async (turn: FakeTurn): Promise<StopReason> => {
      const { part } = callEvents('p', 'exit_plan', { plan: '1. do it' })
      turn.emit(
        { type: 'assistant_message', message: { id: 'm', parts: [part as never] } },
        { type: 'tool_call', callId: 'p', name: 'exit_plan', messageId: 'm' },
        { type: 'tool_started', callId: 'p' },
      )
      expect(await turn.askPlan('p', '1. do it')).toEqual({ kind: 'approved', mode: 'accept-edits' })
      turn.emit(ok('p'))
      return 'end_turn'
    }
    const sessionId = await connect(plan, {}, () => ({
      outcome: { outcome: 'selected', optionId: 'accept-edits' },
    }))
    await prompt(sessionId)
    expect(open.asked[0]?.toolCall).toMatchObject({ toolCallId: 'p', status: 'pending' })
    expect(open.agent.sessions.get(sessionId)?.modeId).toBe('accept-edits')
    expect(shown()).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'accept-edits' })
    expect(shown().find((update) => update.sessionUpdate === 'config_option_update')).toMatchObject({
      configOptions: [{ id: 'mode', currentValue: 'accept-edits' }, { id: 'model' }],
    })
  })
})

describe('forms', () => {
  it('are there for the session while a client that has them is connected', async () => {
    const sessionId = await connect(() => 'end_turn', { elicitation: { form: {} } })
    const session = open.agent.sessions.get(sessionId)
    expect(session?.form).toBeTypeOf('function')
    open.connection.close()
    await open.wire.bridge.close()
    expect(session?.form).toBeUndefined()
    const other = await connect(() => 'end_turn')
    expect(open.agent.sessions.get(other)?.form).toBeUndefined()
  })
})

describe.each([
  ['zed', ZED],
  ['plain', {}],
  ['fs-only', { fs: { readTextFile: true, writeTextFile: true } }],
] as const)('a whole conversation on %s', (_name, capabilities) => {
  it('looks the same when it is loaded again, before the response', async () => {
    const events: AnyEvent[] = conversation(5).filter(
      (event) => event.type !== 'turn_start' && event.type !== 'turn_end',
    )
    const sessionId = await connect((turn) => {
      turn.emit(...events)
      return 'end_turn'
    }, capabilities)
    await prompt(sessionId)
    const live = foldUpdates(shown())
    expect(live.entries.length).toBeGreaterThan(5)
    const before = open.wire.lines.length
    const answered = await open.connection.agent.request('session/load', { sessionId, cwd, mcpServers: [] })
    const replayed = foldUpdates(shown(before))
    expect(answered.modes).toMatchObject({ currentModeId: 'ask' })
    expect(replayed.entries[0]).toEqual({
      kind: 'user',
      messageId: 'user-1',
      content: [{ type: 'text', text: 'go' }],
    })
    expect({ ...replayed, entries: replayed.entries.slice(1) }).toEqual(live)
    expect(await prompt(sessionId)).toEqual({ stopReason: 'end_turn' })
  })
})

describe('sessions', () => {
  it('change their mode and say so', async () => {
    const sessionId = await connect(() => 'end_turn')
    expect(await open.connection.agent.request('session/set_mode', { sessionId, modeId: 'plan' })).toEqual({})
    await open.wire.until((line) => line.params?.update?.sessionUpdate === 'current_mode_update')
    expect(shown()[0]).toEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' })
    await expect(
      open.connection.agent.request('session/load', { sessionId: 'gone', cwd, mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32002 })
    await expect(
      open.connection.agent.request('session/load', { sessionId, cwd: 'rel', mcpServers: [] }),
    ).rejects.toMatchObject({ code: -32602 })
  })

  it('tell what of a prompt was not used', async () => {
    const sessionId = await connect(() => 'end_turn')
    await open.connection.agent.request('session/prompt', {
      sessionId,
      prompt: [
        { type: 'text', text: 'listen' },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      ],
    })
    expect(JSON.stringify(shown())).toContain('audio (audio/wav) is not supported')
    expect(open.agent.sessions.get(sessionId)?.prompts[0]?.content).toEqual([
      { type: 'text', text: 'listen' },
      { type: 'text', text: '[audio (audio/wav) is not supported]' },
    ])
  })
})
