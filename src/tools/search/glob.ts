// glob: the files whose paths match, newest first.
import type { InferValue } from '#json/spec.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { code, type SearchPathsView } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { acceptGlob } from './accept.ts'
import { countLine, guardedSearch, leftOut, pageFaults, pageOf, searchRoot } from './scope.ts'

const MAX_PATHS = 200

type GlobArgs = { pattern: string; path?: string; include_ignored?: boolean; offset?: number; limit?: number }

const GLOB_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    root: { type: 'string', required: true },
    paths: { type: 'array', items: { type: 'string' }, required: true },
    offset: { type: 'integer', required: true },
    total: { type: 'integer', required: true },
    truncated: { type: 'boolean', required: true },
    atLeast: { type: 'boolean', description: 'the total is a lower bound' },
  },
} as const
type GlobValue = InferValue<typeof GLOB_SCHEMA>

export function globTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'glob',
    description:
      'Lists files whose paths match a glob, newest first, at most 200 a call. `*.ts` matches at any depth below path, ' +
      '`src/**/*.ts` from path on. Hidden files are listed; .git and what ignore files exclude is not.',
    parameters: {
      pattern: { type: 'string', required: true, description: 'Such as **/*.test.ts' },
      path: { type: 'string', description: 'The directory to look in. Default: the working directory.' },
      include_ignored: { type: 'boolean', description: 'Also what ignore files exclude, and .git.' },
      offset: { type: 'integer', description: 'Paths to skip. Default 0.' },
      limit: { type: 'integer', description: 'Default and maximum 200.' },
    },
    output: {
      schema: GLOB_SCHEMA,
      render: (args, value) => [{ type: 'text', text: listing(args, value) }],
      presentationMeta: (_args, { paths, total, truncated, atLeast = false }) => ({
        paths,
        total,
        truncated,
        atLeast,
        rawOutput: { shown: paths.length, total, truncated },
      }),
    },
    isConcurrencySafe: () => true,
    violations: ({ pattern, ...page }) => [...emptyOnes({ pattern }), ...pageFaults(page)],
    execute: (args, exec) => guardedSearch(exec.signal, () => glob(workspace, args, exec.signal)),
    presentCall: ({ pattern, path, ...rest }) => ({
      card: 'generic',
      title: `Glob ${code(pattern)}${path === undefined ? '' : ` in ${code(path)}`}`,
      kind: 'search',
      rawInput: { pattern, ...(path !== undefined && { path }), ...rest },
      ...(path !== undefined && { locations: [{ path }] }),
    }),
    presentResult: (_args, { isError, meta }) => (isError ? undefined : pathsView(meta)),
  })
}

async function glob(workspace: Workspace, args: GlobArgs, signal: AbortSignal): Promise<GlobValue> {
  const { offset, limit } = pageOf(args, MAX_PATHS)
  const path = args.path ?? '.'
  const root = await searchRoot(workspace, path)
  const accepts = await acceptGlob(workspace, args.pattern, { root, spelled: path })
  const paths: string[] = []
  let total = 0
  const scope = { path, includeIgnored: args.include_ignored === true, signal }
  const { complete } = await workspace.search.files(scope, (found) => {
    if (!accepts(found)) return
    if (total >= offset && paths.length < limit) paths.push(found)
    total += 1
  })
  const truncated = paths.length < total || !complete
  return { root, paths, offset, total, truncated, ...(!complete && { atLeast: true }) }
}

function listing({ include_ignored: all = false }: GlobArgs, value: GlobValue): string {
  if (value.total === 0 && !value.atLeast) return `No files match. ${leftOut(all, 'names')}`
  return [...value.paths, '', countLine(value.paths.length, value.offset, value, 'file')]
    .join('\n')
    .trimStart()
}

/** `undefined` where the stored meta is no list of paths. */
export function pathsView(meta: JsonValue | undefined): SearchPathsView | undefined {
  if (!isJsonObject(meta) || !Array.isArray(meta['paths']) || typeof meta['total'] !== 'number')
    return undefined
  return {
    card: 'search',
    shape: 'paths',
    paths: meta['paths'].filter((path) => typeof path === 'string'),
    truncated: meta['truncated'] === true,
    total: meta['total'],
    ...(meta['atLeast'] === true && { atLeast: true }),
  }
}
