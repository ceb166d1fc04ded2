import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readSettings } from '#config/settings.ts'
import { ModelError } from '#model/error.ts'
import type { ModelMessage } from '#model/message.ts'
import type { ModelEvent } from '#model/port.ts'
import { parseScenario } from '#model/scenario-file.ts'
import type { Scenario } from '#model/scenario.ts'
import { createScripted } from '#model/scripted.ts'
import { createModelSource } from '#model/source.ts'
import { callsIn, play, prompt, request, textIn } from './harness.ts'

const SCENARIO: Scenario = {
  name: 'test',
  contextWindow: 8000,
  turns: [
    { match: '^deploy', steps: [{ do: [{ text: 'Matched.' }], finish: 'refusal' }] },
    {
      steps: [
        {
          do: [
            { thought: 'Hm, {{prompt}}.' },
            { text: 'I read two\nfiles.' },
            { call: { name: 'read', arguments: { path: 'ä' } } },
            { call: { id: 'mine', name: 'read', raw: '{"pa' } },
          ],
          usage: { inputTokens: 3 },
        },
        { do: [{ text: 'Last: {{result}}; mine: {{result:mine}}; none: {{result:no}}.' }] },
      ],
    },
    { steps: [{ do: [{ text: 'Second turn.' }] }] },
  ],
}

const model = createScripted('test', SCENARIO)

function answer(text: string): ModelMessage {
  return { role: 'assistant', parts: [{ type: 'text', text }] }
}

/** The messages that a loop appends after a step. */
function after(events: readonly ModelEvent[]): ModelMessage[] {
  const calls = callsIn(events)
  return [
    { role: 'assistant', parts: calls.map((call) => ({ ...call, type: 'tool_call' as const })) },
    {
      role: 'tool',
      results: calls.map(({ callId, name }, index) => ({
        callId,
        name,
        isError: false,
        content: [{ type: 'text', text: `r${index}` }],
      })),
    },
  ]
}

describe('the scripted model', () => {
  it('streams thoughts, texts and calls in pieces', async () => {
    const { events } = await play(model, request([prompt('go')]))
    expect(textIn(events, 'thought')).toBe('Hm, go.')
    expect(events.filter(({ type }) => type === 'text').length).toBe(4)
    expect(textIn(events)).toBe('I read two\nfiles.')
    expect(callsIn(events)).toMatchObject([
      { name: 'read', arguments: { path: 'ä' } },
      { callId: 'mine', arguments: '{"pa', malformed: true },
    ])
    expect(callsIn(events)[0]?.callId).toMatch(/^call_2_1_1_\w{8}$/)
    const deltas = events.flatMap((event) =>
      event.type === 'call_delta' && event.callId === 'mine' ? [event.delta] : [],
    )
    expect(deltas.join('')).toBe('{"pa')
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool_calls', usage: { inputTokens: 3 } })
  })

  it('goes on where the messages say, quotes results, and never uses an id twice', async () => {
    const first = await play(model, request([prompt('go')]))
    const again = await play(model, request([prompt('go')]))
    expect(callsIn(first.events)[0]?.callId).not.toBe(callsIn(again.events)[0]?.callId)
    const second = await play(model, request([prompt('go'), ...after(first.events)]))
    expect(textIn(second.events)).toBe('Last: r1; mine: r1; none: .')
    expect(second.events.at(-1)).toEqual({ type: 'finish', reason: 'stop' })
    const reminded = await play(
      model,
      request([prompt('go'), ...after(first.events), prompt('A reminder of a policy.')]),
    )
    expect(textIn(reminded.events)).toBe('Last: r1; mine: r1; none: .')
    const over = await play(model, request([prompt('go'), ...after(first.events), ...after(first.events)]))
    expect(textIn(over.events)).toContain('scenario is over')
  })

  it('takes turns in order, repeats the last, and lets a match win, also after a cancelled batch', async () => {
    const say = async (...messages: ModelMessage[]) => textIn((await play(model, request(messages))).events)
    expect(await say(prompt('a'), answer('x'), prompt('b'))).toBe('Second turn.')
    expect(await say(prompt('a'), answer('x'), prompt('b'), answer('x'), prompt('c'))).toBe('Second turn.')
    expect(await say(prompt('a'), answer('x'), prompt('deploy it'))).toBe('Matched.')
    expect(await say(prompt('a'), prompt('b'))).toBe('Second turn.')
    const { events } = await play(model, request([prompt('a')]))
    expect(await say(prompt('a'), ...after(events), prompt('deploy it'))).toBe('Matched.')
    expect(model.contextWindow).toBe(8000)
  })

  it('fails as told, waits as told, and hangs until it is aborted', async () => {
    const scenario = (action: Scenario['turns'][0]['steps'][0]['do'][0]) =>
      createScripted('x', { name: 'x', turns: [{ steps: [{ do: [{ text: 'Hi' }, action] }] }] })
    const failed = await play(scenario({ error: { code: 'rate_limit', message: 'Slow down.', status: 429 } }))
    expect(textIn(failed.events)).toBe('Hi')
    expect(failed.error).toMatchObject({
      code: 'rate_limit',
      status: 429,
      message: 'Slow down.',
      retryable: true,
    })
    const waited = await play(scenario({ delayMs: 5 }))
    expect(waited.events.at(-1)).toMatchObject({ type: 'finish', reason: 'stop' })
    for (const action of [{ hang: true } as const, { delayMs: 3_600_000 }]) {
      const controller = new AbortController()
      const hanging = play(scenario(action), request(undefined, { signal: controller.signal }))
      setImmediate(() => controller.abort())
      expect((await hanging).error?.code).toBe('aborted')
    }
    expect((await play(model, request(undefined, { signal: AbortSignal.abort() }))).error?.code).toBe(
      'aborted',
    )
  })
})

