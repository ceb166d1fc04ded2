import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import { say } from '../../support/scripted-agent.ts'
import { startSseServer } from '../../support/sse-server.ts'
import { temporaryDirectory } from '../../support/temporary.ts'

const CHUNK = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm' }
const answer = [
  { ...CHUNK, choices: [{ index: 0, delta: { role: 'assistant', content: 'Hi.' }, finish_reason: null }] },
  { ...CHUNK, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`)

interface Sent {
  messages: { role: string; content: unknown }[]
  tools: { function: { name: string } }[]
}

describe('what a model is sent', () => {
  it('follows the mode: tools and the SDK, the same text for each request of a session', async () => {
    await using server = await startSseServer({ chunks: [...answer, 'data: [DONE]\n\n'] })
    const root = await temporaryDirectory()
    const [cwd, home] = [join(root, 'project'), join(root, 'home')]
    await Promise.all([mkdir(cwd), mkdir(home)])
    const env = {
      PATH: process.env['PATH'],
      DECKHAND_MODEL: 'openai-compatible/m',
      DECKHAND_BASE_URL: server.url,
      DECKHAND_HOME: home,
    }
    const agent = composeAgent({ ...readSettings(env), codeMode: 'code' }, env, () => undefined)
    onTestFinished(() => agent.dispose())
    const session = await agent.create({ cwd, additionalDirectories: [] })
    for (const mode of ['code', 'code', 'both', 'native']) {
      session.setOption('code_mode', mode)
      await session.prompt(say('hello'))
    }
    const sent = server.requests.map(({ body }) => body as Sent)
    const systems = sent.map(({ messages }) => JSON.stringify(messages.find(({ role }) => role === 'system')))
    const names = sent.map(({ tools }) => tools.map((tool) => tool.function.name))
    expect(names[0]).toEqual(['run_code'])
    expect(names[2]).toEqual([...(names[3] ?? []), 'run_code'])
    expect(names[3]).toContain('read')
    expect(systems.map((system) => system.includes('declare const tools'))).toEqual([true, true, true, false])
    expect(systems[1]).toBe(systems[0])
    expect(systems[2]).toBe(systems[0])
  })
})
