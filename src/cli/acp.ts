// `deckhand acp`: the agent on stdio, until the editor goes away.
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import type { Flags } from '#config/configuration.ts'
import { readSettings } from '#config/settings.ts'
import type { Host } from './host.ts'
import { createLog } from './log.ts'
import { claimStdout } from './stdout.ts'

/** The longest that an orderly end may take before the process exits anyway, in milliseconds. */
const FAREWELL_MS = 1900

/** Serves until stdin ends, stdout breaks or a signal arrives, then lets go of everything. Resolves with the exit code. */
export async function acp(host: Host, flags: Flags = {}): Promise<number> {
  const output = claimStdout(host.stdout, host.stderr)
  const gone = new Promise<void>((resolve) => {
    output.once('close', resolve)
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
  const { startAgent } = await import('#compose.ts')
  const { version, env } = host
  const log = createLog({ log: readSettings(env).log, stderr: host.stderr, env })
  log('info', `deckhand ${version} on Node ${process.versions.node}, ${process.platform}-${process.arch}`)
  process.on('uncaughtException', (error) => log('error', 'exception outside a request', error))
  process.on('unhandledRejection', (reason) => log('error', 'rejection outside a request', reason))

  const agent = await startAgent({
    input: host.stdin,
    output,
    env,
    version,
    log,
    flags,
    login: { command: process.execPath, args: [join(host.root, 'bin', 'deckhand.js')] },
  })
  await Promise.race([agent.closed, gone])
  await Promise.race([farewell(agent, output), deadline(FAREWELL_MS)])
  return 0
}

async function farewell(agent: { dispose(): Promise<void> }, output: Writable): Promise<void> {
  await agent.dispose()
  await new Promise<void>((resolve) => {
    output.end(() => resolve())
  })
}

async function deadline(ms: number): Promise<void> {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
