// /mcp: the servers of the session, what they offer and what is wrong with them.
import type { ServerStatus } from '#agent/port.ts'
import { unlessAborted } from '#agent/unless-aborted.ts'
import { code, fence } from '#registry/view.ts'
import { DONE, type Command } from './command.ts'

/** Lines of stderr that are shown of a server that does not work. */
const LAST_WORDS = 10

export const mcp: Command = {
  name: 'mcp',
  description: 'Show the MCP servers, their tools and errors',
  run: async ({ session, say, signal }) => {
    if (session.servers) await unlessAborted(session.servers.ready(), signal)
    const status = session.servers?.status() ?? []
    say(status.length === 0 ? 'This session has no MCP servers.' : status.map(section).join('\n\n'))
    return DONE
  },
}

function section(server: ServerStatus): string {
  const { name, target, state, startMs, problem, warnings, tools, prompts, resources, authorizationUrl } =
    server
  const took = startMs === undefined ? '' : `, started in ${Math.round(startMs)} ms`
  const offers = [
    ...(tools.length > 0 ? [`Tools: ${tools.map((tool) => code(tool.title)).join(', ')}`] : ['No tools']),
    ...(prompts.length > 0 ? [`Prompts: ${prompts.map(code).join(', ')}`] : []),
    ...(resources ? ['Resources, which the model can read'] : []),
  ]
  const lines = [
    `**${code(name)}** ${state}${took} ${code(target)}`,
    ...(authorizationUrl === undefined ? [] : [`- Authorize it: ${authorizationUrl}`]),
    ...(problem === undefined ? [] : [`- Not ready: ${code(problem)}`]),
    ...(state === 'ready' ? offers.map((offer) => `- ${offer}`) : []),
    ...warnings.map((warning) => `- Warning: ${code(warning)}`),
  ]
  const said =
    state === 'ready' ? '' : server.stderr.split('\n').filter(Boolean).slice(-LAST_WORDS).join('\n')
  return said === '' ? lines.join('\n') : `${lines.join('\n')}\n\n${fence(said)}`
}
