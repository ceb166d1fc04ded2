// Structure-aware mutation of JSON: nearly right values, as text that may be nested or long beyond reason.
import fc from 'fast-check'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Values that nobody expects. `§deep:n§` becomes nesting, `§long:n§` text: see `blowUp`. */
export const odd: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 53,
    1e308,
    '',
    ' ',
    '\0',
    'x\n\u001b[31my',
    '\ud800',
    '\u202eevil',
    '../../etc/passwd',
    '/',
    '/etc/passwd',
    '~',
    'file:///etc/passwd',
    'http://[::1',
    '%00',
    '__proto__',
    'constructor',
    'allow-once',
    [],
    {},
    [null],
    [[]],
  ),
  fc.constantFrom<Json>('§deep:500§', '§deep:20000§', '§deepo:20000§', '§long:100000§', '§proto§'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)

export interface Change {
  at: number
  how: 'replace' | 'drop' | 'add' | 'wrap' | 'repeat'
  value: Json
}

export const changeWith = (value: fc.Arbitrary<Json>): fc.Arbitrary<Change> =>
  fc.record({
    at: fc.nat({ max: 60 }),
    how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'add', 'wrap', 'repeat'),
    value,
  })

interface Slot {
  holder: Record<string, Json>
  key: string
}

/** Every place below, as something that can be written to. */
function slots(value: Json, found: Slot[] = []): Slot[] {
  if (typeof value !== 'object' || value === null) return found
  const holder = value as Record<string, Json>
  for (const key of Object.keys(holder)) {
    found.push({ holder, key })
    slots(holder[key] as Json, found)
  }
  return found
}

/** A copy with the changes, one behind the other. */
export function changed(template: Json, changes: readonly Change[]): Json {
  const root: { it: Json } = { it: structuredClone(template) }
  for (const { at, how, value } of changes) {
    const places = slots(root)
    const place = places[at % places.length]
    if (place !== undefined) apply(place, how, value)
  }
  return root.it
}

function apply({ holder, key }: Slot, how: Change['how'], value: Json): void {
  const old = holder[key] as Json
  if (how === 'drop' && Array.isArray(holder)) holder.splice(Number(key), 1)
  else if (how === 'drop') delete holder[key]
  else if (how === 'wrap') holder[key] = [old]
  else if (how === 'repeat') holder[key] = [old, old, old]
  else if (how === 'add' && typeof old === 'object' && old !== null && !Array.isArray(old))
    old['extra'] = value
  else holder[key] = structuredClone(value)
}

/** Marks in JSON text become what is too big to be written down, or can't be. */
export function blowUp(text: string): string {
  return text
    .replaceAll(/"§deep:(\d+)§"/g, (_whole, depth: string) => nested('[', '', ']', Number(depth)))
    .replaceAll(/"§deepo:(\d+)§"/g, (_whole, depth: string) => nested('{"a":', '1', '}', Number(depth)))
    .replaceAll('"§proto§"', '{"__proto__":{"sessionId":"x"},"constructor":{"prototype":1}}')
    .replaceAll(/§long:(\d+)§/g, (_whole, length: string) => 'long '.repeat(Number(length) / 5))
}

function nested(open: string, inner: string, close: string, depth: number): string {
  return open.repeat(depth) + inner + close.repeat(depth)
}
