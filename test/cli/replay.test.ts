// `deckhand replay` over the built command: text, wire lines, clients, and what it says of logs it can't read.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { foldUpdates } from '#bridge/fold.ts'
import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { temporaryDirectory } from '../support/temporary.ts'
import { ROOT, runBin } from './run-bin.ts'

const LOG = join(ROOT, 'fixtures/sessions/bash.jsonl')

describe('replay', () => {
  it('draws a session as text', async () => {
    const { code, stdout } = await runBin(['replay', LOG], { env: { NO_COLOR: '1' } })
    expect(code).toBe(0)
    expect(stdout).toContain('Please go on.')
    expect(stdout).toContain('printf "one\\ntwo\\n"')
    expect(stdout).toContain('exit 3')
    expect(stdout).not.toMatch(/\u001b/)
  })

  it.each(['zed', 'plain', 'fs-only'])(
    'gives the wire of %s, equal to what is in the fixtures',
    async (client) => {
      const { stdout } = await runBin(['replay', LOG, '--json', '--client', client])
      const updates = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as SessionUpdate)
      const terminals = updates.filter((update) => update._meta?.['terminal_exit'])
      expect(terminals).toHaveLength(client === 'zed' ? 3 : 0)
      const calls = foldUpdates(updates).entries.filter((entry) => entry.kind === 'call')
      expect(calls.map((call) => call.kind === 'call' && call.fields['status'])).toEqual([
        'completed',
        'completed',
        'completed',
      ])
    },
  )

  it('finds a session by its id', async () => {
    const home = await temporaryDirectory()
    const id = '00000000-0000-4000-8000-000000000001'
    await mkdir(join(home, 'sessions'))
    await writeFile(join(home, 'sessions', `${id}.jsonl`), await readFile(LOG))
    const { code, stdout } = await runBin(['replay', id], { env: { DECKHAND_HOME: home } })
    expect(code).toBe(0)
    expect(stdout).toContain('Please go on.')
  })

  it('takes the beginning of an id that only one session has', async () => {
    const home = await temporaryDirectory()
    const log = (await readFile(LOG, 'utf8')).split('\n')
    const ids = ['aaaa1111-0000-4000-8000-000000000001', 'aaaa2222-0000-4000-8000-000000000002']
    await mkdir(join(home, 'sessions'))
    for (const id of ids) {
      const header = JSON.stringify({ ...JSON.parse(log[0] ?? ''), id })
      await writeFile(join(home, 'sessions', `${id}.jsonl`), [header, ...log.slice(1)].join('\n'))
    }
    const env = { DECKHAND_HOME: home }
    expect((await runBin(['replay', 'aaaa1'], { env })).stdout).toContain('Please go on.')
    expect((await runBin(['sessions', 'export', 'aaaa2'], { env })).stdout).toContain(ids[1])
    const { code, stdout, stderr } = await runBin(['sessions', 'delete', 'aaaa'], { env })
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^deckhand: 2 sessions begin with "aaaa": .*\n$/)
    expect(await readdir(join(home, 'sessions'))).toEqual(
      expect.arrayContaining(ids.map((id) => `${id}.jsonl`)),
    )
  })

  it('says in a sentence why a page can’t be written', async () => {
    const target = join(await temporaryDirectory(), 'missing', 'page.html')
    expect(await runBin(['replay', LOG, '--html', target])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `deckhand: ${target} can't be written: its directory does not exist\n`,
    })
  })

  it('says what it can’t find or read', async () => {
    const home = await temporaryDirectory()
    const env = { DECKHAND_HOME: home }
    expect(await runBin(['replay', 'no-such-session'], { env })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('no-such-session'),
    })
    const directory = await runBin(['replay', home], { env })
    expect(directory).toMatchObject({ code: 1, stderr: expect.stringContaining('is a directory;') })
    await writeFile(join(home, 'x.jsonl'), 'not a log\n')
    expect(await runBin(['replay', join(home, 'x.jsonl')], { env })).toMatchObject({ code: 1, stdout: '' })
  })
})
