// task_list: the background tasks of this session.
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { shortCommand, taskStatus } from './task-text.ts'

const TASK = {
  type: 'object',
  additionalProperties: false,
  properties: {
    id: { type: 'string', required: true },
    command: { type: 'string', required: true },
    description: { type: 'string' },
    running: { type: 'boolean', required: true },
    status: { type: 'string', required: true },
  },
} as const

export function taskListTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'task_list',
    description: 'Lists the background tasks of this session: id, command and status.',
    parameters: {},
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { tasks: { type: 'array', items: TASK, required: true } },
      },
      render: (_args, { tasks }) => [
        {
          type: 'text',
          text:
            tasks.length === 0
              ? 'There are no background tasks.'
              : tasks
                  .map(({ id, command, status }) => `${id}: ${shortCommand(command)} [${status}]`)
                  .join('\n'),
        },
      ],
    },
    isConcurrencySafe: () => true,
    execute: () => ({
      tasks: workspace.tasks.list().map((task) => ({
        id: task.id,
        command: task.command,
        ...(task.description !== undefined && { description: task.description }),
        running: task.end === undefined,
        status: taskStatus(task, Date.now()),
      })),
    }),
    presentCall: () => ({ card: 'generic', title: 'List background tasks', kind: 'execute' }),
  })
}
