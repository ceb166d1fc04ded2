// A log is shown while it is read.
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LoggedEvent } from '#session/event.ts'
import { linesOf } from '#session/lines.ts'
import { stage, type Stage } from '../support/scripted-agent.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const ID = '00000000-0000-4000-8000-000000000007'
const EVENTS = 20_000

/** A session of some megabytes, more than is read at a time. */
async function longSession(): Promise<Stage> {
  const staged = await stage({ turns: [] })
  const at = '2026-01-05T09:00:00.000Z'
  const { cwd } = staged
  const rows: object[] = [{ type: 'session', version: 1, id: ID, cwd, roots: [cwd], createdAt: at }]
  for (let seq = 1; seq <= EVENTS; seq++) {
    rows.push({ seq, at, type: 'notice', severity: 'info', title: `number ${seq}` })
  }
  const text = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  await staged.session.close()
  await mkdir(join(staged.home, 'sessions'), { recursive: true })
  await writeFile(join(staged.home, 'sessions', `${ID}.jsonl`), text)
  return staged
}

const locks = async (home: string): Promise<string[]> =>
  (await readdir(join(home, 'sessions'))).filter((name) => name.endsWith('.lock'))

describe('opening a long session', () => {
  it('hands events over in order before the rest is read, each once', async () => {
    const { restart, cwd } = await longSession()
    const agent = await restart()
    const seen: LoggedEvent[] = []
    let most = 0
    const session = await agent.open(ID, { cwd, additionalDirectories: [] }, async (events, { header }) => {
      expect(header.id).toBe(ID)
      most = Math.max(most, events.length)
      seen.push(...events)
    })
    expect(most).toBeLessThan(EVENTS / 2)
    expect(seen).toEqual(session.history().slice(0, EVENTS))
    expect(seen).toHaveLength(EVENTS)
  })

  it('reads no further than the one who watches, and lets go of the log when that fails', async () => {
    const { restart, cwd, home } = await longSession()
    const agent = await restart()
    let calls = 0
    const watch = async (): Promise<void> => {
      calls++
      throw new Error('seen enough')
    }
    await expect(agent.open(ID, { cwd, additionalDirectories: [] }, watch)).rejects.toThrow('seen enough')
    expect(calls).toBe(1)
    expect(await locks(home)).toEqual([])
    expect(agent.get(ID)).toBeUndefined()
    expect((await agent.open(ID, { cwd, additionalDirectories: [] })).history()).toHaveLength(EVENTS)
  })

  it('ends with the agent, whoever is still waited for', async () => {
    const { restart, cwd, home } = await longSession()
    const agent = await restart()
    const begun = Promise.withResolvers<void>()
    const opening = agent.open(ID, { cwd, additionalDirectories: [] }, async () => {
      begun.resolve()
      await new Promise(() => undefined)
    })
    const refused = expect(opening).rejects.toMatchObject({ code: 'not_found' })
    await begun.promise
    await agent.dispose()
    await refused
    expect(await locks(home)).toEqual([])
  })
})

async function allOf(batches: AsyncIterable<string[]>): Promise<string[]> {
  const lines: string[] = []
  for await (const batch of batches) lines.push(...batch)
  return lines
}

describe('the lines of a file', () => {
  it('are those of its text, wherever it is cut into pieces', async () => {
    const path = join(await temporaryDirectory(), 'log')
    const text = fc.string({
      unit: fc.constantFrom('a', '\n', 'é', '😀', '\r', '\u2028', ' '),
      maxLength: 60,
    })
    // Up to where a piece ends: the generated text then lies across the cut.
    const filler = fc.integer({ min: 256 * 1024 - 40, max: 256 * 1024 })
    await fc.assert(
      fc.asyncProperty(filler, text, text, async (length, head, tail) => {
        const whole = `${head}${'x'.repeat(length)}${tail}`
        await writeFile(path, whole)
        expect(await allOf(linesOf(path))).toEqual(whole.split('\n'))
      }),
      { numRuns: 60 },
    )
  })

  it('may be longer than a piece', async () => {
    const path = join(await temporaryDirectory(), 'log')
    const long = 'ä'.repeat(500_000)
    await writeFile(path, `one\n${long}\nthree`)
    expect(await allOf(linesOf(path))).toEqual(['one', long, 'three'])
  })
})
