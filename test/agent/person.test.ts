// What equipment gets of the person: mode, plans, forms; and what the session tells the person by itself.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAgent } from '#agent/agent.ts'
import type { Agent, AgentSession, PlanAnswer, PlanQuestion } from '#agent/port.ts'
import { createScripted } from '#model/scripted.ts'
import type { Model, ModelSource } from '#model/port.ts'
import { foldUpdates } from '#bridge/fold.ts'
import { NAMED_PROFILES } from '#bridge/profile.ts'
import { replayUpdates } from '#bridge/replay.ts'
import { createMapper } from '#bridge/updates.ts'
import { createRegistry } from '#registry/registry.ts'
import { conversationOf } from '#session/conversation.ts'
import type { AnyEvent } from '#session/event.ts'
import { createSessionStore } from '#session/store.ts'
import { installAskTools } from '#tools/ask/ask-tools.ts'
import { say, type Turns } from '../support/scripted-agent.ts'
import { temporaryDirectory } from '../support/temporary.ts'

interface Seat {
  session: AgentSession
  seen: AnyEvent[]
  presented: string[][]
  reopen(): Promise<AgentSession>
}

async function seat(turns: Turns, { modeId = 'plan', images = true } = {}): Promise<Seat> {
  const root = await temporaryDirectory()
  const [cwd, state] = [join(root, 'project'), join(root, 'state')]
  await Promise.all([mkdir(cwd), mkdir(state)])
  const presented: string[][] = []
  const scripted = createScripted('test', { name: 'test', turns })
  const model: Model = {
    ...scripted,
    images,
    stream: (request) => {
      presented.push(request.tools.map(({ name }) => name))
      return scripted.stream(request)
    },
  }
  const models: ModelSource = {
    selected: 'scripted/test',
    small: undefined,
    models: () => [],
    load: () => Promise.resolve(model),
  }
  const start = (): Agent => {
    const agent = createAgent({
      createRegistry: (approval) => createRegistry({ approval }),
      models,
      store: createSessionStore(state),
      modeId,
      presenters: () => () => undefined,
      warn: () => undefined,
      prepare: async () => (input) => ({
        presenters: installAskTools(input.scope, input),
        instructions: () => Promise.resolve(''),
        news: () => [],
        files: { read: () => Promise.resolve(null), restore: () => Promise.resolve(undefined) },
        grants: () => Promise.resolve([]),
        projectTrust: { file: async () => undefined, decide: async () => false },
        revoke: () => Promise.resolve(false),
        dispose: () => Promise.resolve(),
      }),
    })
    onTestFinished(() => agent.dispose())
    return agent
  }
  const session = await start().create({ cwd, additionalDirectories: [] })
  const seen: AnyEvent[] = []
  session.subscribe((event) => seen.push(event))
  const reopen = async (): Promise<AgentSession> => {
    await session.close()
    return start().open(session.id, { cwd, additionalDirectories: [] })
  }
  return { session, seen, presented, reopen }
}

const PLAN = { call: { id: 'p', name: 'exit_plan', arguments: { plan: '1. do **it**' } } }
const PLANNING: Turns = [{ match: 'go', steps: [{ do: [PLAN] }, { do: [{ text: 'ok' }] }] }]
const resultOf = (session: AgentSession): string =>
  JSON.stringify(session.history().find((event) => event.type === 'tool_result'))

