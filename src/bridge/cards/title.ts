// Titles: one line, known paths shortened where they stand as whole tokens, at most 200 characters.
import { visible } from '#registry/visible.ts'
import { code, type ToolCallView } from '#registry/view.ts'
import type { CardContext, ResultInput } from './card.ts'
import { insideRoots } from './path.ts'

const LIMIT = 200
const BEFORE = /[\s'"`“”‘’(),]/
const AFTER = /^(?:$|[\s'"`“”‘’(),]|:\d)/

const PLAIN: ReadonlySet<string> = new Set(['execute', 'edit', 'delete', 'move'])

/** Whether titles of a kind are plain text: commands and paths. All others are one line of Markdown. */
export function isPlainTitle(kind: string): boolean {
  return PLAIN.has(kind)
}

/** A title for the wire. `known` are the paths of the view, as the tool wrote them. */
export function cardTitle(title: string, known: readonly string[], ctx: CardContext): string {
  const paths = known.filter((path) => typeof path === 'string' && path !== '')
  const flat = title.replaceAll(/\s*[\r\n\u2028\u2029]+\s*/g, ' ')
  const short = visible(shortenPaths(flat, paths, ctx))
  return cap(short, paths.some((path) => flat.includes(path)) || short.endsWith('`'))
}

/** Whether a title is on the wire as a tool wrote it, paths apart. */
export function fitsTitle(title: string): boolean {
  return visible(title) === title && !/[\r\n\u2028\u2029]/.test(title) && Array.from(title).length <= LIMIT
}

/** The title of a result, where its view has one; the call's paths are known, and `more` of its own. */
export function resultTitle(
  title: string | undefined,
  { call }: ResultInput,
  ctx: CardContext,
  more: readonly string[] = [],
): { title?: string } {
  return title === undefined ? {} : { title: cardTitle(title, [...more, ...pathsOf(call)], ctx) }
}

function pathsOf(call: ToolCallView): string[] {
  if (call.card === 'terminal') return []
  const diffs = call.card === 'diff' ? call.diffs : []
  return [...diffs, ...(call.locations ?? [])].map((entry) => entry.path)
}

/** The title of a call without a view: the tool's name, safe as Markdown. */
export function fallbackTitle(name: string): string {
  if (name === '') return 'tool'
  return /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/.test(name) ? name : code(visible(name))
}

function shortenPaths(title: string, known: readonly string[], ctx: CardContext): string {
  const shorts = new Map<string, string>()
  for (const path of known) {
    const short = insideRoots(path, ctx)
    if (short !== undefined && short !== path) shorts.set(path, short)
  }
  if (shorts.size === 0) return title
  const longestFirst = [...shorts].sort(([a], [b]) => b.length - a.length)
  let out = ''
  for (let at = 0; at < title.length;) {
    const hit = longestFirst.find(([path]) => isToken(title, at, path))
    out += hit ? hit[1] : title[at]
    at += hit ? hit[0].length : 1
  }
  return out
}

function isToken(title: string, at: number, path: string): boolean {
  if (!title.startsWith(path, at)) return false
  if (at > 0 && !BEFORE.test(title.charAt(at - 1))) return false
  return AFTER.test(title.slice(at + path.length, at + path.length + 2))
}

function cap(title: string, inTheMiddle: boolean): string {
  if (title.length <= LIMIT) return title
  const points = Array.from(title)
  if (points.length <= LIMIT) return title
  if (!inTheMiddle) return `${points.slice(0, LIMIT - 1).join('')}…`
  const head = Math.ceil((LIMIT - 1) / 2)
  return `${points.slice(0, head).join('')}…${points.slice(points.length - (LIMIT - 1 - head)).join('')}`
}
