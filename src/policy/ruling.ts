// What rules say about a call: denying and asking rules strictly, allowing rules to the letter.
import { assertNever } from '#registry/view.ts'
import { READING_TOOLS, WRITING_TOOLS } from './effects.ts'
import type { Place } from './places.ts'
import type { Rule } from './rule.ts'
import { type Forms, matchForms } from './shell/forms.ts'
import { type Match, matchToken } from './shell/tokens.ts'

/** A path that a call looks at or changes. `deep`: with everything below it. */
export interface Touched {
  access: 'read' | 'write'
  place: Place
  deep: boolean
}

/** A call as rules see it. */
export interface Subject {
  tool: string
  kind: 'path' | 'command' | 'mcp' | 'host' | 'session' | 'other'
  /** Those of a command line are the ones that can be told. */
  touched: readonly Touched[]
  /** It also touches paths that nobody can tell. */
  untold?: boolean
  forms?: Forms
  host?: string | undefined
  /** Of a resource. */
  server?: string | undefined
}

/** The rule that matches, or that may: nobody can tell before the call runs. */
export type Ruling = { match: 'no' } | { match: 'yes' | 'maybe'; rule: Rule }

/** For deny and ask rules: everything that they may mean counts. */
export function strictRuling(rules: readonly Rule[], subject: Subject): Ruling {
  let result: Ruling = { match: 'no' }
  for (const rule of rules) {
    const match = strictMatch(rule, subject)
    if (match === 'yes') return { match, rule }
    if (match === 'maybe' && result.match === 'no') result = { match, rule }
  }
  return result
}

function strictMatch(rule: Rule, subject: Subject): Match {
  switch (rule.kind) {
    case 'command':
      return subject.forms === undefined ? 'no' : matchForms(rule.tokens, subject.forms)
    case 'path':
      return strictest([
        ...subject.touched.map((touched) => strictPathMatch(rule, touched, subject.tool)),
        ...(subject.untold ? (['maybe'] as const) : []),
      ])
    case 'host':
      return subject.kind === 'host'
        ? subject.host === undefined
          ? 'maybe'
          : hostMatches(rule.host, subject.host)
        : 'no'
    case 'mcp':
      return strictMcpMatch(rule, subject)
    case 'resource':
      return rule.server === subject.server ? 'yes' : 'no'
    case 'tool':
      return rule.name === subject.tool ? 'yes' : 'no'
    case 'unreadable':
      return mayBeAbout(rule.about, subject) ? 'maybe' : 'no'
    default:
      return assertNever(rule)
  }
}

function strictest(matches: readonly Match[]): Match {
  return matches.includes('yes') ? 'yes' : matches.includes('maybe') ? 'maybe' : 'no'
}

type PathRule = Extract<Rule, { kind: 'path' }>
type McpRule = Extract<Rule, { kind: 'mcp' }>

function strictPathMatch(
  { tool, pattern }: PathRule,
  { access, place, deep }: Touched,
  calling: string,
): Match {
  const concerned =
    tool === 'read'
      ? access === 'read'
      : tool === 'edit' || tool === 'write'
        ? access === 'write'
        : tool === calling
  if (!concerned) return 'no'
  if (pattern === undefined || pattern.matches(place, true)) return 'yes'
  return deep && pattern.reachesBelow(place) ? 'maybe' : 'no'
}

function mayBeAbout(about: string | undefined, { kind, tool, touched }: Subject): boolean {
  if (kind === 'session') return false
  if (about === undefined) return true
  if (READING_TOOLS.has(about)) return touched.some(({ access }) => access === 'read')
  if (WRITING_TOOLS.has(about)) return touched.some(({ access }) => access === 'write')
  return about === 'bash' ? kind === 'command' : about === 'mcp' ? kind === 'mcp' : about === tool
}

/** For allow rules: every path must be named by one of them; a bare name means what is inside the roots. */
export function allows(rules: readonly Rule[], subject: Subject): boolean {
  if (rules.some((rule) => rule.kind === 'tool' && rule.name === subject.tool)) return true
  switch (subject.kind) {
    case 'path':
      return (
        subject.touched.length > 0 &&
        subject.touched.every((touched) => allowsPath(rules, touched, subject.tool))
      )
    case 'mcp': {
      const { server, tool } = subject
      return rules.some((rule) =>
        server === undefined
          ? rule.kind === 'mcp' && mcpMatches(rule, tool)
          : rule.kind === 'resource' && rule.server === server,
      )
    }
    case 'host': {
      const { host } = subject
      return (
        host !== undefined &&
        rules.some((rule) => rule.kind === 'host' && hostMatches(rule.host, host) === 'yes')
      )
    }
    case 'command':
    case 'session':
    case 'other':
      return false
    default:
      return assertNever(subject.kind)
  }
}

/** `edit` and `write` name the same right, redirections of commands included; `read` names all ways of looking. */
export function allowsPath(rules: readonly Rule[], { access, place }: Touched, calling: string): boolean {
  return rules.some((rule) => {
    if (rule.kind !== 'path') return false
    const { tool, pattern } = rule
    const changes = access === 'write' && calling !== 'delete' && calling !== 'move'
    const concerned =
      tool === 'read' ? access === 'read' : tool === 'edit' || tool === 'write' ? changes : tool === calling
    return concerned && (pattern === undefined ? place.inside : pattern.matches(place, false))
  })
}

/** `*.host` means what is below the host. */
function hostMatches(pattern: string, host: string): Match {
  return (pattern.includes('*') ? matchToken(pattern, host) : pattern === host) ? 'yes' : 'no'
}

/** As imported names are spelled. */
function imported(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9_*-]/g, '_')
}

function mcpMatches({ server, tool }: McpRule, name: string): boolean {
  return matchToken(`mcp__${imported(server)}__${imported(tool)}`, name)
}

/** Names that were shortened or respelled end with a hash, so that the rule is held to mean all that begin so. */
function strictMcpMatch(rule: McpRule, subject: Subject): Match {
  if (subject.kind !== 'mcp') return 'no'
  const { server, tool } = rule
  if (subject.server !== undefined) return tool === '*' && matchToken(server, subject.server) ? 'yes' : 'no'
  if (mcpMatches(rule, subject.tool)) return 'yes'
  const beginning = `mcp__${imported(server)}__${imported(tool)}`.slice(0, 48)
  const respelled = imported(server) !== server || imported(tool) !== tool || subject.tool.length > 48
  return respelled && matchToken(`${beginning}*`, subject.tool) ? 'maybe' : 'no'
}
