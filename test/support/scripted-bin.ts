// The built command on a scripted model, in a directory of its own.
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Scenario } from '#model/scenario.ts'
import { BinClient, type BinClientInit } from './bin-client.ts'
import { temporaryDirectory } from './temporary.ts'

export interface ScriptedBin {
  client: BinClient
  /** The project directory. */
  cwd: string
  home: string
  /** What makes a process use this scenario and state. */
  env: Record<string, string | undefined>
  /** Another process over the same state. */
  another(init?: BinClientInit): BinClient
}

export interface ScriptedBinInit extends BinClientInit {
  turns: Scenario['turns']
  files?: Record<string, string | Uint8Array>
}

export async function scriptedBin({ turns, files = {}, ...init }: ScriptedBinInit): Promise<ScriptedBin> {
  const root = await temporaryDirectory()
  const [cwd, home, scenario] = [join(root, 'project'), join(root, 'home'), join(root, 'scenario.json')]
  await Promise.all([mkdir(cwd), mkdir(home), writeFile(scenario, JSON.stringify({ name: 'test', turns }))])
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true })
    await writeFile(join(cwd, name), content)
  }
  const env = {
    DECKHAND_MODEL: 'scripted/test',
    DECKHAND_SCENARIO: scenario,
    DECKHAND_HOME: home,
    ...init.env,
  }
  const start = (more: BinClientInit = {}): BinClient =>
    new BinClient({ ...init, ...more, env: { ...env, ...more.env } })
  return { client: start(), cwd, home, env, another: start }
}
