// The session log and the loop: append, load, list, memory, and what a step costs beyond the provider's time.
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { composeAgent } from '#compose-agent.ts'
import { readSettings } from '#config/settings.ts'
import type { SessionEvent, SessionHeader } from '#session/event.ts'
import { SessionLog } from '#session/log.ts'
import { createSessionStore } from '#session/store.ts'

export interface SessionResult {
  appendsPerSecond: number
  loadedEventsPerSecond: number
  /** Milliseconds for a page of 10,000 sessions, the index being there. */
  listMs: number
  /** MiB that 20 open sessions add. */
  twentySessionsMiB: number
  /** Median milliseconds of a step at 1,000 messages of history. */
  stepMs: number
}

const EVENTS = 100_000
const SESSIONS = 10_000
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const headerOf = (number: number): SessionHeader => ({
  type: 'session',
  version: 1,
  id: idOf(number),
  cwd: '/project',
  roots: ['/project'],
  createdAt: '2026-01-01T00:00:00.000Z',
})

export async function measureSession(): Promise<SessionResult> {
  const directory = mkdtempSync(join(tmpdir(), 'deckhand-bench-'))
  try {
    const log = await measureLog(join(directory, 'log'))
    const listMs = await measureList(join(directory, 'list'))
    const loop = await measureLoop(join(directory, 'loop'))
    return { ...log, listMs, ...loop }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measureLog(
  directory: string,
): Promise<Pick<SessionResult, 'appendsPerSecond' | 'loadedEventsPerSecond'>> {
  const store = createSessionStore(directory)
  const log = new SessionLog(store.create(headerOf(1)), (error) => {
    throw error
  })
  const event: SessionEvent = {
    type: 'tool_output',
    callId: 'call',
    data: 'a line of output as commands write them\n',
  }
  let start = performance.now()
  for (let count = 1; count <= EVENTS; count += 1) {
    log.append(event)
    if (count % 100 === 0) await log.written()
  }
  await log.close()
  const appendsPerSecond = perSecond(start)
  start = performance.now()
  const { events } = await store.read(idOf(1))
  if (events.length !== EVENTS) throw new Error(`only ${events.length} events came back`)
  return { appendsPerSecond, loadedEventsPerSecond: perSecond(start) }
}

function perSecond(start: number): number {
  return EVENTS / ((performance.now() - start) / 1000)
}

async function measureList(directory: string): Promise<number> {
  await mkdir(join(directory, 'sessions'), { recursive: true })
  const index: string[] = []
  for (let number = 0; number < SESSIONS; number += 1) {
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
  const times: number[] = []
  for (let round = 0; round < 9; round += 1) {
    const start = performance.now()
    const { sessions } = await store.list({ cwd: '/project' })
    if (sessions.length !== 50) throw new Error(`a page of ${sessions.length}`)
    times.push(performance.now() - start)
  }
  return median(times)
}

async function measureLoop(directory: string): Promise<Pick<SessionResult, 'twentySessionsMiB' | 'stepMs'>> {
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
  for (let turn = 0; turn < 500; turn += 1) await session.prompt(prompt)
  const times: number[] = []
  for (let turn = 0; turn < 31; turn += 1) {
    const start = performance.now()
    await session.prompt(prompt)
    times.push(performance.now() - start)
  }
  const before = process.memoryUsage.rss()
  for (let number = 0; number < 20; number += 1) {
    const other = await agent.create({ cwd, additionalDirectories: [] })
    await other.prompt(prompt)
  }
  const twentySessionsMiB = (process.memoryUsage.rss() - before) / 1024 / 1024
  await agent.dispose()
  return { twentySessionsMiB, stepMs: median(times) }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
}

if (import.meta.main) console.table(await measureSession())
