import { expect, it } from 'vitest'
import type { JsonValue } from '#json/value.ts'
import { openBench } from './harness.ts'

const NAMES = [
  'read',
  'write',
  'edit',
  'delete',
  'move',
  'glob',
  'grep',
  'bash',
  'task_output',
  'task_list',
  'task_stop',
  'todo_write',
]
const SAFE = new Set(['read', 'glob', 'grep', 'task_list'])
const ARGS: { [name: string]: { [key: string]: JsonValue } } = {
  read: { file_path: 'f' },
  write: { file_path: 'f', content: 'x' },
  edit: { file_path: 'f', old_string: 'a', new_string: 'b' },
  delete: { path: 'f' },
  move: { from: 'a', to: 'b' },
  glob: { pattern: '*' },
  grep: { pattern: 'x' },
  bash: { command: 'true' },
  task_output: { id: 't' },
  task_list: {},
  task_stop: { id: 't' },
  todo_write: { todos: [] },
}

it.each(NAMES)('%s: presenters are total, and only readers overlap', async (name) => {
  await using bench = await openBench()
  const tool = bench.tool(name)
  const args = ARGS[name] ?? {}
  expect(tool.isConcurrencySafe?.(args) === true).toBe(SAFE.has(name))
  expect(tool.presentCall?.(args)?.title).toBeTruthy()
  const unfit: JsonValue[] = [null, 7, [], {}, { file_path: 1 }]
  const takesNothing = name === 'task_list'
  for (const bad of unfit.slice(0, takesNothing ? 3 : undefined))
    expect(tool.presentCall?.(bad)).toBeUndefined()
  const strange: JsonValue[] = [
    null,
    7,
    'x',
    [],
    {},
    { lines: [1], files: [1], paths: 2, diff: 3, output: 4, total: 'x' },
  ]
  for (const meta of strange) {
    for (const isError of [true, false]) {
      expect(() => tool.presentResult?.(args, { content: [], isError, meta })).not.toThrow()
    }
  }
})
