// Escape and exhaustion: what programs do against the sandbox, seen from outside the process that runs them.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Report } from './hostile-child.ts'
import { HOSTILE } from './hostile-programs.ts'

/** The limit of busy time in the child, the grace for what can't be interrupted, and much room for a slow machine. */
const MAX_MS = 15_000

const reports = new Map<string, Report>()
let [stdout, stderr, code]: [string, string, number | null] = ['', '', null]

beforeAll(async () => {
  const child = fork(fileURLToPath(new URL('hostile-child.ts', import.meta.url)), {
    execArgv: ['--conditions=deckhand-source'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  child.stdout?.on('data', (data: Buffer) => (stdout += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()))
  child.on('message', (report: Report) => reports.set(report.name, report))
  ;[code] = (await once(child, 'close')) as [number | null]
}, 90_000)

describe('hostile programs', () => {
  it('are many, and differ', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(40)
    expect(new Set(HOSTILE.map(({ name }) => name)).size).toBe(HOSTILE.length)
  })

  it('bring down nothing, and print nothing', () => {
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it.each(HOSTILE)('$name', ({ name, kind, is }) => {
    const report = reports.get(name)
    expect({ kind: report?.failure?.split(':')[0], result: report?.result }, report?.failure).toEqual({
      kind,
      result: is,
    })
    expect(report?.ms).toBeLessThan(MAX_MS)
    expect(report).toMatchObject({ next: 1, damage: [] })
  })
})
