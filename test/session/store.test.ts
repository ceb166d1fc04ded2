import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { SessionEvent, SessionHeader } from '#session/event.ts'
import { acquireLock, LockedError } from '#session/lock.ts'
import { SessionLog } from '#session/log.ts'
import { migrate } from '#session/migrate.ts'
import { readSessionFile } from '#session/read.ts'
import { createSessionStore } from '#session/store.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const headerOf = (number: number, cwd = '/w'): SessionHeader => ({
  type: 'session',
  version: 1,
  id: idOf(number),
  cwd,
  roots: [cwd],
  createdAt: '2026-01-01T00:00:00.000Z',
})
const output = (data: string): SessionEvent => ({ type: 'tool_output', callId: 'c', data })

async function written(
  directory: string,
  number: number,
  events: SessionEvent[],
  cwd?: string,
): Promise<string> {
  const store = createSessionStore(directory)
  const log = new SessionLog(store.create(headerOf(number, cwd)), (error) =>
    expect.unreachable(error.message),
  )
  for (const event of events) log.append(event)
  await log.close()
  return join(directory, 'sessions', `${idOf(number)}.jsonl`)
}

describe('long strings', () => {
  const awkward = [
    'x'.repeat(70_000),
    '漢🙂'.repeat(40_000),
    `${'y'.repeat(70_000)}\u2028\0"\\`,
    `${'z'.repeat(70_000)}\ud800`,
  ]

  it('lie beside the log, once each, and come back unchanged', async () => {
    const directory = await temporaryDirectory()
    const events = [...awkward, awkward[0] ?? ''].map(output)
    const path = await written(directory, 1, events)
    const stored = await readSessionFile(path)
    expect(stored.warnings).toEqual([])
    expect(stored.events.map((event) => event.type === 'tool_output' && event.data)).toEqual([
      ...awkward,
      awkward[0],
    ])
    expect(await readdir(path.replace('.jsonl', '.blobs'))).toHaveLength(3)
    const lines = (await readFile(path, 'utf8')).split('\n')
    expect(lines[1]?.length).toBeLessThan(300)
  })

  it('are never confused with data that looks like a reference', async () => {
    const directory = await temporaryDirectory()
    const arguments_ = {
      $blob: 'a'.repeat(64),
      $$blob: 1,
      inner: [{ $blob: 'short' }],
      long: awkward[0] ?? '',
    }
    const call = { type: 'code_call' as const, callId: 'c', parentId: 'p', name: 'n', arguments: arguments_ }
    const path = await written(directory, 1, [call])
    expect((await readSessionFile(path)).events[0]).toMatchObject(call)
  })

  it('cost only themselves when they are damaged or lost', async () => {
    const directory = await temporaryDirectory()
    const path = await written(directory, 1, [output(awkward[0] ?? ''), output('short')])
    const blobs = path.replace('.jsonl', '.blobs')
    const [name = ''] = await readdir(blobs)
    await writeFile(join(blobs, name), 'something else')
    const stored = await readSessionFile(path)
    expect(stored.warnings).toHaveLength(1)
    expect(stored.events).toMatchObject([
      { data: expect.stringContaining('70000 characters') },
      { data: 'short' },
    ])
  })
})

