// JSON pointers: RFC 6901, and fragments that are encoded once more.
import { describe, expect, it } from 'vitest'
import { atPointer, pointerSteps } from '#json/pointer.ts'

const root = { a: { 'x/y': [1, 2], 'm~n': true, 'ä b': null, '': 0 }, list: [{ deep: 'yes' }] }

describe('atPointer', () => {
  it.each([
    ['', root],
    ['/a/x~1y/1', 2],
    ['/a/m~0n', true],
    ['/a/%C3%A4%20b', null],
    ['/a/', 0],
    ['/list/0/deep', 'yes'],
  ])('finds %j', (pointer, value) => {
    expect(atPointer(root, pointer)).toEqual(value)
  })

  it.each(['/b', '/a/x~1y/2', '/a/x~1y/', '/a/x~1y/-', '/list/deep', '/a/toString', '/a/%E0%A4%A'])(
    'finds nothing at %j',
    (pointer) => {
      expect(atPointer(root, pointer)).toBeUndefined()
    },
  )

  it('leaves what is badly encoded as it is', () => {
    expect(pointerSteps('/%E0%A4%A/~01')).toEqual(['%E0%A4%A', '~1'])
  })
})
