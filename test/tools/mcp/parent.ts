// A process with servers, to be killed by a test: says when they are there, and does nothing else.
import { createRegistry } from '#registry/registry.ts'
import { createMcpServers } from '#tools/mcp/mcp-servers.ts'
import { serversOf } from './entries.ts'

const [, , entries = '{}', cwd = process.cwd()] = process.argv
const servers = createMcpServers({
  servers: serversOf(JSON.parse(entries)),
  scope: createRegistry().scope(),
  cwd,
  roots: [cwd],
  environment: process.env,
  log: () => undefined,
  stateDirectory: cwd,
  onProblem: (message) => process.stderr.write(`${message}\n`),
})
await servers.ready(20_000)
process.stdout.write('ready\n')
setInterval(() => undefined, 1000)
