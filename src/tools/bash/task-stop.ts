// task_stop: ends a background task and everything that it started.
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { taskStatus, unknownTask } from './task-text.ts'

export function taskStopTool(workspace: Workspace): ToolDefinition {
  return defineTool({
    name: 'task_stop',
    description: 'Ends a background task and everything that it started.',
    parameters: { id: { type: 'string', required: true, description: 'The task id.' } },
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: {
          id: { type: 'string', required: true },
          wasRunning: { type: 'boolean', required: true },
          status: { type: 'string', required: true },
        },
      },
      render: (_args, { id, wasRunning, status }) => [
        { type: 'text', text: wasRunning ? `${id}: ${status}` : `${id} had ended already: ${status}` },
      ],
    },
    async execute({ id }) {
      const before = workspace.tasks.get(id)
      if (!before) throw unknownTask(id)
      await workspace.tasks.stop(id)
      const after = workspace.tasks.get(id) ?? before
      return { id, wasRunning: before.end === undefined, status: taskStatus(after, Date.now()) }
    },
    presentCall: ({ id }) => ({
      card: 'generic',
      title: `Stop ${id}`,
      kind: 'execute',
      rawInput: { id },
    }),
  })
}
