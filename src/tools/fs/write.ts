// write: creates a file, or replaces all of one that was read.
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { MARKED_UTF8, UTF8 } from '#workspace/encoding.ts'
import { countLines, dominantLineEnding, withLineEnding } from '#workspace/text.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { type ChangeValue, formattedNote, type PlannedChange } from './change.ts'
import { changeMembers } from './change-tool.ts'
import { presentFile, requireSeen } from './present-file.ts'

type WriteArgs = { file_path: string; content: string }

export function writeTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'write',
    description:
      'Creates a file with this content, parents included, or replaces the whole content of a file that you have ' +
      'read completely. To change a part of a file use edit. Encoding, byte order mark and CRLF line ends of the old file are kept.',
    parameters: {
      file_path: { type: 'string', required: true, description: 'The file, absolute or relative.' },
      content: { type: 'string', required: true, description: 'All of the new content.' },
    },
    ...changeMembers<WriteArgs>(workspace, {
      title: titleOf,
      plan: (args) => planWrite(workspace, args),
      outcome,
    }),
    presentCall: ({ file_path: path, content }) => ({
      card: 'diff',
      title: titleOf(path),
      diffs: [{ path, oldText: null, newText: content }],
      locations: [{ path }],
    }),
  })
}

function titleOf(path: string): string {
  return `Write ${path}`
}

async function planWrite(
  workspace: Workspace,
  { file_path: path, content }: WriteArgs,
): Promise<PlannedChange> {
  const marked = content.startsWith('\uFEFF')
  const text = marked ? content.slice(1) : content
  const file = await presentFile(workspace, path)
  const asked = marked ? MARKED_UTF8 : UTF8
  if (!file) {
    const realPath = await workspace.files.realPath(workspace.resolve(path))
    return { path, realPath, before: null, after: { text, encoding: asked } }
  }
  requireSeen(workspace, file, 'whole')
  const { realPath } = file
  const ended = text.includes('\r\n') ? text : withLineEnding(text, dominantLineEnding(file.text))
  const encoding = file.encoding.name === 'utf-8' && marked ? MARKED_UTF8 : file.encoding
  return {
    path,
    realPath,
    before: { text: file.text, encoding: file.encoding },
    after: { text: ended, encoding },
  }
}

function outcome({ file_path: path, content }: WriteArgs, value: ChangeValue): string {
  const { operation, omitted } = value
  const lines = countLines(content)
  const size = `${lines} ${lines === 1 ? 'line' : 'lines'}`
  const note = omitted ? ' (too large to be returned whole)' : ''
  if (operation === 'unchanged') return `${path} has this content already; nothing was written.`
  return `${operation === 'create' ? 'Created' : 'Replaced'} ${path} (${size})${note}.${formattedNote(value)}`
}
