// todo_write: the session's task list, always written whole.
import type { ToolDefinition } from '#registry/definition.ts'
import { defineTool } from '#registry/define-tool.ts'
import { ToolArgsError } from '#registry/errors.ts'
import type { Todo } from '#registry/types.ts'

const STATUS = { type: 'string', enum: ['pending', 'in_progress', 'completed'], required: true } as const
const PRIORITY = { type: 'string', enum: ['high', 'medium', 'low'] } as const
const TODO = {
  type: 'object',
  additionalProperties: false,
  properties: {
    content: { type: 'string', required: true },
    status: STATUS,
    priority: { ...PRIORITY, required: true },
  },
} as const
type Asked = { content: string; status: Todo['status']; priority?: Todo['priority'] }

export function todoWriteTool(): ToolDefinition {
  return defineTool({
    name: 'todo_write',
    description:
      'Replaces the list of tasks that the person sees. Send the whole list each time. ' +
      'At most one task is in progress; mark a task completed as soon as it is.',
    parameters: {
      todos: {
        type: 'array',
        required: true,
        items: {
          type: 'object',
          additionalProperties: false,
          properties: { content: { type: 'string', required: true }, status: STATUS, priority: PRIORITY },
        },
      },
    },
    output: {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { todos: { type: 'array', required: true, items: TODO } },
      },
      render: (_args, { todos }) => [{ type: 'text', text: checklist(todos) }],
    },
    async execute({ todos: asked }, exec) {
      const todos = normalize(asked)
      await exec.report({ kind: 'todos', todos })
      return { todos }
    },
    presentCall: ({ todos }) => ({
      card: 'generic',
      title: titleOf(todos),
      kind: 'think',
      rawInput: { todos },
    }),
  })
}

function titleOf(todos: readonly Asked[]): string {
  if (todos.length === 0) return 'Clear the task list'
  return `Update tasks (${todos.filter(({ status }) => status === 'completed').length} of ${todos.length} done)`
}

function normalize(asked: readonly Asked[]): Todo[] {
  const todos = asked.map(({ content, status, priority = 'medium' }) => ({
    content: content.trim(),
    status,
    priority,
  }))
  const violations = todos.flatMap(({ content }, at) => {
    if (content === '') return [`todos[${at}].content must not be empty`]
    const first = todos.findIndex((todo) => todo.content === content)
    return first < at ? [`todos[${at}] repeats todos[${first}]`] : []
  })
  const active = todos.filter(({ status }) => status === 'in_progress').length
  if (active > 1) violations.push(`at most one task may be in progress, got ${active}`)
  if (violations.length > 0) throw new ToolArgsError(violations)
  return todos
}

const MARKS = { pending: '[ ]', in_progress: '[~]', completed: '[x]' } as const

function checklist(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The task list is empty now.'
  return todos.map(({ content, status }) => `- ${MARKS[status]} ${content}`).join('\n')
}
