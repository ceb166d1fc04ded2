import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Sample } from '#tools/mcp/host.ts'
import type { Scenario } from '#model/scenario.ts'
import { scriptedBin } from '../../support/scripted-bin.ts'
import { openServers, stdio } from './harness.ts'

const said = (text: string) => ({ type: 'text', text })
const hello = { messages: [{ role: 'user', content: said('hello') }], maxTokens: 50 }

/** Servers on a model that notes what it is asked. */
async function bench(entry: object, answer: Partial<Awaited<ReturnType<Sample>>> = {}) {
  const asked: unknown[] = []
  const sample: Sample = async (request) => {
    asked.push(request)
    return { text: 'hi there', model: 'a/b', cut: false, ...answer }
  }
  const { text } = await openServers({ s: { ...stdio('samples'), ...entry } }, { sample })
  const ask = async (params: object): Promise<unknown> =>
    JSON.parse(await text('mcp__s__sample', { params })) as unknown
  return { asked, ask, capabilities: async () => JSON.parse(await text('mcp__s__capabilities')) as object }
}

describe('sampling', () => {
  it('is declined, and not announced, unless it is configured', async () => {
    const { asked, ask, capabilities } = await bench({ trust: true })
    expect(await capabilities()).toEqual({ roots: {} })
    expect(await ask(hello)).toMatchObject({ code: -1, message: expect.stringContaining('declined') })
    expect(asked).toEqual([])
  })

  it('is declined where there is no model to ask', async () => {
    const { text } = await openServers({ s: { ...stdio('samples'), sampling: true } })
    expect(JSON.parse(await text('mcp__s__capabilities'))).toEqual({ roots: {} })
    expect(JSON.parse(await text('mcp__s__sample', { params: hello }))).toMatchObject({ code: -1 })
  })

  it('is announced and answered where it is configured', async () => {
    const { asked, ask, capabilities } = await bench({ sampling: true })
    expect(await capabilities()).toEqual({ roots: {}, sampling: {} })
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: said('yes?') },
      { role: 'user', content: said('go on') },
    ]
    expect(await ask({ messages, systemPrompt: 'Be brief.', maxTokens: 7 })).toEqual({
      role: 'assistant',
      content: said('hi there'),
      model: 'a/b',
      stopReason: 'endTurn',
    })
    expect(asked).toEqual([
      {
        system: 'Be brief.',
        maxTokens: 7,
        messages: [
          { role: 'user', content: [said('hello')] },
          { role: 'assistant', parts: [said('yes?')] },
          { role: 'user', content: [said('go on')] },
        ],
      },
    ])
  })

  it('says when an answer was cut', async () => {
    const { ask } = await bench({ sampling: true }, { cut: true })
    expect(await ask(hello)).toMatchObject({ stopReason: 'maxTokens' })
  })

  it('is of text only, without tools', async () => {
    const { asked, ask } = await bench({ sampling: true })
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    const inputSchema = { type: 'object' }
    for (const params of [
      { ...hello, messages: [{ role: 'user', content: image }] },
      { ...hello, messages: [] },
      { ...hello, tools: [{ name: 't', inputSchema }] },
      { maxTokens: 5 },
    ])
      expect(await ask(params), JSON.stringify(params)).toMatchObject({ code: -32_602 })
    expect(asked).toEqual([])
  })

  it('does not tell the server why the model failed', async () => {
    const logged: string[] = []
    const { text } = await openServers(
      { s: { ...stdio('samples'), sampling: true } },
      {
        sample: () => Promise.reject(new Error('secret address')),
        log: (_level, message) => void logged.push(message),
      },
    )
    const answer = await text('mcp__s__sample', { params: hello })
    expect(JSON.parse(answer)).toMatchObject({ code: -32_603 })
    expect(answer).not.toContain('secret')
    expect(logged).toContain('MCP server s: it asked the model, which failed: secret address')
  })
})

const sampleCall = (params: object): Scenario['turns'][number]['steps'] => [
  { do: [{ call: { id: 'c', name: 'mcp__s__sample', arguments: { params } as never } }] },
  { do: [{ text: 'seen: {{result}}' }] },
]
const turns: Scenario['turns'] = [
  { match: '^hello', steps: [{ do: [{ text: 'hi from the model, which goes on for long' }] }] },
  { match: '^ask', steps: sampleCall(hello) },
  { match: '^short', steps: sampleCall({ ...hello, maxTokens: 2 }) },
]

describe('in a session', () => {
  const entry = { ...stdio('samples'), trust: true }
  async function session(own: object, project: object = {}) {
    const { client, cwd, home } = await scriptedBin({ turns })
    await writeFile(join(home, 'config.jsonc'), JSON.stringify({ mcpServers: own }))
    await mkdir(join(cwd, '.deckhand'))
    await writeFile(join(cwd, '.deckhand/config.jsonc'), JSON.stringify({ mcpServers: project }))
    await client.initialize()
    const { sessionId } = await client.request('session/new', { cwd, mcpServers: [] })
    return async (prompt: string): Promise<string> => {
      const before = client.updates(sessionId).length
      await client.prompt(sessionId, prompt)
      return client
        .updates(sessionId)
        .slice(before)
        .map(({ content, sessionUpdate }) => (sessionUpdate === 'agent_message_chunk' ? content.text : ''))
        .join('')
    }
  }

  it('asks the selected model', async () => {
    const prompt = await session({ s: { ...entry, sampling: true } })
    const answer = { role: 'assistant', model: 'scripted/test' }
    const text = 'hi from the model, which goes on for long'
    const seen = async (word: string): Promise<unknown> =>
      JSON.parse((await prompt(word)).replace('seen: ', '')) as unknown
    expect(await seen('ask')).toEqual({ ...answer, content: said(text), stopReason: 'endTurn' })
    expect(await seen('short')).toEqual({ ...answer, content: said('hi from '), stopReason: 'maxTokens' })
  })

  it("is not let in by a project's file that nobody trusts", async () => {
    const prompt = await session({ s: entry }, { s: { ...entry, sampling: true } })
    expect(await prompt('ask')).toContain('sampling is declined')
  })
})
