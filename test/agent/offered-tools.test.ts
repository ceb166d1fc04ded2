import { expect, it } from 'vitest'
import { OfferedTools } from '#agent/offered-tools.ts'
import { defineTool } from '#registry/define-tool.ts'
import { createRegistry } from '#registry/registry.ts'

const tool = (name: string) =>
  defineTool({
    name,
    description: name,
    parameters: {},
    output: { schema: { type: 'string' }, render: (_args, text) => [{ type: 'text', text }] },
    execute: () => '',
  })

it('are the same at every step, until a tool comes, goes or is hidden, wherever that is', () => {
  const registry = createRegistry({ transport: tool('run_code') })
  const scope = registry.scope()
  const offered = new OfferedTools(registry, scope)
  const names = () => offered.schemas.map(({ name }) => name)
  registry.register(tool('a'))
  expect(names()).toEqual(['a'])
  expect(offered.schemas).toBe(offered.schemas)
  const leave = scope.register(tool('b'))
  expect(names()).toEqual(['a', 'b'])
  leave()
  expect(names()).toEqual(['a'])
  const show = scope.restrict({ deny: ['a'] })
  expect(names()).toEqual([])
  show()
  expect(names()).toEqual(['a'])
  scope.presentAs('both')
  expect(names()).toEqual(['a', 'run_code'])
})

it('stop watching with their scope', () => {
  const registry = createRegistry()
  const scope = registry.scope()
  const offered = new OfferedTools(registry, scope)
  const { schemas } = offered
  scope.dispose()
  registry.register(tool('a'))
  expect(offered.schemas).toBe(schemas)
})
