import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { READ_ONLY } from '#policy/shell/read-only-table.ts'
import { openProject, shown, table } from './harness.ts'

const rows = table('read-only')

describe('the read-only table', () => {
  it('has cases of both kinds for each of its commands', () => {
    const kinds = (name: string) =>
      new Set(rows.filter(({ command }) => command === name).map(({ decision }) => decision))
    expect(Object.keys(READ_ONLY).filter((name) => kinds(name).size < 2)).toEqual([])
  })

  it.each(rows.map((row) => [shown(row.line), row.decision, row] as const))(
    '%s: %s',
    async (_title, decision, { line }) => {
      const { policy } = await openProject()
      expect(await policy().bash(line)).toMatchObject({ kind: decision })
      expect(await policy({}, 'plan').bash(line)).toMatchObject({
        kind: decision === 'allow' ? 'allow' : 'deny',
      })
    },
  )

  it('asks for git where the project itself made up a repository', async () => {
    const { cwd, policy } = await openProject()
    await mkdir(join(cwd, 'sub/objects'))
    await mkdir(join(cwd, 'sub/refs'))
    await writeFile(join(cwd, 'sub/HEAD'), 'ref: refs/heads/main\n')
    const { bash } = policy()
    expect(await bash('git status', 'sub')).toMatchObject({
      kind: 'ask',
      reason: expect.stringContaining('repository'),
    })
    expect(await bash('cat c.txt', 'sub')).toEqual({ kind: 'allow' })
    expect(await bash('git status')).toEqual({ kind: 'allow' })
  })

  it('judges paths from the directory that the command runs in', async () => {
    const { cwd, outside, policy } = await openProject()
    const { bash } = policy()
    expect(await bash('cat ../a.txt', 'sub')).toEqual({ kind: 'allow' })
    expect(await bash('cat ../../outside/secret', 'sub')).toMatchObject({ kind: 'ask' })
    expect(await bash('ls', outside)).toMatchObject({ kind: 'ask' })
    expect(await bash('ls', 'link-out-dir')).toMatchObject({ kind: 'ask' })
    expect(await bash(`cat ${join(cwd, 'a.txt')}`)).toEqual({ kind: 'allow' })
  })

  it('reads outside the roots where a rule names the place', async () => {
    const { outside, policy } = await openProject()
    const { bash } = policy({ allow: [`read(${outside}/**)`] })
    expect(await bash(`cat ${outside}/secret`)).toEqual({ kind: 'allow' })
    expect(await bash('cat link-out')).toEqual({ kind: 'allow' })
    expect(await bash('cat /etc/passwd')).toMatchObject({ kind: 'ask' })
  })
})
