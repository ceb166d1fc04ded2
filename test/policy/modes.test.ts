import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '#json/value.ts'
import type { Mode } from '#policy/policy.ts'
import { openProject } from './harness.ts'

const MODES: readonly Mode[] = ['ask', 'accept-edits', 'plan', 'bypass']

/** A tool, its arguments, and what each of the modes says. */
const TABLE: [string, string, JsonValue, string][] = [
  ['read inside', 'read', { file_path: 'a.txt' }, 'allow allow allow allow'],
  ['read outside', 'read', { file_path: '/etc/hostname' }, 'ask ask ask allow'],
  ['read through a link that leads out', 'read', { file_path: 'link-out' }, 'ask ask ask allow'],
  ['read of ssh files', 'read', { file_path: '.ssh/id_rsa' }, 'ask ask ask allow'],
  ['read of .git', 'read', { file_path: '.git/HEAD' }, 'allow allow allow allow'],
  ['glob', 'glob', { pattern: '**' }, 'allow allow allow allow'],
  ['glob outside', 'glob', { pattern: '*', path: '..' }, 'ask ask ask allow'],
  ['grep', 'grep', { pattern: 'x' }, 'allow allow allow allow'],
  ['grep outside', 'grep', { pattern: 'x', path: 'link-out-dir' }, 'ask ask ask allow'],
  ['write inside', 'write', { file_path: 'new.txt', content: '' }, 'ask allow deny allow'],
  ['write outside', 'write', { file_path: '../new.txt', content: '' }, 'ask ask deny allow'],
  [
    'write through a link that leads out',
    'write',
    { file_path: 'link-out-dir/x', content: '' },
    'ask ask deny allow',
  ],
  ['edit inside', 'edit', { file_path: 'a.txt' }, 'ask allow deny allow'],
  ['edit of .git', 'edit', { file_path: '.git/config' }, 'ask ask deny allow'],
  ['edit of a nested .git', 'edit', { file_path: 'sub/.git/config' }, 'ask ask deny allow'],
  ['edit of .GIT', 'edit', { file_path: '.GIT/config' }, 'ask ask deny allow'],
  ['edit of .deckhand', 'edit', { file_path: '.deckhand/config.jsonc' }, 'ask ask deny allow'],
  ['delete inside', 'delete', { path: 'a.txt' }, 'ask allow deny allow'],
  ['delete with all below', 'delete', { path: 'src', recursive: true }, 'ask ask deny allow'],
  ['delete of the root', 'delete', { path: '.' }, 'ask ask deny allow'],
  ['move inside', 'move', { from: 'a.txt', to: 'c.txt' }, 'ask allow deny allow'],
  ['move to outside', 'move', { from: 'a.txt', to: '../c.txt' }, 'ask ask deny allow'],
  ['move from outside', 'move', { from: '../c.txt', to: 'c.txt' }, 'ask ask deny allow'],
  ['move into .git', 'move', { from: 'a.txt', to: '.git/hooks/pre-commit' }, 'ask ask deny allow'],
  ['bash', 'bash', { command: 'make' }, 'ask ask deny allow'],
  ['bash that reads', 'bash', { command: 'git status && cat a.txt' }, 'allow allow allow allow'],
  ['bash that reads outside', 'bash', { command: 'cat /etc/passwd' }, 'ask ask deny allow'],
  ['bash that writes', 'bash', { command: 'echo x > new.txt' }, 'ask allow deny allow'],
  ['bash that writes what is protected', 'bash', { command: 'echo x > .git/config' }, 'ask ask deny allow'],
  ['bash that writes outside', 'bash', { command: 'echo x > ../new.txt' }, 'ask ask deny allow'],
  ['bash outside', 'bash', { command: 'ls', workdir: '/' }, 'ask ask deny allow'],
  ['bash that can not be parsed', 'bash', { command: 'ls "' }, 'ask ask deny allow'],
  ['todo', 'todo_write', { todos: [] }, 'allow allow allow allow'],
  ['task_output', 'task_output', { id: 'x' }, 'allow allow allow allow'],
  ['task_list', 'task_list', {}, 'allow allow allow allow'],
  ['task_stop', 'task_stop', { id: 'x' }, 'allow allow allow allow'],
  ['run_code', 'run_code', { code: '' }, 'allow allow allow allow'],
  ['ask_user', 'ask_user', { question: 'x' }, 'allow allow allow allow'],
  ['exit_plan', 'exit_plan', { plan: 'x' }, 'allow allow allow allow'],
  ['web_fetch', 'web_fetch', { url: 'https://example.com/x' }, 'ask ask ask allow'],
  ['web_search', 'web_search', { query: 'x' }, 'ask ask ask allow'],
  ['MCP tool', 'mcp__github__create_issue', {}, 'ask ask ask allow'],
  ['MCP resource', 'mcp_read_resource', { server: 'github', uri: 'x' }, 'ask ask ask allow'],
  ['plug-in', 'somebodys_tool', {}, 'ask ask ask allow'],
]

describe('modes', () => {
  it.each(TABLE)('%s', async (_what, tool, args, expected) => {
    const { policy } = await openProject()
    const decisions = await Promise.all(MODES.map((mode) => policy({}, mode).call(tool, args)))
    expect(decisions.map(({ kind }) => kind).join(' ')).toBe(expected)
  })

  it('a link counts where it stands as well as where it leads, for tools that act on the link', async () => {
    const { policy, cwd, outside } = await openProject()
    await symlink(join(cwd, 'a.txt'), join(outside, 'link-in'))
    const { call } = policy({}, 'accept-edits')
    expect((await call('edit', { file_path: '../outside/link-in' })).kind).toBe('allow')
    expect((await call('delete', { path: '../outside/link-in' })).kind).toBe('ask')
    expect((await call('move', { from: '../outside/link-in', to: 'b2.txt' })).kind).toBe('ask')
    expect((await call('delete', { path: 'link-out' })).kind).toBe('ask')
    expect((await call('delete', { path: 'src/a.ts' })).kind).toBe('allow')
  })

  it('says why in plan mode', async () => {
    const { policy } = await openProject()
    expect(await policy({}, 'plan').call('edit', { file_path: 'a.txt' })).toMatchObject({
      reason: expect.stringContaining('plan mode'),
    })
    expect(await policy({ allow: ['edit', 'bash(make)'] }, 'plan').bash('make')).toMatchObject({
      kind: 'deny',
    })
  })

  it('the state directory is a person’s alone, inside the roots too', async () => {
    const { policy, state } = await openProject('state')
    const { call } = policy({ allow: ['read', 'edit'] }, 'accept-edits')
    for (const tool of ['read', 'write']) {
      const decision = await call(tool, { file_path: join(state, 'x') })
      expect(decision).toMatchObject({ kind: 'ask', reason: expect.stringContaining('protected') })
    }
  })

  it('asks for every command where the shell is not bash, and denies what a rule denies or may deny', async () => {
    const { policy } = await openProject()
    const rules = { allow: ['bash(*)'] }
    const other = { commandLanguage: 'other' } as const
    expect(await policy(rules, 'ask', other).bash('ls')).toMatchObject({ kind: 'ask' })
    expect(await policy(rules, 'bypass', other).bash('ls')).toEqual({ kind: 'allow' })
    expect(await policy({ deny: ['bash(rm *)'] }, 'bypass', other).bash('ls')).toMatchObject({ kind: 'ask' })
    expect(await policy({ deny: ['bash'] }, 'bypass', other).bash('ls')).toMatchObject({ kind: 'deny' })
  })
})
