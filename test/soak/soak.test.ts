// Whatever twenty sessions do at once, and for however long: nothing is left of them.
import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.ts'
import { type Round, soak } from './soak.ts'

const MIB = 1024 * 1024
const { SOAK_SECONDS = '6', SOAK_SEED, SOAK_SESSIONS = '5' } = process.env

const lowest = (rounds: readonly Round[], of: 'heapUsed' | 'rss' | 'files'): number =>
  Math.min(...rounds.map((round) => round[of]))

it('a soak leaves memory flat, and no process, file or listener', { timeout: 0 }, async () => {
  const seed = SOAK_SEED === undefined ? randomInt(2 ** 31) : Number(SOAK_SEED)
  console.log(`soak: seed ${seed}, ${SOAK_SECONDS} s`)
  const report = await soak({
    root: await temporaryDirectory(),
    seed,
    seconds: Number(SOAK_SECONDS),
    sessions: Number(SOAK_SESSIONS),
    say: (line) => console.log(line),
  })
  console.log(`soak: ${report.prompts} prompts, ${report.messages} messages`)
  expect(report.faults.slice(0, 10)).toEqual([])
  expect(report.processes).toEqual([])
  expect(report.leftovers).toEqual([])
  expect(report.exitCode).toBe(0)
  expect(report.stderr).not.toMatch(/outside a request/)
  const [first, last] = [report.rounds[0], report.rounds.at(-1)] as [Round, Round]
  expect(last).toMatchObject({ unhandled: 0, warnings: [] })
  expect(last.listeners).toEqual(first.listeners)
  // The first third of a long soak fills caches and compiles code.
  const third = Math.floor(report.rounds.length / 3)
  const early = report.rounds.slice(third, Math.max(2 * third, third + 1))
  const late = report.rounds.slice(-Math.max(1, third))
  expect(lowest(late, 'heapUsed')).toBeLessThan(lowest(early, 'heapUsed') * 1.1 + 8 * MIB)
  // What the system counts says little before the allocator has settled.
  if (report.rounds.length >= 6)
    expect(lowest(late, 'rss')).toBeLessThan(lowest(early, 'rss') * 1.25 + 40 * MIB)
  expect(lowest(late, 'files')).toBeLessThanOrEqual(lowest(early, 'files') + 2)
})
