// What the handlers of one connection share.
import { RequestError, type AgentContext, type ClientCapabilities } from '@agentclientprotocol/sdk'
import type { Agent } from '#agent/port.ts'
import type { Log } from '#registry/types.ts'
import type { Auth } from './auth.ts'
import type { PromptFiles } from '#bridge/commands/command.ts'
import type { EditorFiles } from './editor-files.ts'
import type { SessionConnection } from './session-connection.ts'

export interface BridgeContext {
  readonly agent: Agent
  readonly version: string
  readonly log: Log
  readonly auth: Auth
  /** Default: the Markdown files in the session's directory. */
  readonly promptFiles: PromptFiles | undefined
  /** What did not work when the program was put together, for `/help`. */
  readonly problems: () => readonly string[]
  /** Gives sessions the editor's text files; undefined where the disk is to be used. */
  readonly editor: EditorFiles | undefined
  /** Whether a person who rejects is asked why, where the client can. */
  readonly askReason: boolean
  /** Whether streams are joined into fewer updates. */
  readonly coalesce: boolean
  readonly onInitialized: () => void
  /** Announced by `initialize`. */
  capabilities: ClientCapabilities | undefined
  /** Sessions that this client opened, by id. */
  readonly sessions: Map<string, SessionConnection>
}

/** What a handler knows of its request. */
export interface Request<P> {
  readonly params: P
  readonly signal: AbortSignal
  readonly client: AgentContext
}

/** Throws -32002 for a session that is not open here. */
export function openSession(bridge: BridgeContext, id: string): SessionConnection {
  const connection = bridge.sessions.get(id)
  if (!connection) throw new RequestError(-32002, `no open session ${JSON.stringify(id)}`, { sessionId: id })
  return connection
}
