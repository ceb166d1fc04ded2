// What glob and grep share: where they look, their errors, their windows and their words.
import { thrownMessage } from '#json/thrown.ts'
import { ToolError } from '#registry/errors.ts'
import { SearchPatternError } from '#workspace/search.ts'
import type { Workspace } from '#workspace/workspace.ts'

export interface Page {
  offset: number
  limit: number
}

type AskedPage = { offset?: number; limit?: number }

/** What is wrong with an offset below 0 or a limit below 1. */
export function pageFaults({ offset = 0, limit = 1 }: AskedPage): string[] {
  const faults: string[] = []
  if (offset < 0) faults.push(`offset must not be negative, got ${offset}`)
  if (limit < 1) faults.push(`limit must be at least 1, got ${limit}`)
  return faults
}

/** A limit above the maximum is the maximum. */
export function pageOf({ offset = 0, limit }: AskedPage, maximum: number): Page {
  return { offset, limit: Math.min(limit ?? maximum, maximum) }
}

/** The absolute root of a search. */
export async function searchRoot(workspace: Workspace, path: string): Promise<string> {
  const root = workspace.resolve(path)
  if (await workspace.files.stat(root)) return root
  throw new ToolError('FS_NOT_FOUND', `${path} does not exist; check the path with glob`)
}

/** Runs a search; its failures become `ToolError`s. */
export async function guardedSearch<T>(signal: AbortSignal, search: () => Promise<T>): Promise<T> {
  try {
    return await search()
  } catch (error) {
    if (error instanceof ToolError) throw error
    if (error instanceof SearchPatternError) {
      throw new ToolError('SEARCH_INVALID_PATTERN', `the pattern is invalid: ${error.message}`, {
        cause: error,
      })
    }
    if (signal.aborted) throw new ToolError('ABORTED', 'the search was cancelled', { cause: error })
    const reason = thrownMessage(error)
    throw new ToolError('SEARCH_FAILED', reason, { cause: error })
  }
}

/** What an empty result did not look at. */
export function leftOut(includeIgnored: boolean, what: 'names' | 'contents'): string {
  const binary = what === 'contents' ? 'binary files' : undefined
  const ignored = includeIgnored ? [] : ['files that ignore rules exclude', '.git']
  const parts = [...ignored, ...(binary === undefined ? [] : [binary])]
  if (parts.length === 0) return 'Every file was looked at, ignored ones and .git too.'
  const hint = includeIgnored
    ? ''
    : '; set include_ignored to search ignored files and .git too, or name them as the path'
  const list = parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
  return `Not searched: ${list}${hint}.`
}

export interface Counted {
  total: number
  truncated: boolean
  atLeast?: boolean
}

/** `40 matches`, or which part of how many this is. */
export function countLine(
  shown: number,
  offset: number,
  { total, truncated, atLeast }: Counted,
  noun: string,
): string {
  const many = total === 1 && !atLeast ? noun : plural(noun)
  const all = `${atLeast ? 'at least ' : ''}${total} ${many}`
  if (shown === 0 && total > 0) return `[offset ${offset} is past the end: ${all}]`
  if (!truncated && offset === 0) return `[${all}${atLeast ? '; the search was cut short' : ''}]`
  const next = offset + shown < total ? `; continue with offset ${offset + shown}` : ''
  return `[${offset + 1}–${offset + shown} of ${all}${next}]`
}

function plural(noun: string): string {
  return noun.endsWith('h') ? `${noun}es` : `${noun}s`
}
