// Slash commands over the wire: what they say to the person, what reaches the model, what is asked first.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RequestPermissionResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { foldUpdates } from '#bridge/fold.ts'
import { promptFile } from '#bridge/commands/prompt-files.ts'
import type { BridgeOptions } from '#bridge/bridge.ts'
import type { StopReason } from '#session/event.ts'
import type { FakeSession } from '../support/fake-agent.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { connectClient, type Client } from '../support/wire.ts'

let open: Client
let cwd = ''
let sessionId = ''
let answer: () => Promise<RequestPermissionResponse> | RequestPermissionResponse
async function start(options: Partial<BridgeOptions> = {}): Promise<void> {
  open = await connectClient({}, {}, () => answer(), options)
  sessionId = (await open.connection.agent.request('session/new', { cwd, mcpServers: [] })).sessionId
}
beforeEach(async () => {
  cwd = await temporaryDirectory()
  answer = () => ({ outcome: { outcome: 'selected', optionId: 'allow-once' } })
})
afterEach(async () => {
  open.connection.close()
  await open.wire.bridge.close()
  expect(open.wire.problems).toEqual([])
})

const session = (): FakeSession => open.agent.sessions.get(sessionId) as FakeSession
const updates = (): SessionUpdate[] => open.wire.lines.flatMap((line) => line.params?.update ?? [])
const prompts = (): string[] =>
  session().prompts.map(({ content }) =>
    content.map((block) => (block.type === 'text' ? block.text : block.type)).join('|'),
  )
