// count_lines: the example to copy for a new tool. Every member that most tools need, and nothing else.
import { isJsonObject } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolError } from '#registry/errors.ts'
import { code } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import type { Workspace } from '#workspace/workspace.ts'

/** A factory over the workspace: the only way a tool touches the world. */
export function countLinesTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'count_lines',
    description: 'Counts the lines of a file.',
    parameters: {
      file_path: { type: 'string', required: true, description: 'The file, absolute or relative.' },
    },
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { lines: { type: 'integer', required: true } },
      },
      render: ({ file_path: path }, { lines }) => [{ type: 'text', text: `${path} has ${lines} lines.` }],
      presentationMeta: (_args, { lines }) => ({ lines }),
    },
    isConcurrencySafe: () => true,
    violations: ({ file_path }) => emptyOnes({ file_path }),
    execute: ({ file_path: path }, exec) => count(workspace, path, exec.signal),
    presentCall: ({ file_path: path }) => ({
      card: 'generic',
      title: `Count lines of ${code(path)}`,
      kind: 'read',
      locations: [{ path }],
    }),
    presentResult({ file_path: path }, { isError, meta }) {
      if (isError || !isJsonObject(meta) || typeof meta['lines'] !== 'number') return undefined
      return { card: 'generic', title: `${code(path)}: ${meta['lines']} lines` }
    },
  })
}

async function count(workspace: Workspace, path: string, signal: AbortSignal): Promise<{ lines: number }> {
  const absolute = workspace.resolve(path)
  const stat = await workspace.files.stat(absolute)
  if (stat?.kind !== 'file')
    throw new ToolError('FS_NOT_FOUND', `${path} is no file; check the path with glob`)
  let newlines = 0
  let last = 0x0a
  for await (const bytes of workspace.files.stream(absolute, signal)) {
    newlines += bytes.reduce((sum, byte) => (byte === 0x0a ? sum + 1 : sum), 0)
    last = bytes.at(-1) ?? last
  }
  return { lines: last === 0x0a ? newlines : newlines + 1 }
}
