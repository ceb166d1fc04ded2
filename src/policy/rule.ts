// One rule of the configuration: `bash(npm test *)`, `edit(src/**)`, `read(*.pem)`, `mcp(github/*)`, `mcp_read_resource(github)`, `web_fetch(host)`, `tool`.
import { thrownMessage } from '#json/thrown.ts'
import { READING_TOOLS, WRITING_TOOLS } from './effects.ts'
import { compilePathPattern, type PathPattern } from './path-pattern.ts'

export type Rule =
  /** Tokens of a simple command; `['*']` means every one. */
  | { kind: 'command'; text: string; tokens: readonly string[] }
  /** Without a pattern: everywhere. `tool` is the name in the rule. */
  | { kind: 'path'; text: string; tool: string; pattern: PathPattern | undefined }
  | { kind: 'host'; text: string; host: string }
  | { kind: 'mcp'; text: string; server: string; tool: string }
  /** The resources of one server, whose name is in the rule as it is. */
  | { kind: 'resource'; text: string; server: string }
  | { kind: 'tool'; text: string; name: string }
  /** One that can't be read. `about` is the tool that it is about, undefined when not even that can be told. */
  | { kind: 'unreadable'; text: string; why: string; about: string | undefined }

const FORM = /^(?<name>[A-Za-z_][\w-]*)(?:\((?<argument>.*)\))?$/s
const WITH_ARGUMENT: ReadonlySet<string> = new Set([
  ...READING_TOOLS,
  ...WRITING_TOOLS,
  'bash',
  'mcp',
  'mcp_read_resource',
  'web_fetch',
])

/** Never throws. */
export function parseRule(text: unknown): Rule {
  if (typeof text !== 'string')
    return unreadable(JSON.stringify(text) ?? 'undefined', 'a rule is a text', undefined)
  const trimmed = text.trim()
  const { name = '', argument } = FORM.exec(trimmed)?.groups ?? {}
  if (name === '') return unreadable(text, 'a rule looks like tool or tool(pattern)', guess(trimmed))
  try {
    return readRule(trimmed, name, argument?.trim())
  } catch (error) {
    return unreadable(text, thrownMessage(error), guess(name))
  }
}

function readRule(text: string, name: string, argument: string | undefined): Rule {
  if (READING_TOOLS.has(name) || WRITING_TOOLS.has(name)) {
    return {
      kind: 'path',
      text,
      tool: name,
      pattern: argument === undefined ? undefined : compilePathPattern(argument),
    }
  }
  if (name === 'bash')
    return { kind: 'command', text, tokens: argument === undefined ? ['*'] : tokensOf(argument) }
  if (name === 'mcp') return { kind: 'mcp', text, ...mcpOf(argument ?? '*') }
  if (argument === undefined) {
    if (WITH_ARGUMENT.has(name.toLowerCase()) && name !== name.toLowerCase())
      throw new Error(`the tool is called ${name.toLowerCase()}`)
    return { kind: 'tool', text, name }
  }
  if (name === 'web_fetch') return { kind: 'host', text, host: hostOf(argument) }
  if (name === 'mcp_read_resource') return { kind: 'resource', text, server: serverOf(argument) }
  throw new Error(`rules for ${name} take no pattern`)
}

/** Words, not shell: what a quote or an operator in a rule would mean, its author and we could see differently. */
function tokensOf(argument: string): string[] {
  const tokens = argument.split(/[ \t]+/).filter(Boolean)
  if (tokens.length === 0) throw new Error('it has no command')
  const odd = /["'\\$`;|&<>(){}\n\r]/.exec(argument)
  if (tokens.some((token) => token.startsWith('~'))) throw new Error('~ is not expanded in a command rule')
  if (odd)
    throw new Error(
      `${JSON.stringify(odd[0])} can not stand in a command rule; it holds the words of one simple command`,
    )
  return tokens
}

function mcpOf(argument: string): { server: string; tool: string } {
  const [server = '', tool = '*', ...more] = argument.split('/')
  if (server === '' || tool === '' || more.length > 0 || /\s/.test(argument))
    throw new Error('it looks like mcp(server/tool)')
  return { server, tool }
}

function serverOf(argument: string): string {
  if (argument === '') throw new Error('it looks like mcp_read_resource(server)')
  return argument
}

function hostOf(argument: string): string {
  if (!/^(?:\*|\*\.)?[\w.-]*(?:\[[\da-f:]+\])?(?::\d+)?$/i.test(argument) || argument === '') {
    throw new Error('it looks like web_fetch(host) or web_fetch(*.host)')
  }
  return argument.toLowerCase()
}

function guess(text: string): string | undefined {
  const name = /^[A-Za-z_]*/.exec(text)?.[0].toLowerCase() ?? ''
  return WITH_ARGUMENT.has(name) ? name : undefined
}

function unreadable(text: string, why: string, about: string | undefined): Rule {
  return { kind: 'unreadable', text, why, about }
}
