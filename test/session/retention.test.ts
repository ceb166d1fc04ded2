import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionEvent, SessionHeader } from '#session/event.ts'
import { SessionLog } from '#session/log.ts'
import { readSessionFile } from '#session/read.ts'
import { pruneSessions } from '#session/retention.ts'
import { createSessionStore } from '#session/store.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const ID = '00000000-0000-4000-8000-000000000001'
const [before, output, both] = ['b', 'o', 'x'].map((letter) => letter.repeat(70_000)) as [
  string,
  string,
  string,
]
const EVENTS: SessionEvent[] = [
  { type: 'snapshot', turnId: 't', path: '/w/a', before },
  { type: 'tool_output', callId: 'c', data: output },
  { type: 'snapshot', turnId: 't', path: '/w/b', before: both },
  { type: 'tool_output', callId: 'c', data: both },
]

async function stored(): Promise<{ directory: string; path: string }> {
  const directory = await temporaryDirectory()
  const store = createSessionStore(directory)
  const header: SessionHeader = {
    type: 'session',
    version: 1,
    id: ID,
    cwd: '/w',
    roots: ['/w'],
    createdAt: 'x',
  }
  const log = new SessionLog(store.create(header), () => expect.unreachable())
  for (const event of EVENTS) log.append(event)
  await log.close()
  await mkdir(store.filesOf(ID))
  await writeFile(join(store.filesOf(ID), 'output.txt'), 'long')
  return { directory, path: join(directory, 'sessions', `${ID}.jsonl`) }
}

describe('retention', () => {
  it('leaves a session alone that is in use', async () => {
    const { directory } = await stored()
    expect(await pruneSessions(directory)).toBe(0)
  })

  it('keeps the conversation of an old one, and drops what only a rewind needs', async () => {
    const { directory, path } = await stored()
    const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
    await utimes(path, old, old)
    expect(await pruneSessions(directory)).toBe(2)
    expect(await readdir(join(directory, 'sessions'))).toEqual([`${ID}.blobs`, `${ID}.jsonl`])
    const { events } = await readSessionFile(path)
    expect(events.map((event) => (event.type === 'tool_output' ? event.data.length : event.type))).toEqual([
      'snapshot',
      70_000,
      'snapshot',
      70_000,
    ])
    expect(events[2]).toMatchObject({ before: both })
  })

  it('follows the configuration: 0 keeps for ever, and whole sessions go where that is wanted', async () => {
    const { directory } = await stored()
    const later = Date.now() + 100 * 24 * 60 * 60 * 1000
    expect(await pruneSessions(directory, { snapshotDays: 0, outputDays: 0 }, later)).toBe(0)
    expect(await pruneSessions(directory, { sessionDays: 90 }, later)).toBe(1)
    expect(await readdir(join(directory, 'sessions'))).toEqual([])
  })

  it('does nothing where there is nothing', async () => {
    expect(await pruneSessions('/nowhere/at/all')).toBe(0)
  })
})
