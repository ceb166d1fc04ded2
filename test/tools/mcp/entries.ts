// Servers as a person writes them into the configuration: what is absent is as the configuration reads it.
import type { McpServer } from '#config/configuration.ts'
import { configuredServers, type McpServerConfig } from '#tools/mcp/config.ts'

interface Granted {
  trust?: boolean
  sampling?: boolean
}
interface Launched extends Granted {
  type?: 'stdio'
  command: string
  args?: string[]
  env?: Record<string, string>
  cwd?: string
}
interface Called extends Granted {
  type?: 'http' | 'sse'
  url: string
  headers?: Record<string, string>
}
export type Entry = Launched | Called

const UNTRUSTED = { trust: false, sampling: false }

export function serversOf(entries: Readonly<Record<string, Entry>>): McpServerConfig[] {
  return configuredServers(
    Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, read(entry)])),
  )
}

function read(entry: Entry): McpServer {
  return 'command' in entry
    ? { type: 'stdio', ...UNTRUSTED, args: [], env: {}, ...entry }
    : { type: 'http', ...UNTRUSTED, headers: {}, ...entry }
}
