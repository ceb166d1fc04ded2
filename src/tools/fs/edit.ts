// edit: replaces one exact piece of a file that was read, or all of its occurrences.
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolArgsError, type ToolError } from '#registry/errors.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { type ChangeValue, formattedNote, type PlannedChange } from './change.ts'
import { changeMembers } from './change-tool.ts'
import { fsError, notFound } from './failure.ts'
import { findMatches, lineAt } from './match.ts'
import { nearestLines } from './nearest.ts'
import { presentFile, requireSeen } from './present-file.ts'

type EditArgs = { file_path: string; old_string: string; new_string: string; replace_all?: boolean }

export function editTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'edit',
    description:
      'Replaces old_string by new_string in a file that you have read. old_string must be in the file exactly once, ' +
      'white space included and without line numbers; give enough lines around it, or set replace_all. ' +
      'Everything else stays byte for byte.',
    parameters: {
      file_path: { type: 'string', required: true, description: 'The file, absolute or relative.' },
      old_string: { type: 'string', required: true, description: 'The exact text to replace.' },
      new_string: { type: 'string', required: true, description: 'What stands there afterwards.' },
      replace_all: { type: 'boolean', description: 'Replace every occurrence. Needs the whole file read.' },
    },
    ...changeMembers<EditArgs>(workspace, {
      title: titleOf,
      plan: (args) => planEdit(workspace, args),
      outcome,
    }),
    presentCall: ({ file_path: path, old_string: oldText, new_string: newText }) => ({
      card: 'diff',
      title: titleOf(path),
      diffs: [{ path, oldText, newText }],
      locations: [{ path }],
    }),
  })
}

function titleOf(path: string): string {
  return `Edit ${path}`
}

async function planEdit(workspace: Workspace, args: EditArgs): Promise<PlannedChange> {
  const { file_path: path, old_string: oldString, new_string: newString, replace_all: all = false } = args
  if (oldString === '') throw new ToolArgsError(['old_string must not be empty; use write for a new file'])
  if (oldString === newString) throw new ToolArgsError(['old_string and new_string are the same'])
  const file = await presentFile(workspace, path)
  if (!file) throw notFound(path, 'use write to create it')
  requireSeen(workspace, file, all ? 'whole' : 'part')
  const { realPath, text, encoding } = file
  const { offsets, count, replace } = findMatches(text, oldString)
  if (offsets.length === 0) throw noMatch(path, text, oldString)
  if (offsets.length > 1 && !all) throw ambiguous(path, text, offsets)
  const after = { text: replace(newString), encoding }
  return { path, realPath, before: { text, encoding }, after, replacements: count }
}

function noMatch(path: string, text: string, oldString: string): ToolError {
  const near = nearestLines(text, oldString)
  const hint =
    near === '' ? 'no line of it is similar; read it again' : `the most similar lines are:\n${near}`
  return fsError('FS_EDIT_NOT_FOUND', `old_string is not in ${path}; ${hint}`)
}

const SHOWN_LINES = 20

function ambiguous(path: string, text: string, found: readonly number[]): ToolError {
  const lines = found.slice(0, SHOWN_LINES).map((offset) => lineAt(text, offset))
  const more = found.length > SHOWN_LINES ? ', …' : ''
  return fsError(
    'FS_AMBIGUOUS_EDIT',
    `old_string is in ${path} ${found.length} times (lines ${lines.join(', ')}${more}); ` +
      'give more of the text around the one you mean, or set replace_all',
  )
}

function outcome({ file_path: path }: EditArgs, value: ChangeValue): string {
  const { operation, omitted, replacements, diff } = value
  if (operation === 'unchanged') return `The edit leaves ${path} as it is; nothing was written.`
  const count = replacements === 1 ? '1 occurrence' : `${replacements} occurrences`
  const line = diff?.lines[0]
  const where =
    line === undefined ? '' : replacements === 1 ? ` at line ${line}` : `, the first at line ${line}`
  return `Edited ${path}: replaced ${count}${where}${omitted ? ' (the file is too large to be returned whole)' : ''}.${formattedNote(value)}`
}
