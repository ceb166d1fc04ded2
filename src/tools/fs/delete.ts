// delete: takes away a file, a link or a directory.
import type { InferValue } from '#json/spec.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolError } from '#registry/errors.ts'
import type { ToolRunContext } from '#registry/types.ts'
import type { DiffResultView, ToolCallView } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import { withPathLock } from '#workspace/path-lock.ts'
import { toLf } from '#workspace/text.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { findEntry, type FoundEntry, MOST_ENTRIES, placeOf, reportSnapshots, textAt } from './entry.ts'
import { fsError, guarded } from './failure.ts'

type DeleteArgs = { path: string; recursive?: boolean }

const DELETE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    path: { type: 'string', required: true, description: 'absolute' },
    kind: { type: 'string', enum: ['file', 'directory', 'link', 'other'], required: true },
    entries: { type: 'integer', required: true, description: 'what was below a directory, at most 10000' },
    before: {
      type: 'string',
      description: 'the text of a file, absent beyond 1 MiB and for what is no text',
    },
  },
} as const
type DeleteValue = InferValue<typeof DELETE_SCHEMA>

const SHOWN_ENTRIES = 50

export function deleteTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'delete',
    description:
      'Deletes a file, a link (not what it points to) or an empty directory. recursive deletes a directory with all that is in it.',
    parameters: {
      path: { type: 'string', required: true, description: 'What to delete, absolute or relative.' },
      recursive: { type: 'boolean', description: 'Delete a directory that is not empty.' },
    },
    output: {
      schema: DELETE_SCHEMA,
      render: (args, value) => [{ type: 'text', text: outcome(args, value) }],
      presentationMeta: (_args, { kind, entries, before }) => ({
        kind,
        entries,
        ...(before !== undefined && { oldText: toLf(before) }),
      }),
    },
    violations: ({ path }) => emptyOnes({ path }),
    preview: (args) => guarded(args.path, () => previewDelete(workspace, args)),
    execute: (args, exec) => guarded(args.path, () => remove(workspace, args, exec)),
    presentCall: ({ path, recursive }) =>
      recursive ? treeView(path, undefined) : { card: 'diff', ...titled(path), kind: 'delete', diffs: [] },
    presentResult: ({ path }, { isError, meta }) => (isError ? undefined : deletedView(path, meta)),
  })
}

function titled(path: string): { title: string; locations: { path: string }[] } {
  return { title: `Delete ${path}`, locations: [{ path }] }
}

async function findDoomed(
  workspace: Workspace,
  args: DeleteArgs,
): Promise<{ entry: FoundEntry; below: string[] }> {
  const entry = await findEntry(workspace, args.path)
  const below = entry.kind === 'directory' ? await workspace.files.below(entry.place, MOST_ENTRIES) : []
  if (below.length > 0 && args.recursive !== true) {
    throw fsError(
      'FS_NOT_EMPTY',
      `${args.path} is a directory that holds ${counted(below.length)}; set recursive to delete all of it`,
    )
  }
  return { entry, below: below.map(({ path }) => path) }
}

async function previewDelete(workspace: Workspace, args: DeleteArgs): Promise<ToolCallView> {
  const { entry, below } = await findDoomed(workspace, args)
  const before = await textAt(workspace, entry)
  const path = args.path
  if (!before) return treeView(path, entry.kind === 'directory' ? below : undefined)
  return {
    card: 'diff',
    ...titled(path),
    kind: 'delete',
    diffs: [{ path, oldText: toLf(before.text), newText: '' }],
  }
}

function treeView(path: string, below: readonly string[] | undefined): ToolCallView {
  const view = {
    card: 'generic',
    ...titled(path),
    kind: 'delete',
    rawInput: { path },
  } as const
  if (below === undefined) return view
  const shown = below.slice(0, SHOWN_ENTRIES)
  const more = below.length > shown.length ? [`… and ${counted(below.length - shown.length)} more`] : []
  const text = [`Deletes the directory and ${counted(below.length)} in it:`, ...shown, ...more].join('\n')
  return { ...view, content: [{ type: 'text', text }] }
}

function counted(entries: number): string {
  if (entries >= MOST_ENTRIES) return `at least ${MOST_ENTRIES} entries`
  return entries === 1 ? '1 entry' : `${entries} entries`
}

async function remove(workspace: Workspace, args: DeleteArgs, exec: ToolRunContext): Promise<DeleteValue> {
  const place = await placeOf(workspace, args.path)
  return withPathLock(place, async () => {
    const { entry, below } = await findDoomed(workspace, args)
    const before = await textAt(workspace, entry)
    if (exec.signal.aborted) throw new ToolError('ABORTED', `cancelled; ${args.path} was not deleted`)
    await reportSnapshots(workspace, exec, entry)
    await workspace.files.remove(place, args.recursive === true)
    workspace.observations.forget(place)
    const { kind } = entry
    return { path: place, kind, entries: below.length, ...(before && { before: before.text }) }
  })
}

function outcome({ path }: DeleteArgs, { kind, entries }: DeleteValue): string {
  switch (kind) {
    case 'directory':
      return entries === 0
        ? `Deleted the empty directory ${path}.`
        : `Deleted ${path} and ${counted(entries)} in it.`
    case 'link':
      return `Deleted the link ${path}; what it pointed to is still there.`
    default:
      return `Deleted ${path}.`
  }
}

function deletedView(path: string, meta: JsonValue | undefined): DiffResultView | undefined {
  if (!isJsonObject(meta) || typeof meta['oldText'] !== 'string') return undefined
  return { card: 'diff', diffs: [{ path, oldText: meta['oldText'], newText: '' }], locations: [{ path }] }
}
