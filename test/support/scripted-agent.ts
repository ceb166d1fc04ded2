// A real agent on a scripted model: real tools, real files, a real log; no bridge.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import type { Agent, AgentSession } from '#agent/port.ts'
import type { Scenario } from '#model/scenario.ts'
import { temporaryDirectory } from './temporary.ts'

export type Turns = Scenario['turns']

export interface Stage {
  agent: Agent
  session: AgentSession
  /** The project directory. */
  cwd: string
  home: string
  /** Another agent process over the same state, as after a restart. */
  restart(turns?: Turns): Promise<Agent>
}

export interface StageInit {
  turns: Turns
  files?: Record<string, string>
  mode?: string
  /** Tokens. */
  contextWindow?: number
}

export async function stage({
  turns,
  files = {},
  mode = 'bypass',
  contextWindow,
}: StageInit): Promise<Stage> {
  const root = await temporaryDirectory()
  const [cwd, home] = [join(root, 'project'), join(root, 'home')]
  await Promise.all([mkdir(cwd), mkdir(home)])
  for (const [name, text] of Object.entries(files)) await writeFile(join(cwd, name), text)
  const start = async (script: Turns): Promise<Agent> => {
    const scenario = join(root, `scenario-${Math.random()}.json`)
    await writeFile(scenario, JSON.stringify({ name: 'test', turns: script, contextWindow }))
    const env = {
      ...process.env,
      DECKHAND_MODEL: 'scripted/test',
      DECKHAND_SCENARIO: scenario,
      DECKHAND_HOME: home,
      DECKHAND_MODE: mode,
    }
    const agent = composeAgent(readSettings(env), env, () => undefined)
    onTestFinished(() => agent.dispose())
    return agent
  }
  const agent = await start(turns)
  const session = await agent.create({ cwd, additionalDirectories: [] })
  return { agent, session, cwd, home, restart: (script = turns) => start(script) }
}

/** A prompt of plain text, as the model gets it and as it was shown. */
export function say(text: string): {
  content: [{ type: 'text'; text: string }]
  shown: [{ type: 'text'; text: string }]
} {
  return { content: [{ type: 'text', text }], shown: [{ type: 'text', text }] }
}
