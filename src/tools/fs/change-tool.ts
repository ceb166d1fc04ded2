// A tool that changes the text of one file: planned, previewed, made and shown in one way.
import type { PresentedResult } from '#registry/definition.ts'
import type { ToolRunContext } from '#registry/types.ts'
import { withPathLock } from '#workspace/path-lock.ts'
import { emptyOnes } from '#tools/filled.ts'
import type { Workspace } from '#workspace/workspace.ts'
import {
  CHANGE_SCHEMA,
  changeMeta,
  type ChangeValue,
  changeView,
  commitChange,
  type PlannedChange,
  previewView,
} from './change.ts'
import { guarded } from './failure.ts'

type Args = { file_path: string }

export interface Change<A> {
  /** Plain text. */
  title(path: string): string
  /** Looks at the file as it is now. Throws a `ToolError` where it must not be changed so. */
  plan(args: A): Promise<PlannedChange>
  /** What the model reads. */
  outcome(args: A, value: ChangeValue): string
}

/** The members that all such tools have alike. A file is planned anew, and by one call at a time, before it is written. */
export function changeMembers<A extends Args>(workspace: Workspace, change: Change<A>) {
  return {
    output: {
      schema: CHANGE_SCHEMA,
      render: (args: A, value: ChangeValue) => [{ type: 'text' as const, text: change.outcome(args, value) }],
      presentationMeta: (_args: A, value: ChangeValue) => changeMeta(value),
    },
    violations: ({ file_path }: A) => emptyOnes({ file_path }),
    preview: (args: A) =>
      guarded(args.file_path, async () => previewView(change.title(args.file_path), await change.plan(args))),
    execute: (args: A, exec: ToolRunContext) =>
      guarded(args.file_path, async () => {
        const realPath = await workspace.files.realPath(workspace.resolve(args.file_path))
        return withPathLock(realPath, async () => commitChange(workspace, exec, await change.plan(args)))
      }),
    presentResult: ({ file_path: path }: A, result: PresentedResult) => changeView(path, result),
  }
}
