// The conformance kit held against every first-party tool, with calls as sessions really contain them.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createRegistry, type JsonValue } from '#index.ts'
import { assertTool, type ToolSample } from '#testing.ts'
import { firstPartyTools } from '#tools/index.ts'
import { createWorkspace } from '#workspace/workspace.ts'

const cwd = mkdtempSync(join(tmpdir(), 'deckhand-conformance-'))
afterAll(() => rmSync(cwd, { recursive: true }))

const failed = (text: string, meta?: JsonValue) => ({
  isError: true,
  content: [{ type: 'text' as const, text: `Error: ${text}` }],
  ...(meta !== undefined && { meta }),
})

/** Arguments for each tool; several calls where their cards differ. */
const ARGUMENTS: Record<string, readonly JsonValue[]> = {
  read: [{ file_path: '/w/a.ts' }, { file_path: 'a.png', offset: 3, limit: 10 }],
  write: [{ file_path: '/w/a.ts', content: 'x\n' }],
  edit: [{ file_path: '/w/a.ts', old_string: 'a', new_string: 'b', replace_all: true }],
  delete: [{ path: '/w/a.ts' }, { path: 'dir', recursive: true }],
  move: [{ from: '/w/a.ts', to: '/w/b.ts' }],
  glob: [{ pattern: '**/*.ts', path: 'src' }],
  grep: [{ pattern: 'TODO', path: '/w', glob: '*.ts' }],
  bash: [{ command: 'npm test', description: 'Runs the tests', timeout: 1000 }],
  todo_write: [{ todos: [{ content: 'a', status: 'pending', priority: 'low' }] }, { todos: [] }],
}

type Args = JsonValue | ((taskId: string) => JsonValue)

/** In order: each works on what those before it have left. */
const CALLS: readonly [string, Args][] = [
  ['write', { file_path: join(cwd, 'a.txt'), content: 'one\ntwo\n' }],
  ['read', { file_path: join(cwd, 'a.txt') }],
  ['edit', { file_path: join(cwd, 'a.txt'), old_string: 'two', new_string: '`2`' }],
  ['glob', { pattern: '*.txt' }],
  ['grep', { pattern: 'one' }],
  ['bash', { command: 'echo out; exit 3', description: 'Fails' }],
  ['bash', { command: 'sleep 60', description: 'Waits', run_in_background: true }],
  ['task_list', {}],
  ['task_output', (id) => ({ id })],
  ['task_stop', (id) => ({ id })],
  ['todo_write', { todos: [{ content: 'a', status: 'in_progress' }] }],
  ['move', { from: join(cwd, 'a.txt'), to: join(cwd, 'b.txt') }],
  ['delete', { path: join(cwd, 'b.txt') }],
]

/** The id of the background task that a call has started, if it has. */
function taskIdOf(value: JsonValue): string | undefined {
  return JSON.stringify(value).match(/"taskId":"(?<id>[^"]+)"/)?.groups?.['id']
}

describe('first-party tools conform', () => {
  const tools = firstPartyTools(createWorkspace({ cwd }))

  it.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
    const given = ARGUMENTS[name] ?? exampleOf(tool.parameters as unknown as Schema)
    const samples = given.map((args): ToolSample => ({
      args,
      results: [failed('not found'), failed('not found', { a: [1] })],
    }))
    assertTool(tool, samples)
  })

  it('with values of real calls', async () => {
    const registry = createRegistry()
    for (const tool of tools) registry.register(tool)
    const ran = new Set<string>()
    let taskId = ''
    for (const [index, [name, given]] of CALLS.entries()) {
      const args = typeof given === 'function' ? given(taskId) : given
      const { signal } = new AbortController()
      const result = await registry.execute({ callId: `c${index}`, name, arguments: args, signal })
      if (result.isError) throw new Error(`${name}: ${result.error.message}`)
      const { value, content, meta } = result
      taskId = taskIdOf(value) ?? taskId
      const stored = { isError: false, content, ...(meta !== undefined && { meta }) }
      assertTool(registry.get(name)!, [{ args, value, results: [stored] }])
      ran.add(name)
    }
    expect(tools.map((tool) => tool.name).filter((name) => !ran.has(name))).toEqual([])
  })

  it('are all there', () => {
    expect(tools.length).toBeGreaterThanOrEqual(9)
  })
})

interface Schema {
  type?: string
  enum?: JsonValue[]
  properties?: Record<string, Schema>
  required?: string[]
  oneOf?: Schema[]
}

/** Arguments that fit a tool which the table above does not know yet: its required ones. */
function exampleOf(schema: Schema): JsonValue[] {
  const value = (node: Schema): JsonValue => {
    if (node.enum?.[0] !== undefined) return node.enum[0]
    if (node.oneOf?.[0]) return value(node.oneOf[0])
    const byType: Record<string, JsonValue> = {
      string: 'text',
      number: 1,
      integer: 1,
      boolean: true,
      array: [],
    }
    if (node.type === 'object')
      return Object.fromEntries(
        (node.required ?? []).map((name) => [name, value(node.properties?.[name] ?? {})]),
      )
    return byType[node.type ?? ''] ?? null
  }
  return [value(schema)]
}
