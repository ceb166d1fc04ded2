import { expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '#json/value.ts'
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

it.each<[string, JsonObject, string]>([
  ['read', { file_path: '' }, 'file_path'],
  ['write', { file_path: '', content: 'x' }, 'file_path'],
  ['edit', { file_path: '', old_string: 'a', new_string: 'b' }, 'file_path'],
  ['delete', { path: '', recursive: true }, 'path'],
  ['move', { from: '', to: 'b' }, 'from'],
  ['move', { from: 'a', to: '' }, 'to'],
  ['glob', { pattern: '' }, 'pattern'],
  ['grep', { pattern: '' }, 'pattern'],
  ['bash', { command: '' }, 'command'],
  ['bash', { command: ' \n', run_in_background: true }, 'command'],
])(
  '%s %j says what is missing, and is known for invalid before anybody is asked',
  async (name, args, missing) => {
    await using bench = await openBench()
    const violation = `${missing} must not be empty`
    expect(bench.tool(name).validate?.(args)).toEqual([violation])
    expect(bench.tool(name).presentCall?.(args)).toBeUndefined()
    const { code, text, reports } = await bench.run(name, args)
    expect([code, text, reports]).toEqual(['INVALID_ARGS', `Error: invalid arguments: ${violation}`, []])
  },
)
