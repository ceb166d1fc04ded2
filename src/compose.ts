// Composition: configuration → agent → bridge, over one client's streams.
import type { Readable, Writable } from 'node:stream'
import { createBridge } from '#bridge/bridge.ts'
import { readSettings } from '#config/settings.ts'
import type { Log } from '#registry/types.ts'
import { composeAgent } from './compose-agent.ts'

export interface StartOptions {
  input: Readable
  output: Writable
  env: NodeJS.ProcessEnv
  version: string
  log: Log
}

export interface RunningAgent {
  /** Settles when the client has gone. */
  closed: Promise<void>
  /** Ends turns, commits their results, kills what runs, flushes. */
  dispose(): Promise<void>
}

/** Serves one client on a pair of streams. */
export async function startAgent({ input, output, env, version, log }: StartOptions): Promise<RunningAgent> {
  const settings = readSettings(env)
  for (const warning of settings.warnings) log('warn', warning)
  const agent = composeAgent(settings, env, log)
  const bridge = createBridge({ agent, input, output, log, version })
  return {
    closed: bridge.closed,
    dispose: async () => {
      await agent.dispose()
      await bridge.close()
    },
  }
}
