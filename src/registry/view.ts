// Views: what a tool means to show, tagged by `card`. The only thing that tools and bridges share (cards.md §1).
import type { ContentBlock } from '#model/content.ts'

export type ToolCallKind =
  | 'read'
  | 'edit'
  | 'delete'
  | 'move'
  | 'search'
  | 'execute'
  | 'fetch'
  | 'other'
  | 'think'
  | 'switch_mode'

/** `line` is 1-based. */
export type FileLocation = { path: string; line?: number }
/** `oldText` is null when the file did not exist. */
export type FileDiff = { path: string; oldText: string | null; newText: string }
export type ReadFileLine = { number: number; text: string }

export type GenericCallView = {
  card: 'generic'
  /** One line of Markdown, arguments in it through `code()`; plain text for the kinds execute, edit, delete and move. */
  title: string
  kind?: ToolCallKind
  rawInput?: unknown
  content?: ContentBlock[]
  locations?: FileLocation[]
}
export type TerminalCallView = {
  card: 'terminal'
  /** The exact command. */
  title: string
  description?: string
  cwd?: string
}
export type DiffCallView = {
  card: 'diff'
  /** Plain text. */
  title: string
  diffs: FileDiff[]
  locations?: FileLocation[]
  kind?: 'edit' | 'delete' | 'move'
}

export type ToolCallView = GenericCallView | TerminalCallView | DiffCallView

export type GenericResultView = { card: 'generic'; title?: string; content?: ContentBlock[] }
/** `exitCode` or `signal`, never both. */
export type TerminalResultView = {
  card: 'terminal'
  title?: string
  output?: string
  exitCode?: number
  signal?: string
  note?: string
}
export type DiffResultView = { card: 'diff'; title?: string; diffs: FileDiff[]; locations?: FileLocation[] }
export type FileMatches = { path: string; matches: { lineNumber: number; line: string }[] }
type SearchCounts = {
  title?: string
  truncated: boolean
  total: number
  /** The total is a lower bound. */
  atLeast?: boolean
}
export type SearchMatchesView = { card: 'search'; shape: 'matches'; files: FileMatches[] } & SearchCounts
export type SearchPathsView = { card: 'search'; shape: 'paths'; paths: string[] } & SearchCounts
export type ReadResultView = {
  card: 'read'
  title?: string
  path: string
  /** 1-based; stands even when `lines` is empty. */
  offset: number
  lines: ReadFileLine[]
  totalLines: number
  /** A language tag for the fence. */
  lang?: string
  /** For consumers that can't draw lines. */
  content?: ContentBlock[]
}
export type WebSource = { url: string; title?: string; snippet?: string; publishedAt?: string }
export type WebSearchView = {
  card: 'web'
  kind: 'search'
  title?: string
  sources: WebSource[]
  answer?: string
  truncated: boolean
}
export type WebFetchView = {
  card: 'web'
  kind: 'fetch'
  title?: string
  url: string
  statusCode: number
  truncated: boolean
}

export type ToolResultView =
  | GenericResultView
  | TerminalResultView
  | DiffResultView
  | SearchMatchesView
  | SearchPathsView
  | ReadResultView
  | WebSearchView
  | WebFetchView

/** For the default arm of an exhaustive switch: a new member of the union stops the compiler here. */
export function assertNever(value: never): never {
  throw new TypeError(`unexpected variant: ${JSON.stringify(value)}`)
}

/** Inline Markdown code around an argument, safe for any text (backticks, stars, newlines). */
export function code(text: string): string {
  const flat = text.replaceAll(/\s*\n\s*/g, ' ')
  const ticks = '`'.repeat(longestTicks(flat) + 1)
  const pad = flat.startsWith('`') || flat.endsWith('`') || flat.trim() === '' ? ' ' : ''
  return `${ticks}${pad}${flat}${pad}${ticks}`
}

/** A block of Markdown code that no text can break out of. */
export function fence(text: string, lang = ''): string {
  const ticks = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  const end = text === '' || text.endsWith('\n') ? '' : '\n'
  return `${ticks}${lang.replaceAll(/[^\w+#.-]/g, '')}\n${text}${end}${ticks}`
}

function longestTicks(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)
}
