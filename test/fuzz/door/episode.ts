// Generated talk of a client: lines for the agent, most of them nearly right, and answers to what the agent asks.
import fc from 'fast-check'
import { blowUp, type Change, changed, changeWith, type Json, odd } from '../mutate.ts'
import { METHODS, SESSIONS } from './methods.ts'

/** What a client does in one go. Lines carry marks, which `fill` replaces. */
export interface Episode {
  /** Whether the first line arrives before anybody has said `initialize`. */
  early: boolean
  lines: string[]
  /** Bytes after which a write is cut, in turn; 0 leaves it whole. */
  cuts: number[]
  /** Answers to the agent's requests, in turn. */
  answers: Answer[]
}

export type Answer = { result: unknown } | { error: unknown } | 'twice' | 'never'

const value = fc.oneof(
  { weight: 6, arbitrary: odd },
  { weight: 1, arbitrary: fc.constantFrom<Json>(...SESSIONS, '§cwd§', '§root§') },
)
const change = changeWith(value)

const id: fc.Arbitrary<Json> = fc.oneof(
  { weight: 12, arbitrary: fc.nat({ max: 30 }) },
  { weight: 3, arbitrary: fc.constantFrom<Json>('a', 'b', '', '0', 'é\u2028', '__proto__') },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Json>(
      null,
      -1,
      1.5,
      1e21,
      2 ** 53,
      true,
      {},
      [],
      '§long:5000§',
      '§deep:20000§',
    ),
  },
)

const params = (method: string): fc.Arbitrary<Json> =>
  fc
    .tuple(
      fc.constantFrom(...(METHODS[method] as Json[])),
      fc.oneof(
        { weight: 3, arbitrary: fc.constant<Change[]>([]) },
        { weight: 4, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) },
      ),
    )
    .map(([template, changes]) => changed(template, changes))

const named = fc
  .constantFrom(...Object.keys(METHODS))
  .chain((method) => fc.tuple(fc.constant(method), params(method), id, fc.nat({ max: 9 })))

/** A message by the book, but for its parameters; one in ten has no id, or has one although it is a notification. */
const message = named.map(([method, given, identity, odds]): string => {
  const silent = method.startsWith('$') || method === 'session/cancel'
  const numbered = silent ? odds === 0 : odds !== 0
  return JSON.stringify({ jsonrpc: '2.0', ...(numbered && { id: identity }), method, params: given })
})

const envelope = fc
  .tuple(
    named,
    fc.constantFrom<Json>('2.0', '1.0', 2, null),
    fc.constantFrom<Json>('method', 'session/unknown', '_x', '', 5, null, 'toString'),
    fc.array(fc.constantFrom('jsonrpc', 'id', 'method', 'params'), { maxLength: 2 }),
    odd,
  )
  .map(([[method, given, identity], version, other, dropped, extra]) => {
    const whole: Record<string, Json> = {
      jsonrpc: version,
      id: identity,
      method: typeof other === 'string' && other === 'method' ? method : other,
      params: given,
      extra,
    }
    for (const key of dropped) delete whole[key]
    return JSON.stringify(whole)
  })

/** Answers that nobody waits for, and some that somebody does. */
const response = fc
  .tuple(id, odd, fc.constantFrom('result', 'error', 'both', 'none'), fc.nat({ max: 3 }))
  .map(([identity, value, which]) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: identity,
      ...((which === 'result' || which === 'both') && { result: value }),
      ...((which === 'error' || which === 'both') && { error: value }),
    }),
  )

const noise = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '\r',
    'null',
    '1',
    '"text"',
    '[]',
    '[1,2]',
    '{',
    '{}',
    '}{',
    'Welcome back',
    '\u001b[1 q',
    '\ufeff{}',
    '{"jsonrpc":"2.0"}',
    '[{"jsonrpc":"2.0","id":1,"method":"session/list","params":{}}]',
    '{"jsonrpc":"2.0","id":1,"id":2,"method":"session/list","params":{}}',
    '{"jsonrpc":"2.0","id":-0,"method":"session/list","params":{}}',
    '{"jsonrpc":"2.0","id":1e400,"method":"session/list","params":{}}',
    '{"__proto__":{"id":1},"jsonrpc":"2.0","method":"x"}',
    '"§deep:30000§"',
    '{"a":"§deepo:30000§"}',
    'Content-Length: 20',
  ),
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', '')),
  fc.tuple(message, fc.nat(), fc.nat({ max: 8 })).map(([text, at, cut]) => {
    const index = at % (text.length + 1)
    return text.slice(0, index) + text.slice(index + cut)
  }),
)

const line = fc.oneof(
  { weight: 12, arbitrary: message },
  { weight: 2, arbitrary: envelope },
  { weight: 2, arbitrary: response },
  { weight: 2, arbitrary: noise },
)

const answer: fc.Arbitrary<Answer> = fc.oneof(
  fc.constantFrom<Answer>(
    'never',
    'twice',
    { error: { code: -32601, message: 'no' } },
    { error: 'no' },
    { error: { code: 'x' } },
    { result: null },
    { result: { content: 'from the editor' } },
    { result: { content: 5 } },
    { result: { outcome: { outcome: 'cancelled' } } },
    { result: { outcome: { outcome: 'selected', optionId: 'reject-once' } } },
    { result: { outcome: { outcome: 'selected', optionId: 'ALLOW' } } },
    { result: { outcome: { outcome: 'selected', optionId: '' } } },
    { result: { outcome: { outcome: 'selected' } } },
    { result: { outcome: { outcome: 'allow', optionId: 'allow-once' } } },
    { result: { outcome: 'selected', optionId: 'allow-once' } },
    { result: { optionId: 'allow-once' } },
    { result: { action: 'accept', content: {} } },
    { result: { action: 'decline' } },
  ),
  odd.map((result) => ({ result })),
)

export const episode: fc.Arbitrary<Episode> = fc.record({
  early: fc.boolean(),
  lines: fc.array(line, { minLength: 60, maxLength: 140, size: 'max' }),
  cuts: fc.array(fc.constantFrom(0, 0, 0, 1, 7, 100), { minLength: 1, maxLength: 8 }),
  answers: fc.array(answer, { minLength: 1, maxLength: 12 }),
})

/** What the marks in a line stand for: `§s0§`, `§cwd§`, `§root§`, and values too big to write down. */
export function fill(text: string, names: Readonly<Record<string, string>>): string {
  return blowUp(text).replaceAll(/§(s\d|cwd|root)§/g, (whole, name: string) => names[name] ?? whole)
}
