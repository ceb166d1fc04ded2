import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import type { Wire } from '../../support/bin-client.ts'
import { scriptedBin } from '../../support/scripted-bin.ts'
import { temporaryDirectory } from '../../support/temporary.ts'
import { fixture, isRunning, until } from './harness.ts'

const call = (id: string, name: string, args: Record<string, string> = {}): Scenario['turns'][number] => ({
  steps: [{ do: [{ call: { id, name, arguments: args } }] }, { do: [{ text: 'seen: {{result}}' }] }],
})
const entry = (name: string, file: string, ...args: string[]) => ({
  name,
  command: process.execPath,
  args: [fixture(file), ...args],
  env: [],
})
const turns: Scenario['turns'] = [
  { match: '^look', ...call('c1', 'mcp__shop__look', { at: 'me' }) },
  { match: '^list shop', ...call('c4', 'mcp_read_resource', { server: 'shop' }) },
  { match: '^list other', ...call('c5', 'mcp_read_resource', { server: 'other' }) },
  { match: '^ask', ...call('c2', 'mcp__asks__form') },
  { match: '^greet', steps: [{ do: [{ text: 'prompt was {{prompt}}' }] }] },
  { match: '^hang', ...call('c3', 'mcp__stubborn__hangs') },
  { match: '.', steps: [{ do: [{ text: 'fine' }] }] },
]
const said = (updates: Wire[]): string =>
  updates
    .map(({ content, sessionUpdate }) => (sessionUpdate === 'agent_message_chunk' ? content.text : ''))
    .join('')

