import { spawnSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { BIN } from '../support/bin-client.ts'
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
