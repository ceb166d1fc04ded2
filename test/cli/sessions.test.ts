// `deckhand sessions list`: one line a session, and on a terminal no title that breaks it.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { sessions } from '#cli/sessions.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { fakeHost } from './fake-host.ts'
import { ROOT } from './run-bin.ts'

const ID = 'aaaa1111-0000-4000-8000-000000000001'
const TITLE = `Long ${'and longer '.repeat(20)}end`

async function listed(terminal: boolean): Promise<string> {
  const home = await temporaryDirectory()
  const lines = (await readFile(join(ROOT, 'fixtures/sessions/bash.jsonl'), 'utf8')).trimEnd().split('\n')
  const header = JSON.stringify({ ...JSON.parse(lines[0] ?? ''), id: ID, cwd: '/w' })
  const title = JSON.stringify({ ...JSON.parse(lines[1] ?? ''), type: 'title', title: TITLE })
  await mkdir(join(home, 'sessions'))
  await writeFile(join(home, 'sessions', `${ID}.jsonl`), `${[header, ...lines.slice(1), title].join('\n')}\n`)
  const host = fakeHost({ env: { DECKHAND_HOME: home } })
  Object.assign(host.stdout, { isTTY: terminal, columns: 90 })
  expect(await sessions(host, { action: 'list' })).toBe(0)
  return host.shown.stdout
}

describe('sessions list', () => {
  it('cuts titles so that a line fits the terminal', async () => {
    const line = await listed(true)
    expect(line).toMatch(/^aaaa1111\S+ {2}\S+ \S+ {2}Long and longer .*… {2}\/w\n$/)
    expect(line.trimEnd()).toHaveLength(90)
  })

  it('leaves them whole elsewhere', async () => {
    expect(await listed(false)).toContain(TITLE)
  })
})