/** What a command says. */
async function command(text: string): Promise<string> {
  const before = updates().length
  const { stopReason } = await open.connection.agent.request('session/prompt', {
    sessionId,
    prompt: [{ type: 'text', text }],
  })
  expect(stopReason).toBe('end_turn')
  return updates()
    .slice(before)
    .map((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? update.content.text
        : '',
    )
    .join('')
}

describe('commands', () => {
  it('are advertised behind the answer of session/new, with hints', async () => {
    mkdirSync(join(cwd, '.deckhand/commands'), { recursive: true })
    writeFileSync(
      join(cwd, '.deckhand/commands/review.md'),
      '---\ndescription: Review it\nargument-hint: "[file]"\n---\nReview $ARGUMENTS!',
    )
    writeFileSync(join(cwd, '.deckhand/commands/help.md'), 'mine')
    await start()
    while (open.wire.advertised.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const update = open.wire.advertised[0]?.params?.update
    const commands = update?.sessionUpdate === 'available_commands_update' ? update.availableCommands : []
    const names = commands.map(({ name }) => name)
    const known = ['help', 'mode', 'model', 'compact', 'init', 'permissions', 'usage', 'diff', 'rewind']
    expect(names.filter((name) => known.includes(name))).toEqual(known)
    expect(names.filter((name) => name === 'help' || name === 'review')).toEqual(['help', 'review'])
    expect(commands.at(-1)).toEqual({ name: 'review', description: 'Review it', input: { hint: '[file]' } })
    await command('/review src/a.ts\nand b')
    expect(prompts()).toEqual(['Review src/a.ts\nand b!'])
    expect(session().prompts[0]?.shown).toEqual([{ type: 'text', text: '/review src/a.ts\nand b' }])
  })

  it('that are unknown go to the model, and so does a slash in other text', async () => {
    await start()
    for (const text of ['/nope now', 'see /help', '/usr/bin is a path', '/']) await command(text)
    expect(prompts()).toEqual(['/nope now', 'see /help', '/usr/bin is a path', '/'])
  })

  it('/help names the commands and what does not work; the model sees nothing of it', async () => {
    await start({ problems: () => ['plug-in ./x.ts: no such file'] })
    const said = await command('/help')
    expect(said).toContain('`/mode [ask | accept-edits | plan | bypass]`')
    expect(said).toContain('plug-in ./x.ts: no such file')
    expect(prompts()).toEqual([])
  })

  it('/mode and /model show and change, and both representations follow', async () => {
    await start()
    expect(await command('/mode')).toContain('- `ask` (now)')
    expect(await command('/mode plan')).toBe('Mode: `plan`')
    expect(session().modeId).toBe('plan')
    expect(updates()).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' })
    const options = updates().find((update) => update.sessionUpdate === 'config_option_update')
    expect(options).toMatchObject({ configOptions: [{ id: 'mode', currentValue: 'plan' }, { id: 'model' }] })
    expect(await command('/mode nonsense')).toContain('There is no mode `nonsense`')
    expect(await command('/model scripted/other')).toBe('Model: `scripted/other`')
    expect(session().model).toBe('scripted/other')
  })

  it('look the same when the session is loaded again', async () => {
    await start()
    await command('/mode')
    await command('/usage')
    await command('/init')
    const live = foldUpdates(updates()).entries
    expect(live).toHaveLength(2)
    const before = updates().length
    await open.connection.agent.request('session/load', { sessionId, cwd, mcpServers: [] })
    const replayed = foldUpdates(updates().slice(before)).entries
    expect(replayed.filter((entry) => entry.kind !== 'user')).toEqual(live)
    expect(replayed.map((entry) => entry.kind)).toEqual(['user', 'agent', 'user', 'agent', 'user'])
    const said = replayed.flatMap((entry) => (entry.kind === 'user' ? entry.content : []))
    expect(said.map((block) => (block.type === 'text' ? block.text : ''))).toEqual([
      '/mode',
      '/usage',
      '/init',
    ])
    const ids = replayed.map((entry) =>
      entry.kind === 'user' || entry.kind === 'agent' ? entry.messageId : '',
    )
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.every((id) => id)).toBe(true)
  })

  it('that fail are still in the history with what they had said', async () => {
    await start()
    session().usage = () => {
      throw new Error('broken')
    }
    await expect(command('/usage')).rejects.toThrow()
    expect(session().log.at(-1)).toMatchObject({ type: 'command', text: '/usage', output: '' })
  })

  it('/compact says what came of it', async () => {
    await start()
    expect(await command('/compact')).toContain('nothing to compact')
    session().compaction = { kind: 'compacted', before: 120_000, after: 9000 }
    expect(await command('/compact')).toContain('120,000 → 9,000 tokens')
    session().compaction = { kind: 'failed', message: 'the model refused' }
    expect(await command('/compact')).toContain('is as it was: the model refused')
  })

  it('/init is a prompt of its own', async () => {
    await start()
    await command('/init the tests')
    expect(prompts()[0]).toContain('Write an AGENTS.md')
    expect(prompts()[0]).toContain('Pay attention to: the tests')
    expect(session().prompts[0]?.shown).toEqual([{ type: 'text', text: '/init the tests' }])
  })

  it('/permissions lists what is remembered and takes it back', async () => {
    await start()
    expect(await command('/permissions')).toContain('Nothing is remembered')
    session().remembered = [
      { id: 'g1', label: '`npm test` here' },
      { id: 'g2', label: '`npm run x` here' },
    ]
    expect(await command('/permissions')).toContain('1. `npm test` here\n2. `npm run x` here')
    expect(await command('/permissions revoke 2')).toContain('- `npm run x` here')
    expect(session().remembered.map(({ id }) => id)).toEqual(['g1'])
    expect(await command('/permissions revoke 7')).toContain('no remembered permission 7')
    await command('/permissions revoke all')
    expect(session().remembered).toEqual([])
    expect(await command('/permissions please')).toContain('/permissions revoke')
  })

  it('/usage counts', async () => {
    await start()
    expect(await command('/usage')).toContain('No model request')
    session().spent = {
      requests: 3,
      uncounted: 0,
      inputTokens: 1234,
      outputTokens: 56,
      cachedInputTokens: 1000,
      context: { used: 50_000, size: 200_000 },
      cost: { amount: 0.0123, currency: 'USD' },
    }
    const said = await command('/usage')
    expect(said).toContain('1,234, 1,000 of them cached')
    expect(said).toContain('50,000 of 200,000 tokens (25 %)')
    expect(said).toContain('0.0123 USD')
    session().spent.uncounted = 1
    expect(await command('/usage')).toContain('- model requests: 3, 1 of them without reported tokens\n')
    session().spent = { requests: 3, uncounted: 3, inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 }
    expect(await command('/usage')).toBe('- model requests: 3\n- tokens: the provider reports none')
  })

  it('/diff shows each changed file, in a fence that nothing breaks', async () => {
    await start()
    expect(await command('/diff')).toContain('has changed no file')
    session().changed = [
      { path: join(cwd, 'a.md'), before: 'a\n```\n', after: 'b\n```\n' },
      { path: join(cwd, 'new.md'), before: null, after: 'n\n' },
    ]
    const said = await command('/diff')
    expect(said).toContain('- `a.md` changed, +1 −1\n- `new.md` new, +1 −0')
    expect(said).toContain('````diff\n--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,2 @@\n-a\n+b\n ```\n--- /dev/null')
  })
})

describe('/rewind', () => {
  beforeEach(async () => {
    await start()
    session().emit({ type: 'snapshot', turnId: 't1', path: join(cwd, 'a.md'), before: 'a\n' })
    session().changed = [{ path: join(cwd, 'a.md'), before: 'a\n', after: 'b\n' }]
  })

  it('shows what it would do on a card, asks, does it, and says so', async () => {
    expect(await command('/rewind')).toContain('- `a.md` put back')
    expect(session().rewound).toEqual([1])
    const [question] = open.asked
    expect(question?.options.map(({ name }) => name)).toEqual(['Undo it', 'Leave everything as it is'])
    expect(question?.toolCall.content).toEqual([
      { type: 'diff', path: join(cwd, 'a.md'), oldText: 'b\n', newText: 'a\n' },
    ])
    const card = updates().filter((update) => 'toolCallId' in update)
    expect(card.map((update) => ('status' in update ? update.status : ''))).toEqual([
      'pending',
      'in_progress',
      'completed',
    ])
    expect(
      card.every((update) => 'toolCallId' in update && update.toolCallId === question?.toolCall.toolCallId),
    ).toBe(true)
  })

  it.each(['allow-once', 'reject-once'])('looks the same when it is loaded again (%s)', async (optionId) => {
    answer = () => ({ outcome: { outcome: 'selected', optionId } })
    await command('/rewind')
    const live = foldUpdates(updates()).entries
    expect(live.map(({ kind }) => kind)).toEqual(['call', 'agent'])
    const before = updates().length
    await open.connection.agent.request('session/load', { sessionId, cwd, mcpServers: [] })
    const [asked, ...replayed] = foldUpdates(updates().slice(before)).entries
    expect(asked).toMatchObject({ kind: 'user', content: [{ text: '/rewind' }] })
    expect(replayed).toEqual(live)
  })

  it.each(['reject-once', 'nope'])('does nothing when the answer is %s', async (optionId) => {
    answer = () => ({ outcome: { outcome: 'selected', optionId } })
    expect(await command('/rewind')).toBe('Nothing was undone.')
    expect(session().rewound).toEqual([])
  })

  it('is retracted by a cancel', async () => {
    answer = () => new Promise(() => {})
    const turn: Promise<{ stopReason: StopReason }> = open.connection.agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: '/rewind' }],
    })
    await open.wire.until((line) => line.method === 'session/request_permission')
    await open.connection.agent.notify('session/cancel', { sessionId })
    expect(await turn).toEqual({ stopReason: 'cancelled' })
    expect(session().rewound).toEqual([])
    expect(updates().at(-1)).toMatchObject({ status: 'failed' })
  })

  it('has nothing to undo when nothing changed', async () => {
    session().emit({ type: 'rewound', turnIds: ['t1'], paths: [] })
    expect(await command('/rewind')).toContain('no file change')
    expect(await command('/rewind x')).toContain('Write `/rewind`')
    expect(open.asked).toEqual([])
  })
})

describe('a prompt file', () => {
  it('is its text, described by its head or its first line', () => {
    expect(promptFile('a', '# Do it\nnow')).toEqual({ name: 'a', description: 'Do it', text: '# Do it\nnow' })
    expect(promptFile('a', '---\r\ndescription: "X: y"\r\n---\r\nDo $ARGUMENTS')).toEqual({
      name: 'a',
      description: 'X: y',
      hint: '[arguments]',
      text: 'Do $ARGUMENTS',
    })
    expect(promptFile('a', ' \n')).toBeUndefined()
  })
})
