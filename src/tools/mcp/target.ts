// What a server is, for people: its command line or its address, without what may be secret.
import type { McpServerConfig } from './config.ts'

const LONGEST = 300

export function targetOf(server: McpServerConfig): string {
  if (server.type === 'stdio') {
    const line = [server.command, ...server.args.map(withoutSecret)].map(quoted).join(' ')
    return line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`
  }
  const { origin, pathname, search } = new URL(server.url)
  return origin + pathname + (search === '' ? '' : '?…')
}

const SECRET = /key|token|secret|password/i

/** The value of an option that names a secret is left out, behind `=` or as the next argument. */
function withoutSecret(arg: string, index: number, args: readonly string[]): string {
  const before = args[index - 1] ?? ''
  if (before.startsWith('-') && SECRET.test(before) && !before.includes('=') && !arg.startsWith('-'))
    return '…'
  const [name = '', ...value] = arg.split('=')
  return value.length > 0 && SECRET.test(name) ? `${name}=…` : arg
}

function quoted(text: string): string {
  return text !== '' && !/[\s"']/.test(text) ? text : JSON.stringify(text)
}
