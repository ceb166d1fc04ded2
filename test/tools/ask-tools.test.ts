// The tools that come and go: registered when the person can be asked, and how a form becomes an answer.
import { describe, expect, it } from 'vitest'
import { createRegistry } from '#registry/registry.ts'
import { installAskTools } from '#tools/ask/ask-tools.ts'
import type { AskForm } from '#registry/form.ts'
import { askByForm } from '#tools/ask/form.ts'

const signal = new AbortController().signal
type Shown = Awaited<ReturnType<AskForm>>

describe('ask tools', () => {
  it('are there while the mode is plan, and while somebody shows forms; their drawing stays', async () => {
    const registry = createRegistry()
    const scope = registry.scope()
    let mode: (modeId: string) => void = () => undefined
    let form: (show: AskForm | undefined) => void = () => undefined
    const drawing = installAskTools(scope, {
      askPlan: () => Promise.resolve({ kind: 'cancelled' }),
      onMode: (listener) => (mode = listener)('ask'),
      onForm: (listener) => (form = listener)(undefined),
    })
    const names = () => registry.presentedSchemas(scope).map(({ name }) => name)
    expect(names()).toEqual([])
    mode('plan')
    form(() => Promise.resolve({ action: 'accept', content: { answer: 'old' } }))
    form(() => Promise.resolve({ action: 'accept', content: { answer: 'new' } }))
    expect(names().toSorted()).toEqual(['ask_user', 'exit_plan'])
    const input = { callId: 'a', name: 'ask_user', arguments: { question: 'Which?' }, scope, signal }
    expect((await registry.execute(input)).content).toEqual([{ type: 'text', text: 'The user answers: new' }])
    mode('accept-edits')
    form(undefined)
    expect(names()).toEqual([])
    expect(drawing('exit_plan')?.presentCall?.({ plan: 'x' })).toMatchObject({ kind: 'switch_mode' })
    expect(drawing('ask_user')?.presentCall?.({ question: 'x' })).toMatchObject({ card: 'generic' })
    expect(drawing('read')).toBeUndefined()
    mode('plan')
    mode('plan')
    expect(names()).toEqual(['exit_plan'])
  })
})

describe('ask tools that are not wanted', () => {
  it('stay away', () => {
    const registry = createRegistry()
    const scope = registry.scope()
    installAskTools(
      scope,
      {
        askPlan: () => Promise.resolve({ kind: 'cancelled' }),
        onMode: (listener) => listener('plan'),
        onForm: (listener) => listener(() => Promise.resolve({ action: 'decline' })),
      },
      (name) => name !== 'exit_plan',
    )
    expect(registry.presentedSchemas(scope).map(({ name }) => name)).toEqual(['ask_user'])
  })
})

describe('a question as a form', () => {
  const asked: unknown[] = []
  const ask = (shown: Shown, options?: string[]) =>
    askByForm((question) => (asked.push(question), Promise.resolve(shown)))(
      { question: 'Which?', ...(options && { options }) },
      signal,
    )
  const accept = (answer: string | number): Shown => ({ action: 'accept', content: { answer } })

  it('has one field, to write in or to choose from', async () => {
    expect(await ask(accept(' blue '))).toEqual({ kind: 'answered', answer: 'blue' })
    expect(await ask(accept('red'), ['red', 'blue'])).toEqual({ kind: 'answered', answer: 'red' })
    const field = { type: 'string', title: 'Answer' }
    const schema = (answer: object) => ({ type: 'object', properties: { answer }, required: ['answer'] })
    expect(asked).toEqual([
      { message: 'Which?', schema: schema(field) },
      { message: 'Which?', schema: schema({ ...field, enum: ['red', 'blue'] }) },
    ])
  })

  it.each<[string, Shown]>([
    ['declined', { action: 'decline' }],
    ['closed', { action: 'cancel' }],
    ['left empty', accept('  ')],
    ['answered by a number', accept(3)],
    ['answered by what was not offered', accept('green')],
  ])('that was %s is declined', async (_what, shown) => {
    expect(await ask(shown, ['red', 'blue'])).toEqual({ kind: 'declined' })
  })

  it('is cancelled by its signal, and declined by an error', async () => {
    const controller = new AbortController()
    const show: AskForm = () => Promise.reject(new Error('gone'))
    expect(await askByForm(show)({ question: 'x' }, controller.signal)).toEqual({ kind: 'declined' })
    controller.abort()
    expect(await askByForm(show)({ question: 'x' }, controller.signal)).toEqual({ kind: 'cancelled' })
    expect(await askByForm(() => Promise.resolve(accept('x')))({ question: 'x' }, controller.signal)).toEqual(
      { kind: 'cancelled' },
    )
  })
})
