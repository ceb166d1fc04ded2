// bash: one command in a fresh shell.
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolArgsError, ToolError } from '#registry/errors.ts'
import type { ToolRunContext } from '#registry/types.ts'
import { type ShellResult, ShellStartError } from '#workspace/shell.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { capContent, type Ending, endingMeta, endingText, terminalView } from './output.ts'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 30 * 60_000

const BASH_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    exitCode: { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true },
    signal: { oneOf: [{ type: 'string' }, { type: 'null' }], required: true },
    timedOut: { type: 'boolean', required: true },
    output: { type: 'string', required: true },
    truncated: { type: 'boolean', required: true },
  },
} as const

type BashArgs = { command: string; description?: string; workdir?: string; timeout_ms?: number }

export function bashTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'bash',
    description:
      'Runs a command with bash, each call in a fresh non-login shell: directory changes and variables do not stay. ' +
      'Standard input is closed. Standard output and error are one stream; long output is cut in the middle. ' +
      'Times out after 120 s unless timeout_ms says otherwise (at most 30 min).',
    parameters: {
      command: { type: 'string', required: true },
      description: { type: 'string', description: 'What the command is for, in a few words.' },
      workdir: {
        type: 'string',
        description: 'Directory to run in. Default: the working directory of the session.',
      },
      timeout_ms: { type: 'integer', description: 'Default 120000, maximum 1800000.' },
    },
    output: {
      schema: BASH_SCHEMA,
      render: (args, value) => [{ type: 'text', text: endingText(value, timeoutOf(args)) }],
      presentationMeta: (args, value) => endingMeta(value, timeoutOf(args)),
    },
    execute: (args, exec) => run(workspace, args, exec),
    finalizeContent: (_exec, { content }) => capContent(content),
    presentCall: ({ command, description, workdir }) => ({
      card: 'terminal',
      title: command,
      ...(description !== undefined && { description }),
      ...(workdir !== undefined && { cwd: workdir }),
    }),
    presentResult: (_args, { meta }) => terminalView(meta),
  })
}

function timeoutOf({ timeout_ms: asked = DEFAULT_TIMEOUT_MS }: { timeout_ms?: number }): number {
  return Math.min(asked, MAX_TIMEOUT_MS)
}

async function run(workspace: Workspace, args: BashArgs, exec: ToolRunContext): Promise<Ending> {
  const timeoutMs = timeoutOf(args)
  if (timeoutMs < 1) throw new ToolArgsError([`timeout_ms must be at least 1, got ${timeoutMs}`])
  if (args.command.includes('\0')) throw new ToolArgsError(['command must not contain NUL characters'])
  const cwd = args.workdir === undefined ? workspace.cwd : workspace.resolve(args.workdir)
  const command = { command: args.command, cwd, timeoutMs, signal: exec.signal }
  const result = await workspace.shell
    .run({ ...command, onOutput: (data) => exec.report({ kind: 'output', data }) })
    .catch((error: unknown) => {
      throw notStarted(error)
    })
  const { aborted, omitted, ...ending } = result
  if (aborted) throw cancelled(result, timeoutMs)
  return { ...ending, truncated: omitted > 0 }
}

function notStarted(error: unknown): unknown {
  if (!(error instanceof ShellStartError)) return error
  const meta = { output: '', rawOutput: { exitCode: null, signal: null, timedOut: false, truncated: false } }
  return new ToolError('SHELL_START_FAILED', `the command was not started: ${error.message}`, {
    meta,
    cause: error,
  })
}

function cancelled({ aborted, omitted, ...rest }: ShellResult, timeoutMs: number): ToolError {
  const ending = { ...rest, truncated: omitted > 0 }
  const output = ending.output.trimEnd()
  const tail = output === '' ? 'it had written nothing' : `its output so far:\n${output}`
  return new ToolError('ABORTED', `the command was cancelled; ${tail}`, {
    meta: endingMeta(ending, timeoutMs, aborted),
  })
}
