// Plugins: what a deck offers, and that a failing plugin costs only itself.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createRegistry } from '#index.ts'
import { loadPlugin } from '#registry/plugin-file.ts'
import { type Deck, type Plugin, runPlugin } from '#registry/plugin.ts'
import { input, messageOf, probe } from './probe.ts'

function setUp() {
  const registry = createRegistry()
  registry.register(probe({ name: 'global' }))
  const scope = registry.scope()
  const names = () => registry.schemas(scope).map(({ name }) => name)
  return { registry, scope, names }
}

/** Plays everything that a deck has. */
const everything: Plugin = ({ tools, defineTool }) => {
  tools.register(
    defineTool({
      name: 'mine',
      description: 'd',
      parameters: {},
      output: { schema: { type: 'null' }, render: () => [] },
      execute: () => null,
    }),
  )
  tools.guard((exec) => (exec.callId === 'guarded' ? 'no' : undefined))
  tools.restrict({ deny: ['global'] })
  tools.on('tools/pre-execute', (exec, next) =>
    exec.callId === 'denied' ? { kind: 'deny', reason: 'policy' } : next(),
  )
}

describe('runPlugin', () => {
  it('offers defineTool, register, guard, restrict and the waterfalls; disposing takes all of it back', async () => {
    const { registry, scope, names } = setUp()
    const undo = vi.fn()
    const outcome = await runPlugin('p', (deck: Deck) => (void everything(deck), undo), scope)
    expect(outcome).toMatchObject({ ok: true, name: 'p' })
    expect(names()).toEqual(['mine'])
    const say = async (callId: string) =>
      messageOf(await registry.execute(input({ callId, name: 'mine', scope })))
    expect([await say('guarded'), await say('denied'), await say('fine')]).toEqual([
      'no',
      'policy',
      undefined,
    ])
    if (outcome.ok) outcome.dispose()
    expect(undo).toHaveBeenCalledTimes(1)
    expect(names()).toEqual(['global'])
  })

  it.each([
    [
      'throws half-way',
      (deck: Deck) => (void everything(deck), expect.fail('half-way')),
      /plugin p: .*half-way/,
    ],
    [
      'rejects half-way',
      async (deck: Deck) => (void everything(deck), Promise.reject(new Error('later'))),
      /plugin p: later/,
    ],
    [
      'registers nonsense',
      ({ tools }: Deck) => (tools.guard(() => 'no'), tools.register({} as never), undefined),
      /plugin p: .*output/,
    ],
    [
      'returns nonsense',
      (deck: Deck) => (void everything(deck), 7 as never),
      /returns nothing or a disposer/,
    ],
    ['is no function', { default: 7 }, /must export one function/],
    ['is empty', {}, /must export one function/],
    ['is ambiguous', { a: () => undefined, b: () => undefined }, /must export one function/],
  ] as [string, unknown, RegExp][])(
    'a plugin that %s costs only itself and is named',
    async (_name, module, says) => {
      const { registry, scope, names } = setUp()
      const outcome = await runPlugin('p', module, scope)
      expect(outcome.ok).toBe(false)
      if (!outcome.ok) expect(outcome.message).toMatch(says)
      expect(names()).toEqual(['global'])
      expect(await registry.execute(input({ callId: 'guarded', name: 'global', scope }))).toMatchObject({
        isError: false,
      })
    },
  )

  it('takes the default export, or the only function', async () => {
    const { scope, names } = setUp()
    await runPlugin('p', { default: everything, other: () => expect.unreachable() }, scope)
    expect(names()).toEqual(['mine'])
    const other = setUp()
    await runPlugin('p', { named: everything, version: 1 }, other.scope)
    expect(other.names()).toEqual(['mine'])
  })

  it('a deck is dead after its plugin', async () => {
    const { scope, names } = setUp()
    let deck: Deck | undefined
    await runPlugin('p', (given: Deck) => ((deck = given), expect.fail('x')), scope)
    expect(() => deck?.tools.register(probe())).toThrow(/disposed/)
    expect(names()).toEqual(['global'])
  })

  it('a disposer that throws keeps nothing alive', async () => {
    const { scope, names } = setUp()
    const outcome = await runPlugin(
      'p',
      (deck: Deck) => (void everything(deck), () => expect.fail('x')),
      scope,
    )
    if (outcome.ok) outcome.dispose()
    expect(names()).toEqual(['global'])
  })
})

describe('loadPlugin', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deckhand-plugin-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const file = (name: string, source: string): string => {
    writeFileSync(join(folder, name), source)
    return join(folder, name)
  }
  const source = (type: string) =>
    `export default (deck${type}) => { deck.tools.register(deck.defineTool({ name: 'mine', description: 'd', parameters: {}, output: { schema: { type: 'null' }, render: () => [] }, execute: () => null })) }\n`

  it.each([
    ['an .mjs file', 'a.mjs', ''],
    ['an .mts file', 'a.mts', ': any'],
    ['a .js file', 'b.js', ''],
    ['a .ts file', 'b.ts', ': any'],
    ['a path with spaces', 'my plugin 1.mjs', ''],
  ])('imports %s', async (_name, name, type) => {
    const { scope, names } = setUp()
    expect(await loadPlugin(file(name, source(type)), scope)).toMatchObject({ ok: true })
    expect(names()).toEqual(['global', 'mine'])
  })

  it.each([
    ['is missing', () => join(folder, 'none.mjs'), /none\.mjs/],
    ['does not parse', () => file('bad.mjs', 'export default ('), /bad\.mjs: /],
    ['throws on import', () => file('throws.mjs', 'throw new Error("no key")'), /throws\.mjs: no key/],
  ] as const)('a file that %s is named', async (_name, path, says) => {
    const outcome = await loadPlugin(path(), setUp().scope)
    expect(outcome.ok ? '' : outcome.message).toMatch(says)
  })

  // In a process of its own: what runs the tests imports files in its own way.
  it.each([
    ['odd name.ts', 'const a: number = 1\nlet = {\n', /odd name\.ts:\d: \S/],
    ['enum.ts', '\nenum A { B }\n', /enum\.ts:2: .*enum/],
    ['whole.ts', "import './enum.ts'\n", /whole\.ts: \S+enum\.ts:2: .*enum/],
    ['throws.mjs', '\nthrow new Error("no key:12")', /throws\.mjs:2: no key:12$/],
    ['text.mjs', 'throw "no key"', /text\.mjs: no key$/],
  ])('what is wrong in %s is named with its line, where the error tells it', (name, text, says) => {
    const loader = new URL('../../src/registry/plugin-file.ts', import.meta.url)
    const program = `const { loadPlugin } = await import(${JSON.stringify(loader.href)})
      process.stdout.write((await loadPlugin(${JSON.stringify(file(name, text))}, {})).message)`
    const args = ['--conditions=deckhand-source', '--input-type=module', '-e', program]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toMatch(says)
  })
})