describe('scenario files', () => {
  let directory: string
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'deckhand-scenario-'))
  })
  afterAll(() => rm(directory, { recursive: true }))

  const source = (file?: string) =>
    createModelSource(
      readSettings({ DECKHAND_MODEL: 'scripted/mine', ...(file && { DECKHAND_SCENARIO: file }) }),
    )

  it('are played, also with a byte order mark, and read again after a repair', async () => {
    const file = join(directory, 'scenario.json')
    await writeFile(file, '{"name":')
    const models = source(file)
    await expect(models.load('scripted/mine')).rejects.toThrow(file)
    await writeFile(file, `\uFEFF${JSON.stringify(SCENARIO)}`)
    expect(textIn((await play(await models.load('scripted/mine'), request([prompt('deploy')]))).events)).toBe(
      'Matched.',
    )
  })

  it('are named when they are not there', async () => {
    const missing = join(directory, 'none.json')
    await expect(source(missing).load('scripted/mine')).rejects.toThrow(
      `The scenario ${missing} can't be read (ENOENT).`,
    )
    await expect(source().load('scripted/mine')).rejects.toThrow('DECKHAND_SCENARIO')
  })

  it('plays the built-in demo without a file', async () => {
    const demo = await source().load('scripted/demo')
    expect((await play(demo)).events.at(-1)?.type).toBe('finish')
  })

  it.each([
    ['{', /s\.json is no JSON/],
    ['{"name":"x","turns":[]}', /wrong at turns/],
    ['{"name":"x","turns":[{"match":"(","steps":[]}]}', /wrong at turns\.0\.match: is no regular expression/],
    ['{"name":"x","turns":[{"steps":[{"do":[{"txt":"a"}]}]}]}', /wrong at turns\.0\.steps\.0\.do\.0: .*txt/],
    ['{"name":"x","turns":[{"steps":[{"do":[{"text":"a","hang":true}]}]}]}', /do\.0: needs exactly one of/],
    ['{"name":"x","turns":[{"steps":[{"do":[{"call":{"name":"a"}}]}]}]}', /do\.0\.call: needs either/],
    ['{"name":"x","turns":[{"steps":[{"do":[],"finish":"done"}]}]}', /steps\.0\.finish/],
    ['{"name":"x","turns":[{"steps":[{"do":[{"error":{"code":"no","message":""}}]}]}]}', /error\.code/],
  ])('name file and place of a mistake: %s', (text, message) => {
    const parse = () => parseScenario(text, '/tmp/s.json')
    expect(parse).toThrow(ModelError)
    expect(parse).toThrow(message)
  })
})
