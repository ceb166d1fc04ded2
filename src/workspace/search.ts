// Searching a tree: the port, and what its implementation promises.

export interface SearchScope {
  /** Where to look: a file or directory, absolute or relative to the workspace's cwd. Searched even if ignored. */
  path: string
  /** Also what ignore files exclude, and `.git`. */
  includeIgnored: boolean
  signal: AbortSignal
}

export interface LineSearch extends SearchScope {
  /** A Rust regular expression. */
  pattern: string
  ignoreCase: boolean
  multiline: boolean
  /** Lines around a match. */
  context: number
  /** Narrows the files, before their lines count. */
  accepts?(path: string): boolean
}

/** How many matches a file has. */
export interface FileHit {
  path: string
  /** Lines that match; matches where they may span lines; 1 where only the file was asked for. */
  count: number
}

export interface LineHit {
  kind: 'match' | 'context'
  path: string
  /** 1-based; of the first line where a match spans several. */
  lineNumber: number
  /** Without the final line end. */
  line: string
}

/** `complete: false`: a cap (30 s, 20 MB of raw output) ended the search, so counts are lower bounds. */
export interface SearchEnd {
  complete: boolean
}

/** The pattern is no regular expression, or no glob; the message is the reason. */
export class SearchPatternError extends Error {
  override readonly name = 'SearchPatternError'
}

/**
 * Links are not followed, hidden files are searched, `.git` and what ignore files exclude is not. Paths come as the
 * scope's path prefixes them. Rejects with `SearchPatternError`, the signal's reason, or another error.
 */
export interface Search {
  /** Newest first. */
  files(scope: SearchScope, onPath: (path: string) => void): Promise<SearchEnd>
  /** File by file, in the order of the paths. */
  lines(search: LineSearch, onHit: (hit: LineHit) => void): Promise<SearchEnd>
  /** Files with a match in the order of the paths; `counting` their matches takes longer. */
  matching(search: LineSearch & { counting: boolean }, onFile: (hit: FileHit) => void): Promise<SearchEnd>
}
