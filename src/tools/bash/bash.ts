// bash: one command in a fresh shell.
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolError } from '#registry/errors.ts'
import type { ToolRunContext } from '#registry/types.ts'
import type { ToolCallView } from '#registry/view.ts'
import { emptyOnes } from '#tools/filled.ts'
import { type ShellResult, ShellStartError } from '#workspace/command.ts'
import { TaskLimitError } from '#workspace/tasks.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { capContent, type Ending, endingMeta, endingText, terminalView } from './output.ts'

export const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 30 * 60_000

const ENDED_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    exitCode: { oneOf: [{ type: 'integer' }, { type: 'null' }], required: true },
    signal: { oneOf: [{ type: 'string' }, { type: 'null' }], required: true },
    timedOut: { type: 'boolean', required: true },
    output: { type: 'string', required: true },
    truncated: { type: 'boolean', required: true },
    outputFile: { type: 'string', description: 'absolute path of a file with all of the output' },
    leftBehind: { type: 'integer', required: true, description: 'background processes that were ended' },
  },
} as const

const STARTED_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { taskId: { type: 'string', required: true } },
} as const

type BashArgs = {
  command: string
  description?: string
  workdir?: string
  timeout_ms?: number
  run_in_background?: boolean
}

/** `timeoutMs`: the limit of a call that names none. */
export function bashTool(
  workspace: Workspace,
  { timeoutMs = DEFAULT_TIMEOUT_MS }: { timeoutMs?: number } = {},
): ToolDefinition {
  const fallback = Math.min(timeoutMs, MAX_TIMEOUT_MS)
  return defineTool({
    name: 'bash',
    description: descriptionOf(fallback),
    parameters: {
      command: { type: 'string', required: true },
      description: { type: 'string', description: 'What the command is for, in a few words.' },
      workdir: {
        type: 'string',
        description: 'Directory to run in. Default: the working directory of the session.',
      },
      timeout_ms: {
        type: 'integer',
        description: `Default ${fallback}, maximum ${MAX_TIMEOUT_MS}. A background task has no limit unless this is given.`,
      },
      run_in_background: { type: 'boolean', description: 'Start it as a task and go on at once.' },
    },
    output: {
      schema: { oneOf: [ENDED_SCHEMA, STARTED_SCHEMA] },
      render: (args, value) => [{ type: 'text', text: resultText(args, value, timeoutOf(args, fallback)) }],
      presentationMeta: (args, value) =>
        'taskId' in value ? { taskId: value.taskId } : endingMeta(value, timeoutOf(args, fallback)),
    },
    violations: violationsOf,
    execute: (args, exec) =>
      args.run_in_background
        ? startInBackground(workspace, args)
        : run(workspace, args, timeoutOf(args, fallback), exec),
    finalizeContent: (_exec, { content }) => capContent(content),
    presentCall: (args) => (args.run_in_background ? backgroundView(args) : terminalCall(args)),
    presentResult: (_args, { meta }) => terminalView(meta),
  })
}

function descriptionOf(timeoutMs: number): string {
  return (
    'Runs a command with bash, each call in a fresh non-login shell: directory changes and variables do not stay. ' +
    'Standard input is closed. Standard output and error are one stream; long output is cut in the middle, and all of ' +
    `it is in a file that the result names. Times out after ${timeoutMs / 1_000} s unless timeout_ms says otherwise (at most 30 min). ` +
    'The command is over when the shell exits, and what it left in the background is ended then: for servers and ' +
    'long jobs set run_in_background, which gives a task id for task_output and task_stop.'
  )
}

function terminalCall({ command, description, workdir }: BashArgs): ToolCallView {
  return {
    card: 'terminal',
    title: command,
    ...(description !== undefined && { description }),
    ...(workdir !== undefined && { cwd: workdir }),
  }
}

function backgroundView({ command, description, workdir }: BashArgs): ToolCallView {
  return {
    card: 'generic',
    title: `${command} (in the background)`,
    kind: 'execute',
    rawInput: {
      command,
      ...(description !== undefined && { description }),
      ...(workdir !== undefined && { workdir }),
    },
  }
}

function timeoutOf({ timeout_ms: asked }: { timeout_ms?: number }, fallback: number): number {
  return Math.min(asked ?? fallback, MAX_TIMEOUT_MS)
}

function resultText({ workdir }: BashArgs, value: Ending | { taskId: string }, timeoutMs: number): string {
  if (!('taskId' in value)) return endingText(value, timeoutMs, workdir)
  return `Started in the background as ${value.taskId}. You will be told when it ends; task_output shows what it writes.`
}

function violationsOf({ command, timeout_ms: asked = 1 }: BashArgs): string[] {
  const violations = emptyOnes({ command: command.trim() })
  if (asked < 1) violations.push(`timeout_ms must be at least 1, got ${asked}`)
  if (command.includes('\0')) violations.push('command must not contain NUL characters')
  return violations
}

/** Absolute. */
function directoryOf(workspace: Workspace, { workdir }: BashArgs): string {
  return workdir === undefined ? workspace.cwd : workspace.resolve(workdir)
}

function startInBackground(workspace: Workspace, args: BashArgs): { taskId: string } {
  const cwd = directoryOf(workspace, args)
  const { command, description, timeout_ms: timeoutMs } = args
  try {
    const { id } = workspace.tasks.start({
      command,
      cwd,
      ...(description !== undefined && { description }),
      ...(timeoutMs !== undefined && { timeoutMs: Math.min(timeoutMs, MAX_TIMEOUT_MS) }),
    })
    return { taskId: id }
  } catch (error) {
    if (!(error instanceof TaskLimitError)) throw error
    throw new ToolError('TASK_LIMIT', `${error.message}; stop one first (task_list, task_stop)`, {
      cause: error,
    })
  }
}

async function run(
  workspace: Workspace,
  args: BashArgs,
  timeoutMs: number,
  exec: ToolRunContext,
): Promise<Ending> {
  const cwd = directoryOf(workspace, args)
  const command = { command: args.command, cwd, timeoutMs, signal: exec.signal }
  const result = await workspace.shell
    .run({
      ...command,
      onOutput: (data) => exec.report({ kind: 'output', data }),
      openFile: () => workspace.outputs.create('command'),
    })
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
  const whole = ending.outputFile === undefined ? '' : ` (all of it is in ${ending.outputFile})`
  const tail = output === '' ? 'it had written nothing' : `its output so far${whole}:\n${output}`
  return new ToolError('ABORTED', `the command was cancelled; ${tail}`, {
    meta: endingMeta(ending, timeoutMs, aborted),
  })
}
