import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { SessionLog } from '#session/log.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const EVENT = { type: 'title', title: 'x'.repeat(60_000) } as const

it('what is being written when a log is closed is written whole, and what comes later is no failure', async () => {
  const directory = await temporaryDirectory()
  const failures: Error[] = []
  for (let round = 0; round < 12; round++) {
    const id = `00000000-0000-4000-8000-${String(round).padStart(12, '0')}`
    const header = {
      type: 'session',
      version: 1,
      id,
      cwd: '/w',
      roots: ['/w'] as string[],
      createdAt: '2026-01-01T00:00:00Z',
    } as const
    const path = join(directory, `${id}.jsonl`)
    const log = new SessionLog({ path, header, events: [] }, (error) => failures.push(error))
    log.append(EVENT)
    if (round % 2 === 0) await log.written()
    let closed = false
    const closing = log.close().then(() => (closed = true))
    while (!closed) {
      log.append(EVENT)
      if (round % 3 !== 0) await turn()
      else await Promise.resolve()
      if (log.events.length > 200) break
    }
    await closing
    const lines = (await readFile(path, 'utf8')).split('\n')
    expect(lines.pop()).toBe('')
    const events = lines.slice(1).map((line) => JSON.parse(line) as { seq: number })
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  }
  expect(failures).toEqual([])
})
