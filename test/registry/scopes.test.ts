// registry.md §2: registration, layers, restrictions, guards and listeners of scopes, disposers.
import { describe, expect, it, vi } from 'vitest'
import {
  createRegistry,
  JsonSchemaError,
  type PreToolDecision,
  type Registry,
  type Scope,
  type ToolDefinition,
} from '#index.ts'
import { codeOf, input, messageOf, probe, transport } from './probe.ts'

const named = (name: string, over: Partial<ToolDefinition> = {}): ToolDefinition => probe({ name, ...over })
const names = (registry: Registry, scope?: Scope): string[] =>
  registry.schemas(scope).map((schema) => schema.name)

describe('register', () => {
  it.each([
    ['no output', { output: undefined }, /needs an output/],
    ['output without render', { output: { schema: {} } }, /needs an output/],
    [
      'an output schema outside the subset',
      { output: { schema: { type: 'string', minLength: 1 }, render: () => [] } },
      /minLength/,
    ],
    ['timeoutMs 0', { timeoutMs: 0 }, /timeoutMs/],
    ['timeoutMs -1', { timeoutMs: -1 }, /timeoutMs/],
    ['timeoutMs NaN', { timeoutMs: Number.NaN }, /timeoutMs/],
    ['timeoutMs Infinity', { timeoutMs: Number.POSITIVE_INFINITY }, /timeoutMs/],
    ['the reserved name', { name: 'run_code' }, /reserved/],
    ['no name', { name: '' }, /needs a name/],
    ['no description', { description: undefined }, /description/],
    ['no body', { execute: undefined }, /execute/],
    ['parameters that are no schema', { parameters: 'string' }, /parameters/],
  ] as [string, object, RegExp][])('refuses %s', (_name, over, says) => {
    expect(() => createRegistry().register(probe(over as Partial<ToolDefinition>))).toThrow(says)
    expect(() =>
      createRegistry()
        .scope()
        .register(probe(over as Partial<ToolDefinition>)),
    ).toThrow(says)
  })

  it('refuses a duplicate name within the same layer', () => {
    const registry = createRegistry()
    registry.register(probe())
    expect(() => registry.register(probe())).toThrow(/registered already/)
    const scope = registry.scope()
    scope.register(probe())
    expect(() => scope.register(probe())).toThrow(/registered already/)
  })

  it('checks in order: output shape, output schema, timeoutMs, reserved name, duplicate', () => {
    const registry = createRegistry()
    registry.register(probe())
    const bad = { schema: { type: 'nope' }, render: () => [] }
    const fail = (over: object) => () => registry.register({ ...probe(), ...over } as ToolDefinition)
    expect(fail({ output: undefined, timeoutMs: 0, name: 'run_code' })).toThrow(/output/)
    expect(fail({ output: bad, timeoutMs: 0, name: 'run_code' })).toThrow(JsonSchemaError)
    expect(fail({ timeoutMs: 0, name: 'run_code' })).toThrow(/timeoutMs/)
    expect(fail({ name: 'run_code' })).toThrow(/reserved/)
    expect(fail({})).toThrow(/registered already/)
  })

  it('does not check parameters of raw definitions against the subset', () => {
    const registry = createRegistry()
    const parameters = { $schema: 'x', type: ['object', 'null'], anyOf: [{ $ref: '#/x' }] }
    registry.register(probe({ parameters }))
    expect(registry.schemas()[0]?.parameters).toEqual(parameters)
  })

  it('its disposer works once', () => {
    const registry = createRegistry()
    const undo = registry.register(probe())
    undo()
    registry.register(probe({ description: 'the next one' }))
    undo()
    expect(registry.get('probe')?.description).toBe('the next one')
  })
})

