// Names of imported tools: what models and providers take, told apart whatever the servers call theirs.
import { createHash } from 'node:crypto'

/** Providers refuse longer names. */
const LONGEST = 64
const LONGEST_SERVER = 24
const DIGITS = 8

/**
 * The name of each tool of a server, by its raw name: `mcp__<server>__<tool>`, `[A-Za-z0-9_-]`, at most 64
 * characters. Lossy and over-long names end in a hash of the raw names, so a name depends on nothing else. Empty
 * raw names have none.
 */
export function toolNames(server: string, tools: Iterable<string>): Map<string, string> {
  const prefix = `mcp__${serverSegment(server)}__`
  const raw = [...new Set(tools)].filter((tool) => tool !== '')
  const names = new Map<string, string>()
  const taken = new Set<string>()
  const give = (tool: string, name: string): void => {
    names.set(tool, name)
    taken.add(name)
  }
  const exact = (tool: string): boolean => plain(tool) === tool && prefix.length + tool.length <= LONGEST
  for (const tool of raw) if (exact(tool)) give(tool, prefix + tool)
  for (const tool of raw.filter((one) => !exact(one)).toSorted()) {
    let name = hashed(prefix + plain(tool), LONGEST, `${server}\0${tool}`)
    for (let salt = 1; taken.has(name); salt += 1)
      name = hashed(prefix + plain(tool), LONGEST, `${server}\0${tool}\0${salt}`)
    give(tool, name)
  }
  return names
}

/** Unlike that of every other server: it can't be mistaken for another one and the beginning of its tool. */
export function serverSegment(server: string): string {
  const segment = plain(server)
  const readable = segment === server && segment.length <= LONGEST_SERVER
  return readable && !segment.includes('__') && !segment.endsWith('_')
    ? segment
    : hashed(segment.replaceAll(/_{2,}/g, '_'), LONGEST_SERVER, server)
}

function plain(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/g, '_')
}

function hashed(name: string, longest: number, identity: string): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, DIGITS)
  return `${name.slice(0, longest - DIGITS - 1).replace(/_+$/, '')}_${hash}`
}