describe('the lock', () => {
  it('is refused while another process lives, and taken over when it is dead (B95)', async () => {
    const directory = await temporaryDirectory()
    const lock = join(directory, 'a.lock')
    const script = `import { acquireLock } from ${JSON.stringify(join(process.cwd(), 'src/session/lock.ts'))}; await acquireLock(${JSON.stringify(lock)}); console.log('held'); setInterval(() => {}, 1000)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    await expect(acquireLock(lock, 100)).rejects.toMatchObject({ name: 'LockedError', pid: child.pid })
    child.kill('SIGKILL')
    await once(child, 'exit')
    const release = await acquireLock(lock, 100)
    await expect(acquireLock(lock, 0)).rejects.toBeInstanceOf(LockedError)
    await release()
    expect(await readdir(directory)).toEqual([])
  })

  it('of a dead process whose id somebody else has now is taken over', async () => {
    const directory = await temporaryDirectory()
    await writeFile(join(directory, 'a.lock'), JSON.stringify({ pid: process.pid, started: '1' }))
    await (
      await acquireLock(join(directory, 'a.lock'), 100)
    )()
  })

  it('is held by one of many that want it at once', async () => {
    const directory = await temporaryDirectory()
    const tries = await Promise.allSettled(
      Array.from({ length: 20 }, () => acquireLock(join(directory, 'a.lock'), 0)),
    )
    expect(tries.filter((attempt) => attempt.status === 'fulfilled')).toHaveLength(1)
  })

  it('keeps a session from being opened twice', async () => {
    const directory = await temporaryDirectory()
    await written(directory, 1, [output('x')])
    const store = createSessionStore(directory)
    const first = await store.open(idOf(1))
    await expect(store.open(idOf(1))).rejects.toMatchObject({
      code: 'locked',
      message: expect.stringContaining(String(process.pid)),
    })
    expect((await store.read(idOf(1))).events).toHaveLength(1)
    await first.release?.()
  }, 10_000)
})

describe('the list', () => {
  it('gives the newest first, in pages, without gaps or repeats when sessions are added meanwhile', async () => {
    const directory = await temporaryDirectory()
    const store = createSessionStore(directory)
    for (let number = 0; number < 120; number += 1) {
      await written(directory, number, [])
      await writeFile(
        join(directory, 'sessions', `${idOf(number)}.jsonl`),
        `${JSON.stringify(headerOf(number))}\n`,
      ).catch(() => mkdir(join(directory, 'sessions')))
      const updatedAt = new Date(1_700_000_000_000 + number * 1000).toISOString()
      await store.note({ id: idOf(number), cwd: '/w', roots: ['/w'], updatedAt, title: `t${number}` })
    }
    const first = await store.list({})
    await store.note({ id: idOf(0), cwd: '/w', roots: ['/w'], updatedAt: new Date().toISOString() })
    const second = await store.list({ cursor: first.nextCursor ?? '' })
    const third = await store.list({ cursor: second.nextCursor ?? '' })
    const numbers = [...first.sessions, ...second.sessions, ...third.sessions].map(({ id }) =>
      Number(id.slice(-12)),
    )
    expect(numbers).toEqual(Array.from({ length: 119 }, (_, index) => 119 - index))
    expect(third.nextCursor).toBeUndefined()
  })

  it('finds what the index does not know, filters by real path, and forgets what was removed (B93)', async () => {
    const directory = await temporaryDirectory()
    const project = join(directory, 'project')
    await mkdir(project)
    await symlink(project, join(directory, 'link'))
    await written(directory, 1, [{ type: 'title', title: 'one' }, output('x'.repeat(70_000))], project)
    await written(directory, 2, [{ type: 'title', title: 'two' }], join(directory, 'link'))
    await written(directory, 3, [{ type: 'title', title: 'three' }], '/elsewhere')
    await appendFile(join(directory, 'catalogue.jsonl'), '{bad\n')
    const store = createSessionStore(directory)
    const titles = async (cwd?: string) =>
      (await store.list(cwd === undefined ? {} : { cwd })).sessions
        .map(({ title = '' }) => title)
        .toSorted((a, b) => (a < b ? -1 : 1))
    expect(await titles(`${directory}/link/`)).toEqual(['one', 'two'])
    await store.remove(idOf(1))
    await store.remove(idOf(77))
    await store.remove('../../etc')
    expect(await titles()).toEqual(['three', 'two'])
    expect((await readdir(join(directory, 'sessions'))).filter((name) => name.startsWith(idOf(1)))).toEqual(
      [],
    )
  })
})

describe('a session without a title', () => {
  const command = (text: string): SessionEvent => ({ type: 'command', id: text, text, output: 'said' })
  it.each([
    [[command(''), command('/trust yes\nplease'), command('/mcp')], '/trust yes'],
    [[command('/mcp'), { type: 'title', title: 'Mine' } as const], 'Mine'],
    [[output('x')], undefined],
  ])('is listed by its first command', async (events, title) => {
    const directory = await temporaryDirectory()
    await written(directory, 1, events)
    const { sessions } = await createSessionStore(directory).list({})
    expect(sessions.map((session) => session.title)).toEqual([title])
  })
})

describe('versions', () => {
  it('a newer header is refused with a clear message', async () => {
    const directory = await temporaryDirectory()
    const path = join(directory, 'a.jsonl')
    await writeFile(path, `${JSON.stringify({ ...headerOf(1), version: 2 })}\n`)
    await expect(readSessionFile(path)).rejects.toMatchObject({
      message: expect.stringContaining('newer version'),
    })
  })

  it('an unknown event makes the file read-only, unless it is marked ignorable', async () => {
    const directory = await temporaryDirectory()
    const path = await written(directory, 1, [output('x')])
    await appendFile(path, '{"type":"hologram","seq":9,"at":"x","ignorable":true}\n')
    expect((await readSessionFile(path)).readOnly).toBeUndefined()
    await appendFile(path, '{"type":"hologram","seq":10,"at":"x"}\n')
    const stored = await readSessionFile(path)
    expect(stored.readOnly).toContain('newer version')
    expect(stored.events).toHaveLength(1)
    const before = await readFile(path, 'utf8')
    const log = new SessionLog(stored, () => expect.unreachable())
    log.append(output('y'))
    await log.close()
    expect(await readFile(path, 'utf8')).toBe(before)
  })

  it('an old one is lifted step by step', () => {
    const steps = {
      1: (text: string) => text.replace('"version":1', '"version":2').replace('a', 'b'),
      2: (text: string) => text.replace('"version":2', '"version":3').replace('b', 'c'),
    }
    expect(migrate('{"version":1}\na\n', steps, 3)).toEqual({ text: '{"version":3}\nc\n', from: 1 })
    expect(migrate('{"version":3}\na\n', steps, 3)).toEqual({ text: '{"version":3}\na\n' })
    expect(migrate('garbage', steps, 3)).toEqual({ text: 'garbage' })
  })
})
