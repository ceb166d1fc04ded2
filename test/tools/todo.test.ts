import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#json/value.ts'
import { openBench } from './harness.ts'

describe('todo_write', () => {
  it('reports the whole list, trimmed and with priorities', async () => {
    await using bench = await openBench()
    const todos: JsonObject[] = [
      { content: ' one ', status: 'completed', priority: 'high' },
      { content: 'two', status: 'in_progress' },
    ]
    const { text, reports } = await bench.run('todo_write', { todos })
    expect(text).toBe('- [x] one\n- [~] two')
    const normal = [
      { content: 'one', status: 'completed', priority: 'high' },
      { content: 'two', status: 'in_progress', priority: 'medium' },
    ]
    expect(reports).toEqual([{ kind: 'todos', todos: normal }])
    expect(bench.tool('todo_write').presentCall?.({ todos })).toMatchObject({
      title: 'Update tasks (1 of 2 done)',
    })
    expect((await bench.run('todo_write', { todos: [] })).text).toBe('The task list is empty now.')
  })

  it.each<[string, JsonObject[]]>([
    ['must not be empty', [{ content: '  ', status: 'pending' }]],
    [
      'todos[1] repeats todos[0]',
      [
        { content: 'a', status: 'pending' },
        { content: ' a', status: 'completed' },
      ],
    ],
    [
      'at most one',
      [
        { content: 'a', status: 'in_progress' },
        { content: 'b', status: 'in_progress' },
      ],
    ],
    ['status', [{ content: 'a', status: 'done' }]],
  ])('refuses: %s', async (reason, todos) => {
    await using bench = await openBench()
    const { code, text, reports } = await bench.run('todo_write', { todos })
    expect([code, text, reports]).toEqual(['INVALID_ARGS', expect.stringContaining(reason), []])
  })
})
