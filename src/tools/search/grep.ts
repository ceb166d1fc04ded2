// grep: lines that match a regular expression, or the files and counts of them.
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { code, type FileMatches, type ToolResultView } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import type { FileHit, LineSearch } from '#workspace/search.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { acceptGlob } from './accept.ts'
import { pathsView } from './glob.ts'
import { GREP_SCHEMA, type GrepArgs, type GrepValue } from './grep-value.ts'
import { grepText } from './grep-text.ts'
import { guardedSearch, type Page, pageFaults, pageOf, searchRoot } from './scope.ts'
import { createTally } from './tally.ts'

const MAX_MATCHES = 250
const MAX_CONTEXT = 20

export function grepTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'grep',
    description:
      'Searches file contents with a regular expression (Rust syntax, as ripgrep), at most 250 results a call. ' +
      'Hidden files are searched; .git and what ignore files exclude is not, unless named as the path.',
    parameters: {
      pattern: { type: 'string', required: true, description: 'The regular expression.' },
      path: { type: 'string', description: 'File or directory. Default: the working directory.' },
      include: { type: 'string', description: 'Only files whose paths match this glob, such as *.ts' },
      ignore_case: { type: 'boolean' },
      multiline: { type: 'boolean', description: 'Let a match span lines.' },
      context: { type: 'integer', description: 'Lines to show around each match, at most 20.' },
      output: {
        type: 'string',
        enum: ['matches', 'files', 'count'],
        description: 'matches (default): lines; files: paths only; count: matches per file.',
      },
      include_ignored: { type: 'boolean', description: 'Also what ignore files exclude, and .git.' },
      offset: { type: 'integer', description: 'Results to skip. Default 0.' },
      limit: { type: 'integer', description: 'Default and maximum 250.' },
    },
    output: {
      schema: GREP_SCHEMA,
      render: (args, value) => [{ type: 'text', text: grepText(args, value) }],
      presentationMeta: (_args, value) => metaOf(value),
    },
    isConcurrencySafe: () => true,
    violations: violationsOf,
    execute: (args, exec) => guardedSearch(exec.signal, () => grep(workspace, args, exec.signal)),
    presentCall: ({ pattern, path, ...rest }) => ({
      card: 'generic',
      title: `Grep ${code(pattern)}${path === undefined ? '' : ` in ${code(path)}`}`,
      kind: 'search',
      rawInput: { pattern, ...(path !== undefined && { path }), ...rest },
      ...(path !== undefined && { locations: [{ path }] }),
    }),
    presentResult: (_args, { isError, meta }) => (isError ? undefined : grepView(meta)),
  })
}

function violationsOf({ pattern, context = 0, ...page }: GrepArgs): string[] {
  const negative = context < 0 ? [`context must not be negative, got ${context}`] : []
  return [...emptyOnes({ pattern }), ...negative, ...pageFaults(page)]
}

async function grep(workspace: Workspace, args: GrepArgs, signal: AbortSignal): Promise<GrepValue> {
  const page = pageOf(args, MAX_MATCHES)
  const { context = 0, path = '.', output = 'matches', include } = args
  const root = await searchRoot(workspace, path)
  const search = {
    path,
    includeIgnored: args.include_ignored === true,
    signal,
    pattern: args.pattern,
    ignoreCase: args.ignore_case === true,
    multiline: args.multiline === true,
    context: output === 'matches' ? Math.min(context, MAX_CONTEXT) : 0,
    ...(include !== undefined && {
      accepts: await acceptGlob(workspace, include, { root, spelled: path }),
    }),
  }
  return output === 'matches'
    ? grepMatches(workspace, search, { root, page })
    : grepFiles(workspace, search, { root, page, output })
}

async function grepMatches(
  workspace: Workspace,
  search: LineSearch,
  { root, page }: { root: string; page: Page },
): Promise<GrepValue> {
  const tally = createTally(page, search.context)
  const { complete } = await workspace.search.lines(search, tally.add)
  const counted = countedOf({ root, page, complete }, tally.shown(), tally.total())
  return { output: 'matches', ...counted, files: tally.files }
}

async function grepFiles(
  workspace: Workspace,
  search: LineSearch,
  { root, page, output }: { root: string; page: Page; output: 'files' | 'count' },
): Promise<GrepValue> {
  const counts: FileHit[] = []
  let matches = 0
  let total = 0
  const { complete } = await workspace.search.matching({ ...search, counting: output === 'count' }, (hit) => {
    if (total >= page.offset && counts.length < page.limit) counts.push(hit)
    total += 1
    matches += hit.count
  })
  const counted = countedOf({ root, page, complete }, counts.length, total)
  return output === 'files'
    ? { output, ...counted, paths: counts.map(({ path }) => path) }
    : { output, ...counted, counts, matches }
}

type Found = { root: string; page: Page; complete: boolean }

function countedOf({ root, page, complete }: Found, shown: number, total: number) {
  return {
    root,
    offset: page.offset,
    total,
    truncated: shown < total || !complete,
    ...(!complete && { atLeast: true }),
  }
}

function metaOf(value: GrepValue): JsonValue {
  const { output, total, truncated, atLeast = false } = value
  const counts = { total, truncated, atLeast, rawOutput: { output, total, truncated } }
  if (output === 'matches') return { ...counts, files: value.files }
  return output === 'files' ? { ...counts, paths: value.paths } : counts
}

/** Counts per file have no card of their own: the generic one shows the text. */
function grepView(meta: JsonValue | undefined): ToolResultView | undefined {
  if (!isJsonObject(meta) || !Array.isArray(meta['files']) || typeof meta['total'] !== 'number')
    return pathsView(meta)
  return {
    card: 'search',
    shape: 'matches',
    files: meta['files'].flatMap(fileMatches),
    truncated: meta['truncated'] === true,
    total: meta['total'],
    ...(meta['atLeast'] === true && { atLeast: true }),
  }
}

function fileMatches(file: JsonValue): FileMatches[] {
  if (!isJsonObject(file) || typeof file['path'] !== 'string' || !Array.isArray(file['matches'])) return []
  const matches = file['matches'].flatMap((match) => {
    if (!isJsonObject(match) || match['context'] === true) return []
    const { lineNumber, line } = match
    return typeof lineNumber === 'number' && typeof line === 'string' ? [{ lineNumber, line }] : []
  })
  return [{ path: file['path'], matches }]
}
