// Background tasks: commands that outlive the call that started them, and end with the session at the latest.
import { thrownMessage } from '#json/thrown.ts'
import { randomBytes } from 'node:crypto'
import { createOutputKeeper, type OutputKeeper } from './kept-output.ts'
import type { OutputFile, OutputFiles } from './output-files.ts'
import type { ShellResult } from './command.ts'
import type { Shell } from './shell.ts'
import { createTerminalText } from './terminal-text.ts'

/** Tasks that may run at a time. */
export const MAX_LIVE_TASKS = 10
/** Ended tasks that are remembered. */
const MAX_ENDED = 50

export type TaskEnd = Pick<ShellResult, 'exitCode' | 'signal' | 'timedOut'> & {
  /** `task_stop`, or the end of the session. */
  stopped: boolean
}

export interface TaskState {
  readonly id: string
  readonly command: string
  readonly description: string | undefined
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** While it runs undefined. `error`: the shell could not be started. */
  readonly end: TaskEnd | { error: string } | undefined
}

export interface TaskNews extends TaskState {
  /** What came since the last look: clean text, head and tail. */
  output: string
  /** Bytes of it that were let go. */
  omitted: number
  /** The file with all of the task's output, where that is long. */
  outputFile: string | undefined
}

export interface TaskRequest {
  command: string
  description?: string
  cwd: string
  timeoutMs?: number
}

export class TaskLimitError extends Error {
  override readonly name = 'TaskLimitError'
}

export interface Tasks {
  /** Throws `TaskLimitError` when `MAX_LIVE_TASKS` run. The id can't be guessed. */
  start(request: TaskRequest): TaskState
  /** Running and remembered, in the order of their start. */
  list(): TaskState[]
  get(id: string): TaskState | undefined
  /** What is new; `undefined` for an unknown id. An end that is seen here is not announced any more. */
  look(id: string): TaskNews | undefined
  /** Settles when the task has ended, at once when it has. */
  ended(id: string): Promise<void>
  /** Ends it, and settles when it is gone. */
  stop(id: string): Promise<void>
  /** Tasks that ended unseen since the last call. */
  takeFinished(): TaskState[]
  /** Told whenever a task ends by itself. */
  onFinished(listener: (task: TaskState) => void): () => void
  /** Ends all. */
  dispose(): Promise<void>
}

interface Task {
  state: TaskState
  unread: Unread
  outputFile: string | undefined
  seen: boolean
  controller: AbortController
  done: Promise<void>
}

export function createTasks(shell: Shell, files: OutputFiles): Tasks {
  return new SessionTasks(shell, files)
}

class SessionTasks implements Tasks {
  readonly #shell: Shell
  readonly #files: OutputFiles
  readonly #tasks = new Map<string, Task>()
  readonly #listeners = new Set<(task: TaskState) => void>()

  constructor(shell: Shell, files: OutputFiles) {
    this.#shell = shell
    this.#files = files
  }

  start(request: TaskRequest): TaskState {
    if (this.#live().length >= MAX_LIVE_TASKS) {
      throw new TaskLimitError(`${MAX_LIVE_TASKS} tasks are running already`)
    }
    const task = createTask(request)
    this.#tasks.set(task.state.id, task)
    task.done = runTask(task, request, this.#shell, this.#files).then((end) => this.#finish(task, end))
    return task.state
  }

  list(): TaskState[] {
    return [...this.#tasks.values()].map(({ state }) => state)
  }

  get(id: string): TaskState | undefined {
    return this.#tasks.get(id)?.state
  }

  look(id: string): TaskNews | undefined {
    const task = this.#tasks.get(id)
    if (!task) return undefined
    const isOver = task.state.end !== undefined
    if (isOver) task.seen = true
    return { ...task.state, ...task.unread.take(isOver), outputFile: task.outputFile }
  }

  async ended(id: string): Promise<void> {
    await this.#tasks.get(id)?.done
  }

  async stop(id: string): Promise<void> {
    const task = this.#tasks.get(id)
    if (!task) return
    task.seen = true
    task.controller.abort()
    await task.done
  }

  takeFinished(): TaskState[] {
    const unseen = [...this.#tasks.values()].filter(({ state, seen }) => state.end && !seen)
    for (const task of unseen) task.seen = true
    return unseen.map(({ state }) => state)
  }

  onFinished(listener: (task: TaskState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#live().map(({ state }) => this.stop(state.id)))
    this.#listeners.clear()
  }

  #live(): Task[] {
    return [...this.#tasks.values()].filter(({ state }) => !state.end)
  }

  #finish(task: Task, end: TaskState['end']): void {
    task.state = { ...task.state, end }
    const ended = [...this.#tasks.values()].filter(({ state }) => state.end)
    for (const { state } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED)))
      this.#tasks.delete(state.id)
    if (task.controller.signal.aborted) return
    for (const listener of this.#listeners) listener(task.state)
  }
}

function createTask({ command, description }: TaskRequest): Task {
  const id = `task_${randomBytes(12).toString('hex')}`
  return {
    state: { id, command, description, startedAt: Date.now(), end: undefined },
    unread: createUnread(),
    outputFile: undefined,
    seen: false,
    controller: new AbortController(),
    done: Promise.resolve(),
  }
}

async function runTask(
  task: Task,
  { command, cwd, timeoutMs }: TaskRequest,
  shell: Shell,
  files: OutputFiles,
): Promise<TaskState['end']> {
  const openFile = async (): Promise<OutputFile> => {
    const file = await files.create(task.state.id)
    task.outputFile = file.path
    return file
  }
  try {
    const { exitCode, signal, timedOut, aborted } = await shell.run({
      command,
      cwd,
      ...(timeoutMs !== undefined && { timeoutMs }),
      signal: task.controller.signal,
      onOutput: (data) => task.unread.push(data),
      openFile,
    })
    return { exitCode, signal, timedOut, stopped: aborted }
  } catch (error) {
    return { error: thrownMessage(error) }
  }
}

interface Unread {
  push(data: string): void
  /** `last`: nothing comes any more, so an unfinished line is whole. */
  take(last: boolean): { output: string; omitted: number }
}

function createUnread(): Unread {
  const cleaner = createTerminalText()
  let keeper: OutputKeeper = createOutputKeeper()
  return {
    push: (data) => keeper.push(cleaner.push(data)),
    take(last) {
      if (last) keeper.push(cleaner.end())
      const { text, omitted } = keeper.result()
      keeper = createOutputKeeper()
      return { output: text, omitted }
    },
  }
}