describe('a plan', () => {
  const play = async (answer: (question: PlanQuestion) => Promise<PlanAnswer>): Promise<Seat> => {
    const seated = await seat(PLANNING)
    seated.session.setPlanAsker(answer)
    await seated.session.prompt(say('go'))
    return seated
  }

  it('that is approved switches the mode, and the tool is gone at the next step', async () => {
    const asked: PlanQuestion[] = []
    const { session, presented } = await play(
      (question) => (asked.push(question), Promise.resolve({ kind: 'approved', mode: 'accept-edits' })),
    )
    expect(asked).toMatchObject([{ callId: 'p', plan: '1. do **it**' }])
    expect(session.modeId).toBe('accept-edits')
    expect(resultOf(session)).toContain('the mode is accept-edits now')
    expect(presented).toEqual([['exit_plan'], []])
  })

  it('stays on its card, live and on replay, although the tool is gone', async () => {
    const { session, seen, reopen } = await play(() => Promise.resolve({ kind: 'approved', mode: 'ask' }))
    const draw = (owner: AgentSession) => ({
      cwd: owner.cwd,
      roots: [],
      profile: NAMED_PROFILES.zed,
      presenters: (name: string) => owner.presenters(name),
    })
    const mapper = createMapper({ ...draw(session), replay: true })
    const live = foldUpdates(seen.flatMap((event) => mapper.push(event)))
    const again = await reopen()
    expect(foldUpdates(replayUpdates(draw(again), again.history()))).toEqual(live)
    const card = JSON.stringify(live.entries.find((entry) => entry.kind === 'call'))
    expect(card).toContain('"kind":"switch_mode"')
    expect(card).toContain('1. do **it**')
    expect(card).toContain('The user approved the plan')
    expect(again.modeId).toBe('ask')
  })

  it.each<[string, () => Promise<PlanAnswer>, string]>([
    ['rejected', async () => ({ kind: 'rejected', reason: 'use pnpm' }), 'and says: use pnpm'],
    ['cancelled', async () => ({ kind: 'cancelled' }), 'taken back'],
    ['not to be asked for', () => Promise.reject(new Error('no window')), 'no window'],
    ['approved for a mode that is none', async () => ({ kind: 'approved', mode: 'yolo' }), 'is no mode'],
  ])('that is %s leaves plan mode as it is', async (_what, answer, says) => {
    const { session, presented } = await play(answer)
    expect(session.modeId).toBe('plan')
    expect(resultOf(session)).toContain(says)
    expect(presented).toEqual([['exit_plan'], ['exit_plan']])
  })

  it('nobody asks for is refused; a late approval after a cancel switches nothing', async () => {
    const { session } = await seat(PLANNING)
    await session.prompt(say('go'))
    expect(resultOf(session)).toContain('nobody can be asked')
    const late = Promise.withResolvers<PlanAnswer>()
    const other = await seat(PLANNING)
    other.session.setPlanAsker(() => (other.session.cancel(), late.promise))
    const turn = other.session.prompt(say('go'))
    expect(await turn).toBe('cancelled')
    late.resolve({ kind: 'approved', mode: 'bypass' })
    await new Promise((resolve) => setImmediate(resolve))
    expect(other.session.modeId).toBe('plan')
  })
})

describe('forms', () => {
  it('make ask_user appear, and leave with it', async () => {
    const turns: Turns = [
      {
        match: 'go',
        steps: [
          { do: [{ call: { id: 'q', name: 'ask_user', arguments: { question: 'Which?' } } }] },
          { do: [{ text: 'ok' }] },
        ],
      },
      { match: 'later', steps: [{ do: [{ text: 'ok' }] }] },
    ]
    const { session, presented } = await seat(turns, { modeId: 'ask' })
    session.setForm(async ({ server, message }) => ({
      action: 'accept',
      content: { answer: `${message} ${server ?? 'none'}` },
    }))
    await session.prompt(say('go'))
    expect(resultOf(session)).toContain('The user answers: Which? none')
    session.setForm(undefined)
    await session.prompt(say('later'))
    expect(presented).toEqual([['ask_user'], ['ask_user'], []])
  })
})

describe('a command', () => {
  it('is in the log and survives, and the model sees nothing of it', async () => {
    const { session, seen, reopen } = await seat([{ steps: [{ do: [{ text: 'hi' }] }] }])
    await session.prompt(say('x'))
    const before = conversationOf(session.history())
    session.recordCommand({ text: '/usage', output: 'many tokens' })
    expect(seen.at(-1)).toMatchObject({ type: 'command', text: '/usage', output: 'many tokens' })
    const again = await reopen()
    expect(again.history().at(-1)).toMatchObject({ type: 'command', text: '/usage', output: 'many tokens' })
    expect(conversationOf(again.history())).toEqual(before)
  })
})

describe('an image', () => {
  const image = { type: 'image' as const, data: 'aGk=', mimeType: 'image/png' }
  const HI: Turns = [{ steps: [{ do: [{ text: 'hi' }] }] }]
  const notices = (session: AgentSession) => session.history().filter((event) => event.type === 'notice')

  it('that the model can’t see is told of once in a session', async () => {
    const { session, reopen } = await seat(HI, { images: false })
    await session.prompt(say('x'))
    expect(notices(session)).toEqual([])
    const input = { content: [...say('look').content, image], shown: [] }
    await session.prompt(input)
    expect(notices(session)).toMatchObject([
      {
        severity: 'warning',
        title: 'This model can’t see images',
        description: expect.stringContaining('scripted/test'),
      },
    ])
    const again = await reopen()
    await again.prompt(input)
    expect(notices(again)).toHaveLength(1)
  })

  it('that it can see is no news', async () => {
    const { session } = await seat(HI)
    await session.prompt({ content: [...say('look').content, image], shown: [] })
    expect(notices(session)).toEqual([])
  })
})
