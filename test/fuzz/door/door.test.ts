// The JSON-RPC door: whatever a client writes, each request is answered once, the process lives, nothing is changed.
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BIN } from '../../support/bin-client.ts'
import { LONG, scale } from '../scale.ts'
import { DoorClient } from './door-client.ts'
import { type Episode, episode, fill } from './episode.ts'
import { SCENARIO } from './scenario.ts'

/** Episodes that one process lives through. */
const LIFETIME = 40

let root = ''
let lives = 0
let client: DoorClient | undefined
let messages = 0

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'deckhand-fuzz-')))
  await mkdir(join(root, 'work'))
  await writeFile(join(root, 'work', 'a.txt'), 'a\n')
  await writeFile(join(root, 'scenario.json'), JSON.stringify(SCENARIO))
})

afterAll(async () => {
  await client?.kill()
  await rm(root, { recursive: true, force: true, maxRetries: 3 })
})

function start(): DoorClient {
  return new DoorClient(BIN, {
    ...process.env,
    DECKHAND_MODEL: 'scripted/fuzz',
    DECKHAND_SCENARIO: join(root, 'scenario.json'),
    DECKHAND_HOME: join(root, 'home'),
    DECKHAND_MODE: 'ask',
  })
}

/** A process that has said hello, unless the episode comes before that. */
async function opened(early: boolean): Promise<DoorClient> {
  if (client === undefined || client.child.exitCode !== null || early || ++lives > LIFETIME) {
    await client?.kill()
    lives = 0
    client = start()
  }
  if (!early && lives === 0) await client.ask('hello', 'initialize', { protocolVersion: 1 })
  return client
}

async function play({ early, lines, cuts, answers }: Episode): Promise<string[]> {
  const agent = await opened(early)
  agent.answers = answers
  const cwd = join(root, 'work')
  const names: Record<string, string> = { cwd, root }
  if (!early)
    for (const index of [0, 1, 2]) {
      const { result } = await agent.ask(`new-${index}`, 'session/new', { cwd, mcpServers: [] })
      names[`s${index}`] = String(result?.sessionId)
    }
  for (const [index, line] of lines.entries()) agent.say(fill(line, names), cuts[index % cuts.length])
  messages += lines.length
  await agent.settle()
  if (agent.faults.length === 0) await soundAfter(agent, cwd)
  for (const sessionId of agent.faults.length === 0 ? agent.sessions : [])
    await agent.ask(`close-${sessionId}`, 'session/close', { sessionId })
  agent.sessions.clear()
  agent.forget()
  return agent.faults
    .splice(0)
    .map((fault) => fault.slice(0, 2500))
    .slice(0, 6)
}

/** A client that behaves is served as ever. */
async function soundAfter(agent: DoorClient, cwd: string): Promise<void> {
  await agent.ask('sound-hello', 'initialize', { protocolVersion: 1 })
  const { result } = await agent.ask('sound-new', 'session/new', { cwd, mcpServers: [] })
  const prompt = [{ type: 'text', text: 'fine' }]
  const turn = await agent.ask('sound-prompt', 'session/prompt', { sessionId: result?.sessionId, prompt })
  if ((turn.result as { stopReason?: string } | undefined)?.stopReason !== 'end_turn')
    agent.faults.push(`a sound prompt ended as ${JSON.stringify(turn).slice(0, 500)}`)
}

describe('the door', () => {
  it(
    'answers each request once, lives on, and changes nothing',
    { timeout: LONG ? 0 : 120_000 },
    async () => {
      const settings = scale('door', { short: 4, long: 550 })
      await fc.assert(
        fc.asyncProperty(episode, async (said) => {
          const faults = await play(said)
          if (faults.length > 0) {
            await client?.kill()
            client = undefined
          }
          expect(faults).toEqual([])
          expect((await readdir(join(root, 'work'))).sort()).toEqual(['a.txt'])
          expect((await readdir(root)).sort()).toEqual(['home', 'scenario.json', 'work'])
        }),
        settings,
      )
      console.log(`fuzz door: ${messages} messages`)
      expect(messages).toBeGreaterThan(settings.numRuns * 60)
    },
  )
})
