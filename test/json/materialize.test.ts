// registry.md §4: what is lossless JSON and what is not.
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import {
  type Fault,
  faultMessage,
  materialize,
  materializeAll,
  materializedOnce,
  MAX_BYTES,
} from '#json/materialize.ts'
import { isJsonObject, type JsonValue } from '#json/value.ts'
import { pathText } from '#json/path.ts'

const sparse: unknown[] = [1]
sparse[2] = 1
class Point {
  x = 1
}
class List extends Array<number> {}
const cyclic: Record<string, unknown> = { a: {} }
cyclic['a'] = { back: cyclic }
const decorated = Object.assign([1], { extra: 1 })
const hidden = Object.defineProperty({ a: 1 }, 'h', { value: 1, enumerable: false })
const throwing = {
  get a(): number {
    throw new Error('no')
  },
}
const nest = (levels: number, wrap: (inner: unknown) => unknown): unknown => {
  let value: unknown = 1
  for (let level = 0; level < levels; level += 1) value = wrap(value)
  return value
}
const nulls = Array.from({ length: 100_000 }, () => null)
const revoked = Proxy.revocable({}, {})
revoked.revoke()

describe('rejected', () => {
  const rows: [string, unknown, string, Fault?][] = [
    ['an undefined root', undefined, '(root)'],
    ['undefined in an array', [undefined], '(root)[0]'],
    ['functions', { f: () => 1 }, 'f'],
    ['symbols', { s: Symbol('s') }, 's'],
    ['bigint', { b: 1n }, 'b'],
    ['Map', { m: new Map() }, 'm'],
    ['Set', new Set(), '(root)'],
    ['Date', { d: new Date() }, 'd'],
    ['RegExp', /x/, '(root)'],
    ['class instances', { p: new Point() }, 'p'],
    ['boxed primitives', { s: Object('text') as unknown }, 's'],
    ['typed arrays', { b: new Uint8Array(2) }, 'b'],
    ['promises', Promise.resolve(1), '(root)'],
    ['NaN', { n: Number.NaN }, 'n'],
    ['Infinity', [Number.POSITIVE_INFINITY], '(root)[0]'],
    ['-Infinity', [1, Number.NEGATIVE_INFINITY], '(root)[1]'],
    ['-0', { z: -0 }, 'z'],
    ['sparse arrays', { a: sparse }, 'a', 'array'],
    ['decorated arrays', { a: decorated }, 'a', 'array'],
    ['subclassed arrays', { a: List.from([1]) }, 'a', 'array'],
    ['arrays of another realm', { a: runInNewContext('[1]') as unknown }, 'a', 'array'],
    ['cycles', cyclic, 'a.back'],
    ['symbol keys', { o: { [Symbol('k')]: 1 } }, 'o'],
    ['non-enumerable keys', { o: hidden }, 'o'],
    ['throwing accessors', { o: throwing }, 'o.a'],
    ['revoked proxies', { o: revoked.proxy }, 'o'],
    ['foreign prototypes', Object.create({ inherited: 1 }), '(root)'],
    ['more than 1,000 levels', nest(1001, (inner) => [inner]), '', 'deep'],
    ['more than 16 MiB', { s: 'x'.repeat(MAX_BYTES) }, 's', 'large'],
    ['more than 16 MiB in small pieces', Array.from({ length: 90_000 }, () => 'x'.repeat(200)), '', 'large'],
    ['more than 16 MiB of nulls', Array.from({ length: 40 }, () => nulls), '', 'large'],
    ['more than 16 MiB by shared references', nest(40, (inner) => [inner, inner]), '', 'large'],
  ]
  it.each(rows)('%s', (_name, value, place, fault = 'lossy') => {
    const copy = materialize(value)
    expect(copy.ok).toBe(false)
    if (copy.ok) return
    expect(copy.fault).toBe(fault)
    if (place !== '') expect(pathText(copy.path, '(root)')).toBe(place)
    expect(faultMessage(copy.fault, copy.path, 'arguments')).toMatch(/^"/)
  })
})

describe('accepted', () => {
  it('plain JSON, copied and deep-frozen; the caller’s object is left alone', () => {
    const given = { s: 'é', n: 1.5, b: false, nil: null, list: [1, [2], {}], empty: [] }
    const copy = materialize(given)
    expect(copy).toEqual({ ok: true, value: given })
    if (!copy.ok) return
    expect(copy.value).not.toBe(given)
    expect(Object.isFrozen(copy.value) && Object.isFrozen((copy.value as typeof given).list[1])).toBe(true)
    expect(Object.isFrozen(given) || Object.isFrozen(given.list)).toBe(false)
  })

  it('null-prototype objects', () => {
    expect(materialize(Object.assign(Object.create(null), { a: 1 }))).toEqual({ ok: true, value: { a: 1 } })
  })

  it('an own __proto__ key, kept as data', () => {
    const copy = materialize(JSON.parse('{"__proto__":{"polluted":true},"constructor":1}'))
    expect(copy.ok && JSON.stringify(copy.value)).toBe('{"__proto__":{"polluted":true},"constructor":1}')
    expect(copy.ok && Object.getPrototypeOf(copy.value)).toBe(Object.prototype)
  })

  it('shared non-cyclic references', () => {
    const shared = { a: [1] }
    expect(materialize([shared, { shared }, shared])).toEqual({
      ok: true,
      value: [shared, { shared }, shared],
    })
  })

  it('1,000 levels, by arrays, objects and shared parts', () => {
    expect(materialize(nest(1000, (inner) => [inner])).ok).toBe(true)
    expect(materialize(nest(1000, (inner) => ({ a: inner }))).ok).toBe(true)
    const deep = nest(600, (inner) => [inner])
    expect(materialize([deep, nest(399, () => deep)]).ok).toBe(true)
    expect(materialize({ first: deep, second: nest(400, (inner) => [inner]), third: deep }).ok).toBe(true)
    expect(materialize([deep, nest(400, (inner) => (inner === 1 ? deep : [inner]))])).toMatchObject({
      ok: true,
    })
    expect(materialize([deep, nest(401, (inner) => (inner === 1 ? deep : [inner]))])).toMatchObject({
      fault: 'deep',
    })
  })

  it('accessors, read once', () => {
    let reads = 0
    const given = {
      get a() {
        reads += 1
        return reads
      },
    }
    expect(materialize(given)).toEqual({ ok: true, value: { a: 1 } })
    expect(reads).toBe(1)
    const around = {
      get first() {
        return [(reads += 1), { inner: [(reads += 1)] }]
      },
      get last() {
        return (reads += 1)
      },
    }
    expect(materialize({ around })).toEqual({
      ok: true,
      value: { around: { first: [2, { inner: [3] }], last: 4 } },
    })
    expect(reads).toBe(4)
  })

  it('parts that are shared, read once and shared again', () => {
    let reads = 0
    const leaf = {
      get a() {
        return (reads += 1)
      },
    }
    const copy = materialize([leaf, { leaf }, leaf])
    expect(copy).toEqual({ ok: true, value: [{ a: 1 }, { leaf: { a: 1 } }, { a: 1 }] })
    expect(copy.ok && Array.isArray(copy.value) && copy.value[0] === copy.value[2]).toBe(true)
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, undefined]))
    const many = materialize(Array.from({ length: 10_000 }, () => wide))
    expect(many.ok).toBe(true)
  })

  it('own properties that are undefined, as absent', () => {
    expect(materialize({ a: undefined, b: [{ c: undefined }] })).toEqual({ ok: true, value: { b: [{}] } })
  })

  it('a snapshot again, as itself, and inside others within the same limits', () => {
    const first = materialize(nest(900, (inner) => [inner]))
    if (!first.ok) throw new Error('refused')
    const again = materialize(first.value)
    expect(again.ok && again.value).toBe(first.value)
    expect(materialize({ kept: first.value })).toEqual({ ok: true, value: { kept: first.value } })
    expect(materialize(nest(101, (inner) => (inner === 1 ? [first.value] : [inner])))).toMatchObject({
      fault: 'deep',
    })
    const [half] = [materialize(['x'.repeat(MAX_BYTES / 2)])]
    expect(half.ok && materialize([half.value, half.value])).toMatchObject({ fault: 'large' })
  })

  it('a small snapshot again, as itself, where that was asked for', () => {
    const given = { path: 'a', list: [1] }
    const once = materializedOnce(given)
    expect(once).toEqual(given)
    expect(once).not.toBe(given)
    const [again, inside] = [materialize(once), materialize({ once })]
    expect(again.ok && again.value).toBe(once)
    expect(inside.ok && isJsonObject(inside.value) && inside.value['once']).toBe(once)
    const cyclic: JsonValue[] = []
    cyclic.push(cyclic)
    expect(materializedOnce(cyclic)).toBe(cyclic)
  })

  it('something frozen by somebody else is not taken for a snapshot', () => {
    expect(materialize(Object.freeze({ f: () => 1 })).ok).toBe(false)
    expect(materialize(Object.freeze([Number.NaN])).ok).toBe(false)
  })
})

it('names every fault when asked for all', () => {
  const { value, faults } = materializeAll({ a: () => 1, b: [1, Number.NaN], o: throwing, fine: 'x' }, 10)
  const holes: unknown[] = []
  holes[1] = 1
  const refused = { x: { y: holes } }
  expect(materializeAll({ a: refused, b: [refused] }, 4).faults.map(({ fault }) => fault)).toEqual(['array'])
  const rows = [
    { n: 1, bad: undefined, worse: () => 1, t: 'x' },
    { deep: { d: [Number.NaN, 2], e: 3 }, f: new Date(0) },
  ]
  const all = materializeAll(rows, 10)
  expect(all.faults.map(({ path }) => pathText(path, '(root)'))).toEqual([
    '(root)[0].worse',
    '(root)[1].deep.d[0]',
    '(root)[1].f',
  ])
  expect(all.value).toEqual([
    { n: 1, worse: null, t: 'x' },
    { deep: { d: [null, 2], e: 3 }, f: null },
  ])
  expect(faults.map(({ path }) => pathText(path, '(root)'))).toEqual(['a', 'b[1]', 'o.a'])
  expect(value).toEqual({ a: null, b: [1, null], o: { a: null }, fine: 'x' })
})
