// `deckhand mcp`: starts the configured servers and prints what they offer, what is wrong, and how long it took.
import { loadConfiguration } from '#config/load.ts'
import { createRegistry } from '#registry/registry.ts'
import type { McpServerStatus } from '#tools/mcp/status.ts'
import { TIMING } from '#tools/mcp/timing.ts'
import { startConfiguredServers } from './configured-servers.ts'
import { type Canvas, canvasFor } from './draw/paint.ts'
import { clean, clip } from './draw/text.ts'
import type { Host } from './host.ts'

/** Lines of stderr that are shown of a server that does not work. */
const LAST_WORDS = 10

/** Waits for people who have to authorize a server. Resolves with 1 when a server does not work, else 0. */
export async function mcp(host: Host, { json }: { json?: boolean }): Promise<number> {
  const configuration = await loadConfiguration({ env: host.env, cwd: host.cwd })
  const complain = (problem: string): void => void host.stderr.write(`deckhand: ${problem}\n`)
  for (const problem of configuration.warnings) complain(problem)
  const running = startConfiguredServers(host, configuration, createRegistry().scope(), complain)
  await running.ready(TIMING.authorization + 2 * TIMING.handshake)
  const status = running.status()
  host.stdout.write(
    json ? `${JSON.stringify(status, null, 2)}\n` : report(canvasFor(host.stdout, host.env), status),
  )
  await running.dispose()
  return status.every(({ state }) => state === 'ready') ? 0 : 1
}

function report(canvas: Canvas, status: readonly McpServerStatus[]): string {
  if (status.length === 0)
    return 'No MCP servers are configured. Add them to "mcpServers" of the configuration.\n'
  return status.map((server) => drawn(canvas, server)).join('\n')
}

function drawn({ paint, width }: Canvas, server: McpServerStatus): string {
  const { name, type, target, state, startMs, serverInfo = '', problem, tools, prompts, resources } = server
  const works = state === 'ready'
  const took = startMs === undefined ? '' : ` in ${Math.round(startMs)} ms`
  const counts = [
    `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`,
    ...(prompts.length > 0 ? [`${prompts.length} prompts`] : []),
    ...(resources ? ['resources'] : []),
  ].join(', ')
  const lines = [
    `${paint(works ? 'good' : 'bad', works ? '✔' : '✖')} ${paint('strong', clean(name))} ${paint('dim', `${type} ${clean(target)}`)}`,
    works
      ? `  ${counts}${took} ${paint('dim', clean(serverInfo))}`
      : `  ${paint('bad', `${state}: ${clean(problem ?? '')}`)}`,
    ...tools.map((tool) => `    ${paint('code', tool.name)} ${paint('dim', clean(tool.title))}`),
    ...server.warnings.map((warning) => `  ${paint('warn', `! ${clean(warning)}`)}`),
    ...(works ? [] : lastWords(server).map((line) => `  ${paint('dim', `stderr: ${line}`)}`)),
  ]
  return `${lines.map((line) => clip(line, width * 4)).join('\n')}\n`
}

function lastWords({ stderr }: McpServerStatus): string[] {
  return stderr
    .split('\n')
    .map(clean)
    .filter((line) => line.trim() !== '')
    .slice(-LAST_WORDS)
}
