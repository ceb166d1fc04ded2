import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { scriptedBin, type ScriptedBin } from '../support/scripted-bin.ts'

const TURNS: Scenario['turns'] = [
  {
    match: 'key',
    steps: [{ do: [{ error: { code: 'auth', message: 'Key refused (401).', status: 401 } }] }],
  },
  {
    match: 'busy',
    steps: [
      { do: [{ error: { code: 'protocol', message: 'The provider is out of order (400).', status: 400 } }] },
    ],
  },
  {
    match: 'args',
    steps: [{ do: [{ call: { name: 'read', arguments: {} } }] }, { do: [{ text: 'I see' }] }],
  },
  { match: 'fine', steps: [{ do: [{ text: 'all is well: {{prompt}}' }] }] },
]

const stage = (): Promise<ScriptedBin> => scriptedBin({ turns: TURNS })

/** The process is still good for a turn. */
async function stillWorks({ client, cwd }: ScriptedBin): Promise<void> {
  const { sessionId } = await client.request('session/new', { cwd, mcpServers: [] })
  expect(await client.prompt(sessionId as string, 'fine?')).toEqual({ stopReason: 'end_turn' })
  expect(client.faults).toEqual([])
}

describe('bad input', () => {
  it('makes a failed turn one line on stderr', async () => {
    const bin = await stage()
    await bin.client.initialize()
    const { sessionId } = await bin.client.request('session/new', { cwd: bin.cwd, mcpServers: [] })
    await expect(bin.client.prompt(sessionId as string, 'busy')).rejects.toMatchObject({ code: -32603 })
    await bin.client.end()
    expect(bin.client.stderr).toMatch(/^deckhand: \S+Z error The provider is out of order \(400\)\.\n$/)
  })

  it('a malformed line is answered with -32700 and skipped (B04)', async () => {
    const bin = await stage()
    bin.client.raw('Welcome back\n\n\u001b[1 q\nhalf a line of prose\n{"jsonrpc":"2.0",\n')
    await bin.client.initialize()
    const errors = bin.client.messages.filter((message) => message.error)
    expect(errors.length).toBeGreaterThanOrEqual(3)
    for (const error of errors) expect(error).toMatchObject({ id: null, error: { code: -32700 } })
    await stillWorks(bin)
  })

  it('an unknown method is answered with -32601, an unknown notification not at all', async () => {
    const bin = await stage()
    await bin.client.initialize()
    await expect(bin.client.request('_custom/method', {})).rejects.toMatchObject({ code: -32601 })
    bin.client.notify('_custom/notice', {})
    await stillWorks(bin)
  })

  it.each([
    ['relative', () => 'somewhere', 'absolute'],
    ['missing', (cwd: string) => join(cwd, 'gone'), 'exist'],
    ['a file', (cwd: string) => join(cwd, 'file'), 'directory'],
  ])('a cwd that is %s is refused with the reason', async (_what, pathOf, reason) => {
    const bin = await stage()
    await writeFile(join(bin.cwd, 'file'), '')
    await bin.client.initialize()
    await expect(
      bin.client.request('session/new', { cwd: pathOf(bin.cwd), mcpServers: [] }),
    ).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(reason),
    })
    await stillWorks(bin)
  })

  it('an unknown session is -32002 for prompt and load, and nothing for cancel (B77)', async () => {
    const bin = await stage()
    await bin.client.initialize()
    await expect(bin.client.prompt('nope', 'x')).rejects.toMatchObject({ code: -32002 })
    const load = bin.client.request('session/load', { sessionId: 'nope', cwd: bin.cwd, mcpServers: [] })
    await expect(load).rejects.toMatchObject({ code: -32002 })
    bin.client.notify('session/cancel', { sessionId: 'nope' })
    await stillWorks(bin)
  })

  it('a blank prompt is -32602', async () => {
    const bin = await stage()
    const sessionId = await bin.client.open(bin.cwd)
    await expect(bin.client.prompt(sessionId, ' \n ')).rejects.toMatchObject({ code: -32602 })
    await stillWorks(bin)
  })

  it('a refused key fails the prompt, with what the provider said (B185)', async () => {
    const bin = await stage()
    const sessionId = await bin.client.open(bin.cwd)
    await expect(bin.client.prompt(sessionId, 'key')).rejects.toMatchObject({
      code: -32000,
      message: 'Key refused (401).',
    })
    await stillWorks(bin)
  })

  it('invalid arguments of a call are a failed card, and the turn goes on (B23)', async () => {
    const bin = await stage()
    const sessionId = await bin.client.open(bin.cwd)
    expect(await bin.client.prompt(sessionId, 'args')).toEqual({ stopReason: 'end_turn' })
    const card = bin.client.updates(sessionId).findLast((update) => update.toolCallId)
    expect(card.status).toBe('failed')
    expect(card.content[0].content.text).toContain('file_path')
    await stillWorks(bin)
  })

  it('without a model, initialize works and session/new asks for authentication (B193)', async () => {
    const bin = await stage()
    const none = { DECKHAND_MODEL: undefined, ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined }
    const client = bin.another({ env: none as Record<string, string | undefined> })
    const { authMethods } = await client.initialize()
    expect(authMethods).not.toEqual([])
    await expect(client.request('session/new', { cwd: bin.cwd, mcpServers: [] })).rejects.toMatchObject({
      code: -32000,
    })
    expect(client.faults).toEqual([])
  })

  it('text arrives whole: split UTF-8, U+2028, quotes (B06, B13)', async () => {
    const bin = await stage()
    const sessionId = await bin.client.open(bin.cwd)
    const text = 'fine: 漢字🙂é a\u2028b\u2029c "q" \\ end'
    const params = { sessionId, prompt: [{ type: 'text', text }] }
    const line = Buffer.from(
      `${JSON.stringify({ jsonrpc: '2.0', id: 77, method: 'session/prompt', params })}\n`,
    )
    for (const byte of line) bin.client.raw(Uint8Array.of(byte))
    await bin.client.seen((message) => message.id === 77)
    const said = bin.client
      .updates(sessionId)
      .map((update) => update.content?.text ?? '')
      .join('')
    expect(said).toBe(`all is well: ${text}`)
  })
})
