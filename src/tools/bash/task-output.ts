// task_output: what a background task wrote since the last look, and how it stands.
import { setTimeout as sleep } from 'node:timers/promises'
import type { InferValue } from '#json/spec.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolArgsError, ToolError } from '#registry/errors.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { capContent } from './output.ts'
import { taskStatus, unknownTask } from './task-text.ts'

const DEFAULT_WAIT_MS = 30_000
const MAX_WAIT_MS = 10 * 60_000

const NEWS_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'string', required: true },
    running: { type: 'boolean', required: true },
    status: { type: 'string', required: true },
    exitCode: { type: 'integer' },
    signal: { type: 'string' },
    output: { type: 'string', required: true },
    omitted: { type: 'integer', required: true, description: 'bytes of new output that are left out' },
    outputFile: { type: 'string' },
  },
} as const
type News = InferValue<typeof NEWS_SCHEMA>
type Args = { id: string; wait?: boolean; timeout_ms?: number }

export function taskOutputTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'task_output',
    description:
      'Shows what a background task has written since you last looked, and whether it still runs. With wait it waits ' +
      'for the end of the task, at most timeout_ms.',
    parameters: {
      id: { type: 'string', required: true, description: 'The task id.' },
      wait: { type: 'boolean', description: 'Wait for its end.' },
      timeout_ms: { type: 'integer', description: 'How long to wait. Default 30000, maximum 600000.' },
    },
    output: { schema: NEWS_SCHEMA, render: (_args, value) => [{ type: 'text', text: newsText(value) }] },
    execute: (args, exec) => look(workspace, args, exec.signal),
    finalizeContent: (_exec, { content }) => capContent(content),
    presentCall: ({ id, wait }) => ({
      card: 'generic',
      title: wait ? `Wait for ${id}` : `Output of ${id}`,
      kind: 'execute',
      rawInput: { id },
    }),
  })
}

async function look(workspace: Workspace, args: Args, signal: AbortSignal): Promise<News> {
  const { id, wait = false, timeout_ms: timeoutMs = DEFAULT_WAIT_MS } = args
  if (timeoutMs < 1) throw new ToolArgsError([`timeout_ms must be at least 1, got ${timeoutMs}`])
  if (!workspace.tasks.get(id)) throw unknownTask(id)
  if (wait) await waitFor(workspace.tasks.ended(id), Math.min(timeoutMs, MAX_WAIT_MS), signal)
  const news = workspace.tasks.look(id)
  if (!news) throw unknownTask(id)
  const { end, output, omitted, outputFile } = news
  return {
    id,
    running: end === undefined,
    status: taskStatus(news, Date.now()),
    ...(end && 'exitCode' in end && end.exitCode !== null && { exitCode: end.exitCode }),
    ...(end && 'signal' in end && end.signal !== null && { signal: end.signal }),
    output,
    omitted,
    ...(outputFile !== undefined && { outputFile }),
  }
}

async function waitFor(ended: Promise<void>, timeoutMs: number, signal: AbortSignal): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([
      ended,
      sleep(timeoutMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }),
    ])
  } catch (cause) {
    throw new ToolError('ABORTED', 'waiting was cancelled; the task runs on', { cause })
  } finally {
    over.abort()
  }
}

function newsText({ id, status, output, outputFile }: News): string {
  const text = output.replace(/\n+$/, '')
  const file = outputFile === undefined ? '' : `[all of its output is in ${outputFile}]\n`
  return `${text === '' ? '(no new output)' : text}\n\n${file}[${id}: ${status}]`
}
