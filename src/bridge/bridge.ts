// The bridge: one ACP client on a pair of streams, one agent behind it.
import type { Readable, Writable } from 'node:stream'
import type { Agent } from '#agent/port.ts'
import type { Log } from '#registry/types.ts'
import { createHandlers } from './agent.ts'
import type { Login } from './capabilities.ts'
import type { BridgeContext } from './context.ts'
import { stdioWire } from './stdio.ts'

export interface BridgeOptions {
  agent: Agent
  /** Protocol frames in and out; the bridge takes both over. */
  input: Readable
  output: Writable
  log: Log
  version: string
  /** How to log in from a terminal; announced to clients that can run it. */
  login?: Login
}

export interface Bridge {
  /** Settles, never rejects, when the client is gone. Disposing the agent is the caller's. */
  readonly closed: Promise<void>
  /** Ends the connection: running turns are cancelled, open questions retracted. */
  close(): Promise<void>
}

export function createBridge(options: BridgeOptions): Bridge {
  const context: BridgeContext = {
    agent: options.agent,
    version: options.version,
    log: options.log,
    login: options.login,
    capabilities: undefined,
    sessions: new Map(),
  }
  const wire = stdioWire(options.input, options.output)
  const connection = createHandlers(context).connect(wire.stream)
  wire.onGone((reason) => connection.close(reason))
  const closed = connection.closed.then(() => {
    for (const open of context.sessions.values()) {
      open.cancel()
      open.detach()
    }
    context.sessions.clear()
  })
  return {
    closed,
    close: async () => {
      connection.close()
      await closed
    },
  }
}
