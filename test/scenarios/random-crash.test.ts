import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import { conversationOf } from '#session/conversation.ts'
import type { Scenario } from '#model/scenario.ts'
import { say } from '../support/scripted-agent.ts'
import { temporaryDirectory } from '../support/temporary.ts'

/** `CRASH_RUNS=200` for the long version. */
const RUNS = Number(process.env['CRASH_RUNS'] ?? 12)
const CHILD = fileURLToPath(new URL('../support/crash-child.ts', import.meta.url))

const read = (name: string) => ({ call: { name: 'read', arguments: { file_path: name } } })
const TURNS: Scenario['turns'] = [
  { match: 'again', steps: [{ do: [{ text: 'I am back.' }] }] },
  {
    match: 'go',
    steps: [
      { do: [{ thought: 'hm' }, { text: 'Reading. ' }, read('a.txt'), read('b.txt'), read('c.txt')] },
      {
        do: [
          { call: { name: 'write', arguments: { file_path: 'd.txt', content: 'd\n'.repeat(50) } } },
          { call: { name: 'bash', arguments: { command: 'echo one; echo two' } } },
          { call: { name: 'todo_write', arguments: { todos: [{ content: 'x', status: 'pending' }] } } },
        ],
      },
      { do: [{ text: 'Done. '.repeat(20) }] },
    ],
  },
]

async function stage(): Promise<{ cwd: string; env: NodeJS.ProcessEnv; home: string }> {
  const root = await temporaryDirectory()
  const [cwd, home, scenario] = [join(root, 'project'), join(root, 'home'), join(root, 'scenario.json')]
  await Promise.all([
    mkdir(cwd),
    mkdir(home),
    writeFile(scenario, JSON.stringify({ name: 'crash', turns: TURNS })),
  ])
  for (const name of ['a.txt', 'b.txt', 'c.txt']) await writeFile(join(cwd, name), `${name}\n`.repeat(30))
  const env = {
    ...process.env,
    DECKHAND_MODEL: 'scripted/x',
    DECKHAND_SCENARIO: scenario,
    DECKHAND_HOME: home,
    DECKHAND_MODE: 'bypass',
  }
  return { cwd, env, home }
}

/** Kills the child once it has said `lines` lines; what it said. */
async function playAndKill(
  cwd: string,
  env: NodeJS.ProcessEnv,
  lines: number,
  extraMs: number,
): Promise<string[]> {
  const child = spawn(process.execPath, [CHILD, cwd], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.split('\n').length > lines) resolve()
    })
  })
  await new Promise((resolve) => setTimeout(resolve, extraMs))
  child.kill('SIGKILL')
  await once(child, 'close')
  return said.split('\n').slice(0, -1)
}

describe('SIGKILL at a random moment', () => {
  it(
    `${RUNS} runs: nothing acknowledged is lost, every call has one result, the next turn works`,
    { timeout: 600_000 },
    async () => {
      for (let run = 0; run < RUNS; run += 1) {
        const { cwd, env, home } = await stage()
        const [id = '', ...acknowledged] = await playAndKill(
          cwd,
          env,
          2 + ((run * 7) % 60),
          Math.random() * 5,
        )
        const agent = composeAgent(readSettings(env), env, () => undefined)
        const session = await agent.open(id, { cwd, additionalDirectories: [] })
        const events = session.history()
        const known = new Set(events.map((event) => event.seq))
        expect(
          acknowledged.filter((seq) => !known.has(Number(seq))),
          `run ${run}`,
        ).toEqual([])
        const calls = events.flatMap((event) => (event.type === 'tool_call' ? [event.callId] : []))
        const results = events.flatMap((event) => (event.type === 'tool_result' ? [event.callId] : []))
        expect(results.toSorted(), `run ${run}`).toEqual(calls.toSorted())
        expect(await session.prompt(say('again'))).toBe('end_turn')
        for (const message of conversationOf(session.history())) {
          if (message.role === 'tool') expect(JSON.stringify(message)).not.toContain('was lost')
        }
        await agent.dispose()
        expect((await readdir(join(home, 'sessions'))).filter((name) => name.endsWith('.lock'))).toEqual([])
      }
    },
  )
})
