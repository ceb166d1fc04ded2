// The MCP servers of the configuration, started without a session.
import type { Configuration } from '#config/configuration.ts'
import { outgoingFetch } from '#model/outgoing-fetch.ts'
import type { Scope } from '#registry/scope.ts'
import { configuredServers } from '#tools/mcp/config.ts'
import { createMcpServers, type McpServers } from '#tools/mcp/mcp-servers.ts'
import type { Host } from './host.ts'

/** Does not wait for them. What is wrong with a server is told to `complain`. */
export function startConfiguredServers(
  { cwd, env, version }: Host,
  { mcpServers, paths }: Configuration,
  scope: Scope,
  complain: (problem: string) => void,
): McpServers {
  return createMcpServers({
    servers: configuredServers(mcpServers),
    scope,
    cwd,
    roots: [cwd],
    environment: env,
    log: () => undefined,
    fetch: outgoingFetch(env),
    stateDirectory: paths.state,
    version,
    onProblem: complain,
  })
}
