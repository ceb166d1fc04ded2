import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toolNames } from '#tools/mcp/names.ts'

const FORM = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

describe('names', () => {
  it('keeps plain names as they are', () => {
    expect([...toolNames('github', ['search', 'get_issue', 'list-all'])]).toEqual([
      ['search', 'mcp__github__search'],
      ['get_issue', 'mcp__github__get_issue'],
      ['list-all', 'mcp__github__list-all'],
    ])
  })

  it('B97, B105: makes every other name plain, and none the same', () => {
    const raw = [
      'a.b',
      'a_b',
      'a-b',
      'x/y',
      'do it',
      '1st',
      'ns:run',
      'größe',
      'l'.repeat(200),
      `${'l'.repeat(199)}m`,
    ]
    const names = toolNames('s', [...raw, ''])
    expect([...names.keys()].toSorted()).toEqual(raw.toSorted())
    expect(new Set(names.values()).size).toBe(raw.length)
    for (const name of names.values()) expect(name).toMatch(FORM)
    expect(names.get('a.b')).toMatch(/^mcp__s__a_b_[0-9a-f]{8}$/)
    expect(names.get('a_b')).toBe('mcp__s__a_b')
  })

  it('is stable: a name does not depend on the other tools or their order', () => {
    const alone = toolNames('my server', ['a.b']).get('a.b')
    expect(toolNames('my server', ['a/b', 'a b', 'a.b']).get('a.b')).toBe(alone)
    expect(toolNames('my server', ['a.b', 'a b', 'a/b']).get('a.b')).toBe(alone)
  })

  it('never gives two tools one name, whatever servers and tools are called', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 5, unit: fc.constantFrom('a', '_', '.', '-') }),
      fc.string(),
      fc.string({ minLength: 60, maxLength: 90 }),
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(word, { maxLength: 4 }),
        fc.uniqueArray(word, { maxLength: 6 }),
        (servers, tools) => {
          const names = servers.flatMap((server) => [...toolNames(server, tools).values()])
          expect(new Set(names).size).toBe(names.length)
          expect(names).toHaveLength(servers.length * tools.filter((tool) => tool !== '').length)
          for (const name of names) expect(name).toMatch(FORM)
        },
      ),
      { numRuns: 500 },
    )
  })
})
