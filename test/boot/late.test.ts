import * as crypto from 'node:crypto'
import { expect, it } from 'vitest'
import { late } from '#boot/late.ts'

it('a late module is loaded once, by the first look into it, and is the module in all that bundles do with one', () => {
  let loads = 0
  const module = late(() => {
    loads += 1
    return crypto
  }) as typeof crypto
  expect(loads).toBe(0)
  expect(module.createHash('sha256').update('').digest('hex')).toMatch(/^e3b0c442/)
  expect('randomUUID' in module).toBe(true)
  expect(Object.keys(module).toSorted()).toEqual(Object.keys(crypto).toSorted())
  expect({ ...module }.randomUUID).toBe(crypto.randomUUID)
  expect(Object.getOwnPropertyDescriptor(module, 'nothing')).toBeUndefined()
  expect(loads).toBe(1)
})
