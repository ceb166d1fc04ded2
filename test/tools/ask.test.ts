import { describe, expect, it } from 'vitest'
import type { UserAnswer, UserQuestion } from '#tools/ask/ask-user.ts'
import type { PlanAnswer } from '#tools/ask/exit-plan.ts'
import { openBench, viewOf } from './harness.ts'

async function withForm(answer: UserAnswer) {
  const asked: UserQuestion[] = []
  const bench = await openBench({}, { askUser: async (question) => (asked.push(question), answer) })
  return { bench, asked, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() }
}

describe('ask_user', () => {
  it('gives the answer, or that the person declined', async () => {
    await using yes = await withForm({ kind: 'answered', answer: 'blue' })
    const args = { question: 'Which?', options: ['red ', 'blue', 'blue', ''] }
    expect((await yes.bench.run('ask_user', args)).text).toBe('The user answers: blue')
    expect(yes.asked).toEqual([{ question: 'Which?', options: ['red', 'blue'] }])
    await using no = await withForm({ kind: 'declined' })
    expect((await no.bench.run('ask_user', { question: 'Which?' })).text).toContain('declined')
    expect(no.asked).toEqual([{ question: 'Which?' }])
  })

  it('a question that was taken back is an error', async () => {
    await using gone = await withForm({ kind: 'cancelled' })
    expect((await gone.bench.run('ask_user', { question: 'Which?' })).code).toBe('ABORTED')
  })

  it('refuses empty questions and choices of one', async () => {
    await using form = await withForm({ kind: 'declined' })
    expect((await form.bench.run('ask_user', { question: ' ' })).code).toBe('INVALID_ARGS')
    expect((await form.bench.run('ask_user', { question: 'x', options: ['a', 'a'] })).code).toBe(
      'INVALID_ARGS',
    )
    expect(form.asked).toEqual([])
  })

  it('is there only where forms can be shown', async () => {
    await using bench = await openBench()
    expect(() => bench.tool('ask_user')).toThrow('no tool')
    expect(() => bench.tool('exit_plan')).toThrow('no tool')
  })
})

describe('exit_plan', () => {
  const decide = async (answer: PlanAnswer, plan = '1. do it') => {
    const seen: unknown[] = []
    await using bench = await openBench({}, { askPlan: async ({ plan }) => (seen.push(plan), answer) })
    const outcome = await bench.run('exit_plan', { plan })
    return {
      outcome,
      seen,
      view: viewOf(bench, 'exit_plan', { plan }, outcome),
      tool: bench.tool('exit_plan'),
    }
  }

  it('tells the mode that the person picked, and keeps the plan on the card', async () => {
    const { outcome, seen, view, tool } = await decide({ kind: 'approved', mode: 'accept-edits' })
    expect(outcome.text).toContain('the mode is accept-edits now')
    expect(seen).toEqual(['1. do it'])
    expect(view).toMatchObject({ card: 'generic', content: [{ text: '1. do it' }, { text: outcome.text }] })
    expect(tool.presentCall?.({ plan: 'p' })).toMatchObject({ kind: 'switch_mode', content: [{ text: 'p' }] })
  })

  it('tells why the person did not agree', async () => {
    const { outcome } = await decide({ kind: 'rejected', reason: 'too long' })
    expect(outcome.text).toContain('did not approve the plan and says: too long')
    expect((await decide({ kind: 'cancelled' })).outcome.code).toBe('ABORTED')
    expect((await decide({ kind: 'rejected' }, ' ')).outcome.code).toBe('INVALID_ARGS')
  })
})