describe('layers', () => {
  it('a scoped registration shadows for that scope and its descendants; the nearest wins', () => {
    const registry = createRegistry()
    const outer = registry.scope()
    const inner = registry.scope(outer)
    registry.register(named('a', { description: 'global' }))
    const undoOuter = outer.register(named('a', { description: 'outer' }))
    const undoInner = inner.register(named('a', { description: 'inner' }))
    const seen = () => [undefined, outer, inner].map((scope) => registry.get('a', scope)?.description)
    expect(seen()).toEqual(['global', 'outer', 'inner'])
    undoInner()
    expect(seen()).toEqual(['global', 'outer', 'outer'])
    undoOuter()
    expect(seen()).toEqual(['global', 'global', 'global'])
  })

  it('a tool out of view is indistinguishable from one that does not exist', async () => {
    const registry = createRegistry()
    const [mine, other] = [registry.scope(), registry.scope()]
    other.register(named('theirs'))
    registry.register(named('denied'))
    mine.restrict({ deny: ['denied'] })
    const say = async (name: string) =>
      messageOf(await registry.execute(input({ name, scope: mine })))?.replace(name, 'NAME')
    expect(await say('theirs')).toBe(await say('nothing'))
    expect(await say('denied')).toBe(await say('nothing'))
    expect(codeOf(await registry.execute(input({ name: 'denied', scope: mine })))).toBe('UNKNOWN_TOOL')
    expect(names(registry, mine)).toEqual([])
    expect(registry.get('theirs', mine)).toBeUndefined()
  })

  it('a tool disposed between preparation and dispatch is unknown', async () => {
    const registry = createRegistry()
    const undo = registry.register(probe())
    const call = await registry.prepare(input())
    undo()
    expect(codeOf(await call.settle())).toBe('UNKNOWN_TOOL')
  })

  it('carries read-only info', () => {
    const roots = ['/w']
    const scope = createRegistry().scope(undefined, { sessionId: 's', cwd: '/w', roots })
    roots.push('/x')
    expect(scope.info).toEqual({ sessionId: 's', cwd: '/w', roots: ['/w'] })
    expect(Object.isFrozen(scope.info) && Object.isFrozen(scope.info?.roots)).toBe(true)
  })

  it('dispose() removes everything that was registered there', async () => {
    const registry = createRegistry()
    const scope = registry.scope()
    registry.register(named('a'))
    scope.register(probe())
    scope.restrict({ deny: ['a'] })
    scope.guard(() => 'no')
    const listener = vi.fn((_exec: unknown, next: () => Promise<PreToolDecision>) => next())
    scope.on('tools/pre-execute', listener)
    const change = vi.fn()
    scope.on('tools/change', change)
    scope.dispose()
    scope.dispose()
    expect(names(registry, scope)).toEqual(['a'])
    expect(await registry.execute(input({ name: 'a', scope }))).toMatchObject({ isError: false })
    expect(listener).not.toHaveBeenCalled()
    change.mockClear()
    registry.register(named('b'))
    expect(change).not.toHaveBeenCalled()
  })
})

