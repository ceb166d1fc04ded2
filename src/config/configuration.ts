// What is configured: the person's file, the project's file, the environment, the flags, in this order.
import type { CODE_MODES, Settings } from './settings.ts'

export interface Rules {
  allow: readonly string[]
  ask: readonly string[]
  deny: readonly string[]
}

/** An MCP server, launched or called. */
export type McpServer = { trust: boolean; sampling: boolean } & (
  | {
      type: 'stdio'
      command: string
      args: readonly string[]
      env: Readonly<Record<string, string>>
      cwd?: string
    }
  | { type: 'http' | 'sse'; url: string; headers: Readonly<Record<string, string>> }
)

export interface SearchEndpoint {
  kind: 'searxng' | 'brave' | 'tavily'
  url?: string
  /** The variable that holds the key. */
  apiKeyEnv?: string
}

/** Absent: the default of whoever keeps the limit. Durations in milliseconds. */
export interface ConfiguredLimits {
  modelRequests?: number
  parallel?: number
  retries?: number
  idleTimeoutMs?: number
  bashTimeoutMs?: number
  codeTimeoutMs?: number
  codeWallMs?: number
  codeMemoryMiB?: number
  codeOutputBytes?: number
  codeCalls?: number
}

/** The project's own file. */
export interface ProjectFile {
  /** Absolute. */
  path: string
  /** Absolute paths of what it has run and the project holds: trust is given to their contents too. */
  files: readonly string[]
  /** Of all these contents; what trust is given to. */
  hash: string
  trusted: boolean
  /** What it would do beyond tightening, a line each; empty when there is nothing to trust. */
  effects: readonly string[]
}

export interface Configuration extends Settings {
  permissions: Rules
  mcpServers: Readonly<Record<string, McpServer>>
  /** Names of built-in tools: `allow` undefined allows all, `deny` hides. */
  tools: { allow?: readonly string[]; deny: readonly string[] }
  codeMode?: (typeof CODE_MODES)[number]
  /** Whether files are read and written through the editor where it offers that. */
  files: 'editor' | 'disk'
  /** Confinement of commands; undefined: none. */
  sandbox?: { allowHosts: readonly string[] }
  env: { pass: readonly string[] }
  web: { search?: SearchEndpoint; allowHosts: readonly string[] }
  limits: ConfiguredLimits
  /** Days; 0 keeps for ever; absent: the default of the store. */
  retention: { sessionDays?: number; snapshotDays?: number; outputDays?: number }
  /** Absolute paths of modules. */
  plugins: readonly string[]
  /** Absolute paths of further files for the system prompt. */
  instructions: readonly string[]
  askReason: boolean
  /** The files that were read, absolute. */
  sources: readonly string[]
  project?: ProjectFile
}

/** What a command line says; it wins over everything. Checked by the command. */
export interface Flags {
  model?: string
  mode?: Settings['mode']
  allow?: readonly string[]
  ask?: readonly string[]
  deny?: readonly string[]
}
