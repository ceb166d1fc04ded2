// The session log and the loop: append, load, list, memory, and what a step costs beyond the provider's time.
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import type { SessionEvent, SessionHeader } from '#session/event.ts'
import { SessionLog } from '#session/log.ts'
import { createSessionStore } from '#session/store.ts'
import { type Extent, type Figure, timed } from './figure.ts'
import { measureStep } from './step.ts'

interface Sizes {
  events: number
  sessions: number
  /** Turns before a step is measured. */
  turns: number
}

const SIZES: Record<Extent, Sizes> = {
  full: { events: 100_000, sessions: 10_000, turns: 500 },
  short: { events: 1000, sessions: 100, turns: 5 },
}
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const headerOf = (number: number): SessionHeader => ({
  type: 'session',
  version: 1,
  id: idOf(number),
  cwd: '/project',
  roots: ['/project'],
  createdAt: '2026-01-01T00:00:00.000Z',
})

export async function measureSession(extent: Extent): Promise<Figure[]> {
  const sizes = SIZES[extent]
  const directory = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  try {
    return [
      ...(await measureLog(join(directory, 'log'), sizes)),
      await measureList(join(directory, 'list'), sizes),
      ...(await measureLoop(join(directory, 'loop'), sizes)),
      ...(await measureStep(extent)),
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measureLog(directory: string, { events: count }: Sizes): Promise<Figure[]> {
  const store = createSessionStore(directory)
  const log = new SessionLog(store.create(headerOf(1)), (error) => {
    throw error
  })
  const event: SessionEvent = {
    type: 'tool_output',
    callId: 'call',
    data: 'a line of output as commands write them\n',
  }
  const appending = await timed(async () => {
    for (let appended = 1; appended <= count; appended += 1) {
      log.append(event)
      if (appended % 100 === 0) await log.written()
    }
    await log.close()
  })
  const reading: number[] = []
  for (let round = 0; round < 3; round += 1) {
    reading.push(
      await timed(async () => {
        const { events } = await store.read(idOf(1))
        if (events.length !== count) throw new Error(`only ${events.length} events came back`)
      }),
    )
  }
  const name = `${count.toLocaleString('en')} events`
  return [
    { name: `append ${name}, written after each hundred`, unit: 'ms', values: [appending] },
    { name: `read ${name} back`, unit: 'ms', values: reading },
  ]
}

async function measureList(directory: string, { sessions: count }: Sizes): Promise<Figure> {
  await mkdir(join(directory, 'sessions'), { recursive: true })
  const index: string[] = []
  for (let number = 0; number < count; number += 1) {
    const { id, cwd, roots } = headerOf(number)
    await writeFile(join(directory, 'sessions', `${id}.jsonl`), `${JSON.stringify(headerOf(number))}\n`)
    index.push(
      JSON.stringify({
        id,
        cwd,
        roots,
        title: `Session ${number}`,
        updatedAt: new Date(number * 1000).toISOString(),
      }),
    )
  }
  await writeFile(join(directory, 'catalogue.jsonl'), `${index.join('\n')}\n`)
  const store = createSessionStore(directory)
  const values: number[] = []
  for (let round = 0; round < 9; round += 1) {
    values.push(
      await timed(async () => {
        const { sessions } = await store.list({ cwd: '/project' })
        if (sessions.length !== 50) throw new Error(`a page of ${sessions.length}`)
      }),
    )
  }
  const name = `list a page of ${count.toLocaleString('en')} sessions`
  return { name, unit: 'ms', values, aim: { of: 'median', most: 100 } }
}

async function measureLoop(directory: string, { turns }: Sizes): Promise<Figure[]> {
  const cwd = join(directory, 'project')
  await mkdir(cwd, { recursive: true })
  const scenario = join(directory, 'scenario.json')
  await writeFile(
    scenario,
    JSON.stringify({
      name: 'bench',
      contextWindow: 1e9,
      turns: [{ steps: [{ do: [{ text: 'A short answer.' }] }] }],
    }),
  )
  const env = {
    ...process.env,
    DECKHAND_MODEL: 'scripted/x',
    DECKHAND_SCENARIO: scenario,
    DECKHAND_HOME: join(directory, 'home'),
  }
  const agent = composeAgent(readSettings(env), env, () => undefined)
  const text = [{ type: 'text' as const, text: 'A prompt of ordinary length about the code.' }]
  const prompt = { content: text, shown: text }
  const session = await agent.create({ cwd, additionalDirectories: [] })
  for (let turn = 0; turn < turns; turn += 1) await session.prompt(prompt)
  const steps: number[] = []
  for (let turn = 0; turn < 31; turn += 1) steps.push(await timed(() => session.prompt(prompt)))
  const before = process.memoryUsage.rss()
  for (let number = 0; number < 20; number += 1) {
    const other = await agent.create({ cwd, additionalDirectories: [] })
    await other.prompt(prompt)
  }
  const twentySessionsMiB = (process.memoryUsage.rss() - before) / 1024 / 1024
  await agent.dispose()
  return [
    { name: `a turn after ${turns * 2} messages, beside the model's time`, unit: 'ms', values: steps },
    { name: 'memory of 20 more open sessions', unit: 'MiB', values: [twentySessionsMiB] },
  ]
}