describe('restrict', () => {
  const setUp = () => {
    const registry = createRegistry()
    for (const name of ['a', 'b', 'c']) registry.register(named(name))
    const outer = registry.scope()
    outer.register(named('outer'))
    return { registry, outer, inner: registry.scope(outer) }
  }

  it('filters what the scope inherits: global layer and every ancestor', () => {
    const { registry, outer, inner } = setUp()
    inner.restrict({ deny: ['a', 'outer'] })
    expect(names(registry, inner)).toEqual(['b', 'c'])
    expect(names(registry, outer)).toEqual(['a', 'b', 'c', 'outer'])
  })

  it('never touches the scope’s own registrations', () => {
    const { registry, inner } = setUp()
    inner.restrict({ allow: ['b'] })
    inner.register(named('c', { description: 'own' }))
    inner.register(named('own'))
    expect(names(registry, inner)).toEqual(
      ['b', 'c', 'own'].toSorted(
        (x, y) => names(registry, inner).indexOf(x) - names(registry, inner).indexOf(y),
      ),
    )
    expect(registry.get('c', inner)?.description).toBe('own')
  })

  it('intersects with the filters of ancestors, and among its own', () => {
    const { registry, outer, inner } = setUp()
    outer.restrict({ allow: ['a', 'b'] })
    inner.restrict({ deny: ['a'] })
    expect(names(registry, inner)).toEqual(['b', 'outer'])
    const { registry: other, inner: twice } = setUp()
    twice.restrict({ allow: ['a', 'b'] })
    twice.restrict({ allow: ['b', 'c'] })
    expect(names(other, twice)).toEqual(['b'])
  })

  it('deny-only lets later globals in; allow-lists keep them out', () => {
    const { registry, outer } = setUp()
    const allowing = registry.scope()
    outer.restrict({ deny: ['a'] })
    allowing.restrict({ allow: ['a'] })
    registry.register(named('later'))
    expect(names(registry, outer)).toContain('later')
    expect(names(registry, allowing)).toEqual(['a'])
  })

  it('copies its names at call time', () => {
    const { registry, outer } = setUp()
    const deny = ['a']
    outer.restrict({ deny })
    deny[0] = 'b'
    expect(names(registry, outer)).toEqual(['b', 'c', 'outer'])
  })

  it('its disposer lifts it', () => {
    const { registry, outer } = setUp()
    const undo = outer.restrict({ allow: ['a'] })
    undo()
    expect(names(registry, outer)).toEqual(['a', 'b', 'c', 'outer'])
  })

  it.each([
    ['an empty filter', {}],
    ['empty lists', { allow: [], deny: [] }],
    ['an empty deny', { deny: [] }],
    ['an empty allow', { allow: [] }],
    ['an empty allow beside a deny', { allow: [], deny: ['a'] }],
  ])('refuses %s', (_name, filter) => {
    const { registry, outer } = setUp()
    expect(() => outer.restrict(filter)).toThrow(/non-empty/)
    expect(names(registry, outer)).toHaveLength(4)
  })

  it.each([
    ['an unknown name', 'nope'],
    ['its own name', 'outer'],
    ['a reserved name', 'run_code'],
  ])('refuses %s with the list of known names', (_name, name) => {
    expect(() => setUp().outer.restrict({ deny: [name] })).toThrow(/known tools: a, b, c/)
    expect(() => setUp().outer.restrict({ allow: [name] })).toThrow(/known tools: a, b, c/)
  })

  it('does not name what an ancestor hides', () => {
    const { outer, inner } = setUp()
    outer.restrict({ deny: ['a'] })
    expect(() => inner.restrict({ deny: ['a'] })).toThrow(/not known; known tools: b, c, outer$/)
  })

  it('never hides the transport', () => {
    const registry = createRegistry({ mode: 'code', transport: transport() })
    registry.register(named('a'))
    const scope = registry.scope()
    registry.register(named('b'))
    scope.restrict({ allow: ['a'] })
    expect(registry.presentedSchemas(scope).map((schema) => schema.name)).toEqual(['run_code'])
  })
})

describe('listeners and guards of a scope', () => {
  it('see the calls of that scope and its descendants only', async () => {
    const registry = createRegistry()
    registry.register(probe())
    const outer = registry.scope()
    const inner = registry.scope(outer)
    const seen: string[] = []
    outer.on('tools/pre-execute', (exec, next) => (seen.push(`pre ${exec.callId}`), next()))
    outer.on('tools/execute', (exec, next) => (seen.push(`execute ${exec.callId}`), next()))
    outer.on('tools/result', (exec) => void seen.push(`result ${exec.callId}`))
    outer.guard((exec) => void seen.push(`guard ${exec.callId}`) as never)
    for (const [callId, scope] of Object.entries({
      outer,
      inner,
      other: registry.scope(),
      global: undefined,
    })) {
      await registry.execute(input({ callId, ...(scope && { scope }) }))
    }
    const stages = ['pre', 'guard', 'execute', 'result']
    expect(seen).toEqual(['outer', 'inner'].flatMap((id) => stages.map((stage) => `${stage} ${id}`)))
  })

  it('refuses unknown events and listeners that are no functions', () => {
    const registry = createRegistry()
    expect(() => registry.on('tools/nope' as 'tools/call', vi.fn())).toThrow(/unknown event/)
    expect(() => registry.on('tools/call', undefined as never)).toThrow(/function/)
    expect(() => registry.guard('no' as never)).toThrow(/function/)
  })
})
