// What a person is told about a server, by `/mcp` and `deckhand mcp`.

export type ServerState = 'starting' | 'authorizing' | 'ready' | 'reconnecting' | 'failed' | 'stopped'

export interface McpServerStatus {
  name: string
  type: 'stdio' | 'http' | 'sse'
  /** The command line, or the URL without what may be secret in it. */
  target: string
  state: ServerState
  /** Why it is not ready. */
  problem?: string
  /** What is wrong with it although it works. */
  warnings: string[]
  /** Name and version as the server gives them. */
  serverInfo?: string
  tools: { name: string; rawName: string; title: string }[]
  prompts: string[]
  resources: boolean
  /** From the start until its tools were there, in milliseconds. */
  startMs?: number
  /** What a person has to open to authorize it. */
  authorizationUrl?: string
  /** The end of what it wrote on stderr, at most 64 KiB. */
  stderr: string
}
