// move: renames a file, a link or a directory; never over something else.
import type { InferValue } from '#json/spec.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolError } from '#registry/errors.ts'
import type { ToolRunContext } from '#registry/types.ts'
import type { DiffCallView } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import { contains } from '#workspace/path-inside.ts'
import { withPathLocks } from '#workspace/path-lock.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { reportSnapshot } from './change.ts'
import { findEntry, type FoundEntry, placeOf, reportSnapshots } from './entry.ts'
import { fsError, guarded } from './failure.ts'

/** Files of a directory that are kept for a rewind; of a larger one only those that the session knows. */
const MOST_KEPT = 200

type MoveArgs = { from: string; to: string }

const MOVE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    from: { type: 'string', required: true, description: 'absolute' },
    to: { type: 'string', required: true, description: 'absolute' },
    kind: { type: 'string', enum: ['file', 'directory', 'link', 'other'], required: true },
  },
} as const
type MoveValue = InferValue<typeof MOVE_SCHEMA>

export function moveTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'move',
    description:
      'Moves or renames a file, a link or a directory. to is the new path itself, not the directory to put it in; ' +
      'nothing may be there yet. Missing parents are created.',
    parameters: {
      from: { type: 'string', required: true, description: 'What to move, absolute or relative.' },
      to: { type: 'string', required: true, description: 'Its new path.' },
    },
    output: {
      schema: MOVE_SCHEMA,
      render: ({ from, to }, { kind }) => [
        { type: 'text', text: `Moved ${kind === 'directory' ? 'the directory ' : ''}${from} to ${to}.` },
      ],
    },
    violations: ({ from, to }) => emptyOnes({ from, to }),
    preview: (args) =>
      guarded(args.from, async () => {
        await findMove(workspace, args)
        return moveView(args)
      }),
    execute: (args, exec) => guarded(args.from, () => move(workspace, args, exec)),
    presentCall: moveView,
    presentResult: ({ from, to }, { isError }) =>
      isError ? undefined : { card: 'generic', content: [{ type: 'text', text: `Moved ${from} to ${to}` }] },
  })
}

function moveView({ from, to }: MoveArgs): DiffCallView {
  const locations = [{ path: from }, { path: to }]
  return { card: 'diff', title: `Move ${from} to ${to}`, kind: 'move', diffs: [], locations }
}

async function findMove(
  workspace: Workspace,
  { from, to }: MoveArgs,
): Promise<{ entry: FoundEntry; target: string }> {
  const entry = await findEntry(workspace, from)
  const target = await placeOf(workspace, to)
  if (target === entry.place) throw fsError('FS_INVALID_MOVE', `${from} and ${to} are the same place`)
  if (contains(entry.place, target)) throw fsError('FS_INVALID_MOVE', `${to} is inside ${from}`)
  const present = await workspace.files.entry(target)
  if (present && target.toLowerCase() !== entry.place.toLowerCase()) throw exists(to, present.kind)
  return { entry, target }
}

function exists(to: string, kind: string): ToolError {
  const hint =
    kind === 'directory' ? 'give the new path itself, not the directory to put it in' : 'nothing was moved'
  return fsError('FS_EXISTS', `${to} exists already; ${hint}`)
}

async function move(workspace: Workspace, args: MoveArgs, exec: ToolRunContext): Promise<MoveValue> {
  const places = [await placeOf(workspace, args.from), await placeOf(workspace, args.to)] as const
  return withPathLocks(places, async () => {
    const { entry, target } = await findMove(workspace, args)
    if (exec.signal.aborted) throw new ToolError('ABORTED', `cancelled; ${args.from} was not moved`)
    const known = (places: readonly string[]): readonly string[] =>
      places.length > MOST_KEPT ? places.filter((place) => workspace.observations.see(place)) : places
    for (const { place, version } of await reportSnapshots(workspace, exec, entry, known)) {
      await reportSnapshot(exec, target + place.slice(entry.place.length), null, version)
    }
    await workspace.files.move(entry.place, target)
    for (const observation of workspace.observations.moved(entry.place, target)) {
      await exec.report({ kind: 'observed', ...observation })
    }
    return { from: entry.place, to: target, kind: entry.kind }
  })
}