describe('in a session', () => {
  it("imports the client's servers, tells what fails, asks, draws cards, and draws them again without the server", async () => {
    const { client, cwd, another } = await scriptedBin({ turns })
    await client.initialize({ elicitation: { form: {} }, session: { notices: {} } })
    const start = performance.now()
    const mcpServers = [
      entry('shop', 'offers'),
      entry('broken', 'dies-at-handshake'),
      { name: 'odd', type: 'pigeon' },
    ]
    const { sessionId } = await client.request('session/new', { cwd, mcpServers })
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(await client.prompt(sessionId, 'look around')).toEqual({ stopReason: 'end_turn' })
    const updates = client.updates(sessionId)
    const told = JSON.stringify(updates)
    expect(told).toContain('\\"broken\\" did not start: it exited with code 3: the database is missing')
    expect(told).toContain('\\"odd\\" is left out')
    expect(told.split('the database is missing')).toHaveLength(2)
    const card = updates.find((update) => update.sessionUpdate === 'tool_call' && update.toolCallId === 'c1')
    expect(card).toMatchObject({ title: 'Look \\*around\\* (shop)', kind: 'read', rawInput: { at: 'me' } })
    expect(said(updates)).toContain('seen: look done')
    expect(client.messages.filter(({ method }) => method === 'session/request_permission')).toHaveLength(1)
    await client.prompt(sessionId, '/mcp')
    expect(said(client.updates(sessionId))).toMatch(/\*\*`shop`\*\* ready, started in \d+ ms/)
    expect(said(client.updates(sessionId))).toContain('**`broken`** failed')
    const advertised = client
      .updates(sessionId)
      .filter(({ sessionUpdate }) => sessionUpdate === 'available_commands_update')
    expect(advertised.at(-1).availableCommands).toContainEqual({
      name: 'mcp:shop:greet',
      description: 'Greets.',
      input: { hint: 'who [how]' },
    })
    await client.prompt(sessionId, '/mcp:shop:greet Ada')
    expect(said(client.updates(sessionId))).toContain('prompt was greet {"who":"Ada"}')
    expect(client.faults).toEqual([])
    expect(await client.end()).toBe(0)

    const again = another()
    await again.initialize({})
    await again.request('session/load', { sessionId, cwd, mcpServers: [] })
    const replayed = again.updates(sessionId)
    const titles = replayed
      .filter(({ toolCallId, title }) => toolCallId === 'c1' && title !== undefined)
      .map(({ title }) => title)
    expect(titles.at(-1)).toBe('Look \\*around\\* (shop)')
    expect(JSON.stringify(replayed)).toContain('look done')
    expect(again.faults).toEqual([])
  })

  it('asks the person by the form of the client', async () => {
    const { client, cwd } = await scriptedBin({ turns, env: { DECKHAND_MODE: 'bypass' } })
    await client.initialize({ elicitation: { form: {} } })
    const { sessionId } = await client.request('session/new', { cwd, mcpServers: [entry('asks', 'asks')] })
    const answer = client.prompt(sessionId, 'ask me')
    const { id, params } = await client.seen(({ method }) => method === 'elicitation/create')
    expect(params).toMatchObject({
      mode: 'form',
      sessionId,
      message: 'asks: Which colour?',
      requestedSchema: { required: ['colour'] },
    })
    client.send({ id, result: { action: 'accept', content: { colour: 'red' } } })
    await answer
    expect(said(client.updates(sessionId))).toContain('seen: {"action":"accept","content":{"colour":"red"}}')
  })

  it('does not ask for a server that the configuration trusts, and for no other', async () => {
    const { client, cwd, home } = await scriptedBin({ turns })
    const { command, args } = entry('shop', 'offers')
    const shop = { command, args, trust: true }
    await writeFile(join(home, 'config.jsonc'), JSON.stringify({ mcpServers: { shop } }))
    await client.initialize()
    const { sessionId } = await client.request('session/new', { cwd, mcpServers: [entry('other', 'offers')] })
    await client.prompt(sessionId, 'look')
    expect(said(client.updates(sessionId))).toContain('seen: look done')
    await client.prompt(sessionId, 'list shop')
    expect(said(client.updates(sessionId))).toContain('seen: mem://notes')
    const asked = () => client.messages.filter(({ method }) => method === 'session/request_permission').length
    expect(asked()).toBe(0)
    await client.prompt(sessionId, 'list other')
    expect(asked()).toBe(1)
    const own = await client.request('session/new', { cwd, mcpServers: [entry('shop', 'offers')] })
    await client.prompt(own.sessionId, 'look')
    expect(asked()).toBe(2)
    await client.prompt(own.sessionId, 'list shop')
    expect(asked()).toBe(3)
  })

  it('the first prompt waits two seconds at most, and a cancel does not wait at all', async () => {
    const { client, cwd } = await scriptedBin({ turns })
    await client.initialize()
    const mcpServers = [entry('silent', 'never-answers')]
    const { sessionId } = await client.request('session/new', { cwd, mcpServers })
    const start = performance.now()
    const answer = client.prompt(sessionId, 'hello')
    await client.seen(({ params }) => params?.update?.sessionUpdate === 'session_info_update')
    client.notify('session/cancel', { sessionId })
    expect(await answer).toEqual({ stopReason: 'cancelled' })
    const cancelledMs = performance.now() - start
    const again = performance.now()
    expect(await client.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' })
    const waitedMs = performance.now() - again
    expect(waitedMs).toBeGreaterThan(1900)
    expect(waitedMs).toBeLessThan(20_000)
    expect(cancelledMs).toBeLessThan(waitedMs)
    expect(await client.end()).toBe(0)
  })

  it('the first command waits as the first prompt does', async () => {
    const { client, cwd } = await scriptedBin({ turns })
    await client.initialize()
    const open = async (file: string): Promise<string> => {
      const mcpServers = [entry('shop', file)]
      return (await client.request('session/new', { cwd, mcpServers })).sessionId as string
    }
    const listed = await open('offers')
    await client.prompt(listed, '/mcp')
    expect(said(client.updates(listed))).toMatch(/^\*\*`shop`\*\* ready/)
    const own = await open('offers')
    await client.prompt(own, '/mcp:shop:greet Ada')
    expect(said(client.updates(own))).toContain('prompt was greet {"who":"Ada"}')
    const silent = await open('never-answers')
    const start = performance.now()
    await client.prompt(silent, '/mcp')
    expect(performance.now() - start).toBeGreaterThan(1900)
    expect(said(client.updates(silent))).toMatch(/^\*\*`shop`\*\* starting/)
    const cancelled = await open('never-answers')
    const answer = client.prompt(cancelled, '/mcp')
    client.notify('session/cancel', { sessionId: cancelled })
    expect(await answer).toEqual({ stopReason: 'cancelled' })
  })

  it.each(['close', 'EOF', 'SIGTERM', 'SIGKILL'] as const)(
    'leaves nothing of a server behind: %s',
    async (how) => {
      const pids = join(await temporaryDirectory(), 'pids')
      const { client, cwd } = await scriptedBin({ turns, env: { DECKHAND_MODE: 'bypass' } })
      await client.initialize()
      const { sessionId } = await client.request('session/new', {
        cwd,
        mcpServers: [entry('stubborn', 'stubborn', pids)],
      })
      const answer = client.prompt(sessionId, 'hang').catch((error: unknown) => error)
      await client.seen(({ params }) => params?.update?.status === 'in_progress')
      const ids = (await readFile(pids, 'utf8')).trim().split('\n').map(Number)
      expect(ids).toHaveLength(3)
      if (how === 'close') await client.request('session/close', { sessionId })
      else if (how === 'EOF') client.child.stdin?.end()
      else client.child.kill(how)
      await until('all are gone', async () => !(await Promise.all(ids.map(isRunning))).includes(true))
      if (how !== 'SIGKILL') await answer
      if (how === 'EOF' || how === 'SIGTERM') expect(await client.exited).toBe(0)
    },
  )
})
