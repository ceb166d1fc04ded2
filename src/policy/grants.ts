// Grants: what "always" remembers, in the words of the button.
import { code } from '#registry/view.ts'
import { visible } from '#registry/visible.ts'

/** One thing that is remembered for a project. */
export type GrantEntry =
  /** A simple command, in canonical spelling; `directory` is below the project, `''` the project itself. */
  | { kind: 'command'; command: string; directory: string }
  /** A whole command line. */
  | { kind: 'line'; line: string; directory: string }
  /** A tool that changes files, for all of the project. */
  | { kind: 'files'; tool: string }
  /** A tool, for one file: the real path. */
  | { kind: 'file'; tool: string; path: string }
  /** A tool, whatever its arguments. */
  | { kind: 'tool'; tool: string }
  /** An address that is loaded from. */
  | { kind: 'host'; host: string }

/** What the button says for entries that are remembered together. */
export function labelOf(entries: readonly GrantEntry[]): string {
  return `Always allow ${describe(entries)}`
}

/** For a list of what is remembered. */
export function describe(entries: readonly GrantEntry[]): string {
  const [first] = entries
  if (first === undefined) return 'nothing'
  const things = entries.map(thing)
  const listed =
    things.length < 2 ? things.join('') : `${things.slice(0, -1).join(', ')} and ${things.at(-1)}`
  return visible(`${listed} ${place(first)}`)
}

function thing(entry: GrantEntry): string {
  switch (entry.kind) {
    case 'command':
      return code(entry.command)
    case 'line':
      return `exactly ${code(entry.line)}`
    case 'files':
      return `${code(entry.tool)} for all files`
    case 'file':
      return `${code(entry.tool)} for ${code(entry.path)}`
    case 'tool':
      return `the tool ${code(entry.tool)}`
    case 'host':
      return `loading from ${code(entry.host)}`
  }
}

function place(entry: GrantEntry): string {
  const directory = entry.kind === 'command' || entry.kind === 'line' ? entry.directory : ''
  if (directory !== '') return `in ${code(directory)} of this project`
  return entry.kind === 'files' ? 'of this project' : 'in this project'
}

/** Reads what was stored; undefined when it is no entry. */
export function readEntry(value: unknown): GrantEntry | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const read = (name: string): string | undefined => {
    const field: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
    return typeof field === 'string' ? field : undefined
  }
  const [kind, command, line, directory] = [read('kind'), read('command'), read('line'), read('directory')]
  const [tool, path, host] = [read('tool'), read('path'), read('host')]
  if (kind === 'command' && command && directory !== undefined) return { kind, command, directory }
  if (kind === 'line' && line && directory !== undefined) return { kind, line, directory }
  if (kind === 'file' && tool && path) return { kind, tool, path }
  if ((kind === 'files' || kind === 'tool') && tool) return { kind, tool }
  return kind === 'host' && host ? { kind, host } : undefined
}
