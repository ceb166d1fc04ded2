// The bridge: one ACP client on a pair of streams, one agent behind it.
import type { Readable, Writable } from 'node:stream'
import type { Agent } from '#agent/port.ts'
import type { Log } from '#registry/types.ts'
import { createHandlers } from './agent.ts'
import type { Auth } from './auth.ts'
import { KEY_HINT } from './capabilities.ts'
import type { PromptFiles } from '#bridge/commands/command.ts'
import type { BridgeContext } from './context.ts'
import type { EditorFiles } from './editor-files.ts'
import { warmSessionMethods } from './lazy-methods.ts'
import { stdioWire } from './stdio.ts'

export interface BridgeOptions {
  agent: Agent
  /** Protocol frames in and out; the bridge takes both over. */
  input: Readable
  output: Writable
  log: Log
  version: string
  /** Defaults to: usable when the agent has a model. */
  auth?: Auth
  /** Defaults to the Markdown files in `.deckhand/commands/` of the session's directory. */
  promptFiles?: PromptFiles
  /** What did not work when the program was put together; `/help` names it. */
  problems?: () => readonly string[]
  /** Shared with the workspace of the agent's sessions; absent: files are read and written on disk. */
  editor?: EditorFiles
  /** Asks a person who rejects for a reason, where the client has forms; default true. */
  askReason?: boolean
  /** Joins streams into fewer updates; default true. */
  coalesce?: boolean
  /** Told behind the answer to `initialize`: the time to get ready for a session. */
  onInitialized?: () => void
}

const NO_MODEL = `no model is usable. ${KEY_HINT}`

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
    auth: options.auth ?? { problem: () => (options.agent.model === undefined ? NO_MODEL : undefined) },
    promptFiles: options.promptFiles,
    problems: options.problems ?? (() => []),
    editor: options.editor,
    askReason: options.askReason !== false,
    coalesce: options.coalesce !== false,
    onInitialized: () => {
      warmSessionMethods()
      options.onInitialized?.()
    },
    capabilities: undefined,
    sessions: new Map(),
  }
  const wire = stdioWire(options.input, options.output, options.log)
  const connection = createHandlers(context).connect(wire.stream)
  wire.onGone((reason) => connection.close(reason))
  const closed = connection.closed.then(() => {
    for (const open of context.sessions.values()) {
      open.cancel()
      open.detach()
    }
    context.sessions.clear()
    wire.flush()
  })
  return {
    closed,
    close: async () => {
      connection.close()
      await closed
    },
  }
}
