// The end of background tasks, told to the model.
import { randomUUID } from 'node:crypto'
import type { UserMessage } from '#model/message.ts'
import type { Workspace } from '#workspace/workspace.ts'
import { shortCommand, taskStatus } from './task-text.ts'

/** Messages about tasks that ended unseen since the last call; to be put before the model's next step. */
export function announceFinishedTasks(workspace: Workspace): UserMessage[] {
  return workspace.tasks.takeFinished().map((task) => ({
    id: randomUUID(),
    source: { kind: 'tool', name: 'bash' },
    content: [
      {
        type: 'text',
        text:
          `The background task ${task.id} (${shortCommand(task.command)}) has ended: ${taskStatus(task, Date.now())}. ` +
          'task_output shows what it wrote.',
      },
    ],
  }))
}
