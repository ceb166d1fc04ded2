import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { BIN, selected } from '../support/bin-client.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const TURNS: Scenario['turns'] = [
  {
    steps: [
      { do: [{ text: 'Reading. ' }, { call: { id: 'r', name: 'read', arguments: { file_path: 'a.md' } } }] },
      {
        do: [
          {
            call: {
              id: 'e',
              name: 'edit',
              arguments: { file_path: 'a.md', old_string: 'two', new_string: '2' },
            },
          },
        ],
      },
      { do: [{ call: { id: 'b', name: 'bash', arguments: { command: 'echo hi; exit 2' } } }] },
      { do: [{ text: 'Done.' }] },
    ],
  },
]

describe('deckhand sessions', () => {
  it('lists, shows, exports and deletes', async () => {
    const { client, cwd, home } = await scriptedBin({ turns: TURNS, files: { 'a.md': '```\ntwo\n```\n' } })
    const id = await client.open(cwd)
    await client.prompt(id, 'change it\nplease')
    await client.end()
    const run = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'sessions', ...args], {
        encoding: 'utf8',
        env: { ...process.env, DECKHAND_HOME: home, NO_COLOR: '1' },
      })
      return { status, stdout, stderr }
    }
    expect(run('list').stdout).toMatch(
      new RegExp(`^${id}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d  change it  ${cwd}\n$`),
    )
    expect(run('list', '--cwd', '/elsewhere').stdout).toBe('')
    expect(run('show', id).stdout).toContain('Edit a.md')
    const { stdout: markdown, status } = run('export', id)
    expect(status).toBe(0)
    expect(markdown).toContain('# change it\n')
    expect(markdown).toContain('> please')
    expect(markdown).toContain('```sh\necho hi; exit 2\n```')
    expect(markdown).toContain('```console\nhi\n```\n\nExit 2.')
    expect(markdown).toContain('````diff\n ```\n-two\n+2\n ```\n````')
    expect(markdown.trimEnd().endsWith('Done.')).toBe(true)
    expect(run('delete', id)).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(await readdir(join(home, 'sessions'))).toEqual([])
    expect(run('export', id)).toMatchObject({ status: 1, stderr: expect.stringContaining('no session') })
    expect(run('export')).toMatchObject({ status: 2, stdout: '' })
    expect(run('explode')).toMatchObject({ status: 2, stdout: '' })
  })
})

describe('a file that was moved without having been read', () => {
  it('is among the changes, and goes back', async () => {
    const move = (id: string, from: string, to: string) => ({
      call: { id, name: 'move', arguments: { from, to } },
    })
    const turns: Scenario['turns'] = [
      {
        match: 'move',
        steps: [
          { do: [move('f', 'a.txt', 'sub/b.txt'), move('d', 'lib', 'src')] },
          { do: [{ text: 'Moved.' }] },
        ],
      },
    ]
    const files = { 'a.txt': 'one\n', 'lib/c.js': 'c\n', 'lib/deep/d.js': 'd\n' }
    const { client, cwd } = await scriptedBin({
      turns,
      files,
      env: { DECKHAND_MODE: 'accept-edits' },
      permission: ({ options }) => selected(options[0].optionId),
    })
    const id = await client.open(cwd)
    const said = () =>
      client
        .updates(id)
        .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
        .map(({ content }) => content.text)
        .join('')
    await client.prompt(id, 'move them')
    expect(existsSync(join(cwd, 'a.txt'))).toBe(false)
    await client.prompt(id, '/diff')
    for (const name of ['a.txt', 'sub/b.txt', 'lib/c.js', 'src/c.js', 'src/deep/d.js'])
      expect(said()).toContain(name)
    // Somebody else changes one of them.
    await writeFile(join(cwd, 'src', 'c.js'), 'changed\n')
    await client.prompt(id, '/rewind')
    expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\n')
    expect(await readFile(join(cwd, 'lib', 'deep', 'd.js'), 'utf8')).toBe('d\n')
    expect(existsSync(join(cwd, 'sub', 'b.txt'))).toBe(false)
    expect(await readFile(join(cwd, 'src', 'c.js'), 'utf8')).toBe('changed\n')
    expect(said()).toContain('src/c.js')
    expect(client.faults).toEqual([])
  })
})
