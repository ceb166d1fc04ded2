// What a server is, for people: its command line or its address, without what may be secret.
import type { McpServerConfig } from './config.ts'

const LONGEST = 300

export function targetOf(server: McpServerConfig): string {
  if (server.type === 'stdio') {
    const line = [server.command, ...server.args].map(word).join(' ')
    return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
  }
  const { origin, pathname, search } = new URL(server.url)
  return origin + pathname + (search === '' ? '' : '?…')
}

function word(text: string): string {
  const hidden = text.replace(/((?:key|token|secret|password)[\w-]*=).+/i, '$1…')
  return hidden !== '' && !/[\s"']/.test(hidden) ? hidden : JSON.stringify(hidden)
}
