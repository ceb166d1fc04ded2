import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { chunkLoader } from '#boot/chunks.ts'
import { CodeCache } from '#boot/code-cache.ts'
import { temporaryDirectory } from '../support/temporary.ts'

let directory: string
let load: (name: string) => unknown
beforeEach(async () => {
  directory = await temporaryDirectory()
  load = chunkLoader(directory, new CodeCache(undefined))
})
const chunk = (name: string, source: string) => writeFile(join(directory, name), source)

describe('chunks', () => {
  it('require each other, in a circle too, and Node’s own modules, and run once', async () => {
    await chunk(
      'a.cjs',
      'exports.name = "a"; exports.b = require("./b-x_1.cjs"); exports.join = require("node:path").join',
    )
    await chunk(
      'b-x_1.cjs',
      'exports.of = () => require("./a.cjs").name; exports.early = require("./a.cjs").b',
    )
    const a = load('a.cjs') as { b: { of(): string; early: unknown }; join: unknown }
    expect([a.b.of(), a.b.early, a.join]).toEqual(['a', undefined, join])
    expect(load('a.cjs')).toBe(a)
    expect(load('b-x_1.cjs')).toBe(a.b)
  })

  it('are the same for whoever loads them by Node', async () => {
    await chunk('shared.cjs', 'exports.Shared = class {}')
    await chunk('first.cjs', 'exports.Shared = require("./shared.cjs").Shared')
    const byNode = createRequire(join(directory, 'x.js'))
    const { Shared } = load('shared.cjs') as { Shared: unknown }
    expect(byNode('./shared.cjs').Shared).toBe(Shared)
    expect(byNode('./first.cjs').Shared).toBe(Shared)
    expect(load('first.cjs')).toBe(byNode('./first.cjs'))
  })

  it('know where they lie', async () => {
    await chunk('a.cjs', 'exports.place = [__filename, __dirname, module.filename]')
    const path = join(directory, 'a.cjs')
    expect(load('a.cjs')).toEqual({ place: [path, directory, path] })
  })

  it('that throw are not taken for loaded', async () => {
    await chunk(
      'a.cjs',
      'globalThis.failed = (globalThis.failed ?? 0) + 1; throw new Error(`time ${failed}`)',
    )
    expect(() => load('a.cjs')).toThrow('time 1')
    expect(() => load('a.cjs')).toThrow('time 2')
    expect(() => load('none.cjs')).toThrow(/ENOENT/)
  })
})
