// Background tasks in words.
import { ToolError } from '#registry/errors.ts'
import type { TaskState } from '#workspace/tasks.ts'
import { statusOf } from './output.ts'

/** `running for 3 s`, or how it ended. */
export function taskStatus({ end, startedAt }: TaskState, now: number): string {
  if (!end) return `running for ${Math.round((now - startedAt) / 1000)} s`
  if ('error' in end) return `not started: ${end.error}`
  return `${end.stopped ? 'stopped; ' : ''}${statusOf(end, undefined)}`
}

/** Also for the id of another session's task, which looks no different. */
export function unknownTask(id: string): ToolError {
  return new ToolError(
    'TASK_NOT_FOUND',
    `there is no task ${JSON.stringify(id)} in this session; task_list shows all`,
  )
}

/** One line of a command, short enough for a sentence. */
export function shortCommand(command: string): string {
  const [first = ''] = command.split('\n')
  return first.length < command.length || first.length > 80 ? `${first.slice(0, 80)}…` : first
}
