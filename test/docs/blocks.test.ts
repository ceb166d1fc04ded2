// Every block of every page is run, compiled or read, as its kind says; a block of an unknown kind fails.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHECKS } from './blocks.ts'
import { type Block, PAGES } from './pages.ts'
import { type Models, startModels } from './reader.ts'
import { exchangesOf, matches } from './transcript.ts'

const blocks = PAGES.flatMap((page) => page.blocks)
let models: Models
beforeAll(async () => {
  models = await startModels()
})
afterAll(() => models[Symbol.asyncDispose]())

describe('the blocks of the pages', () => {
  it('are of kinds that something is known about', () => {
    const unknown = blocks.filter(({ label }) => !Object.hasOwn(CHECKS, label))
    expect(unknown.map(({ at, label }) => `${at}: ${label === '' ? 'indented' : label}`)).toEqual([])
  })

  // What is run names places as they are on Linux.
  const here = ({ label }: Block): boolean => process.platform === 'linux' || !/^(?:sh|console)$/.test(label)
  it.concurrent.each(blocks.filter((block) => Object.hasOwn(CHECKS, block.label) && here(block)))(
    '$at: $label',
    async (block) => CHECKS[block.label]?.(block, models),
    60_000,
  )
})

describe('a transcript', () => {
  it('is a command and what it prints', () => {
    expect(exchangesOf('$ a\n> b\none\n\n$ c')).toEqual([
      { command: 'a\nb', printed: 'one\n\n' },
      { command: 'c', printed: '' },
    ])
    expect(() => exchangesOf('one')).toThrow('begins with a command')
  })

  it('matches what was printed, and nothing else', () => {
    expect(matches('a … c\n…\nz', 'a b c\nd\ne\nz \n')).toBe(true)
    expect(matches('a\n…', 'a')).toBe(true)
    expect(matches('…\nz', 'z')).toBe(true)
    expect(matches('a.c', 'abc')).toBe(false)
    expect(matches('a … c', 'a b\nc')).toBe(false)
    expect(matches('', 'something')).toBe(false)
    expect(matches('a\n…\nz', 'a\nb')).toBe(false)
  })
})
