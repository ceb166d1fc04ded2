import { describe, expect, it } from 'vitest'
import { openProject, shown, table } from './harness.ts'

const RULES = { allow: ['bash(git status)', 'bash(npm test *)'] }
const MODES = ['ask', 'accept-edits'] as const

describe('under allow: bash(git status), bash(npm test *)', () => {
  it('has the cases that it promises', () => {
    const lines = (name: string) => new Set(table(name).map(({ line }) => line)).size
    expect(lines('must-ask')).toBeGreaterThanOrEqual(80)
    expect(lines('must-pass')).toBeGreaterThanOrEqual(40)
  })

  it.each(table('must-ask').map((row) => [shown(row.line), row] as const))(
    '%s asks',
    async (_title, { line }) => {
      const { policy } = await openProject()
      expect(await policy(RULES).bash(line)).toMatchObject({ kind: 'ask' })
    },
  )

  it.each(table('must-pass').map((row) => [shown(row.line), row] as const))(
    '%s passes',
    async (_title, { line }) => {
      const { policy } = await openProject()
      for (const mode of MODES) expect(await policy(RULES, mode).bash(line)).toEqual({ kind: 'allow' })
    },
  )

  it('only those that write inside the roots pass in accept-edits', async () => {
    const { policy } = await openProject()
    const passing: string[] = []
    for (const { line, why } of table('must-ask')) {
      const { kind } = await policy(RULES, 'accept-edits').bash(line)
      if (kind === 'allow') passing.push(`${why}: ${line}`)
    }
    expect(passing).toEqual(passing.filter((line) => line.startsWith('redirection to a file')))
    expect(passing).toContain('redirection to a file: git status > x')
    expect(passing.filter((line) => /\.git|tcp|~|\$x|\*/.test(line))).toEqual([])
  })
})

describe('deny: bash(rm *), bash(git push *)', () => {
  const rules = { deny: ['bash(rm *)', 'bash(git push *)'], allow: ['bash(*)'] }

  it.each(table('deny').map((row) => [shown(row.line), row.decision, row] as const))(
    '%s: %s in bypass',
    async (_title, decision, { line }) => {
      const { policy } = await openProject()
      expect(await policy(rules, 'bypass').bash(line)).toMatchObject({ kind: decision })
    },
  )

  it('no mode and no allow rule lets through what bypass does not', async () => {
    const { policy } = await openProject()
    for (const { line, decision } of table('deny')) {
      for (const mode of ['ask', 'accept-edits', 'plan'] as const) {
        const { kind } = await policy(rules, mode).bash(line)
        if (decision === 'deny') expect([line, mode, kind]).toEqual([line, mode, 'deny'])
        if (decision === 'ask') expect([line, mode, kind]).not.toEqual([line, mode, 'allow'])
      }
    }
  })
})
