import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { describe, expect, it } from 'vitest'
import type { Host } from '#cli/host.ts'
import { tools } from '#cli/tools.ts'
import type { JsonObject } from '#json/value.ts'
import type { ToolDefinition } from '#registry/definition.ts'
import { createRegistry } from '#registry/registry.ts'
import { createCodeMode } from '#tools/code/code-mode.ts'
import { sdkOf, sdkText } from '#tools/code/sdk.ts'
import { firstPartyTools, type ToolOptions } from '#tools/index.ts'
import { createWorkspace } from '#workspace/workspace.ts'
import { temporaryDirectory } from '../../support/temporary.ts'
import { complaints } from './compile.ts'
import { tool } from './harness.ts'

function ownTools(options?: ToolOptions): ToolDefinition[] {
  return firstPartyTools(createWorkspace({ cwd: '/', roots: ['/'], environment: {} }), options)
}

const WELL_TYPED = {
  reads: `const file = await tools.read({ file_path: 'a.ts', limit: 10 })
    if ('lines' in file) { const numbers: number[] = file.lines.map((line) => line.number); return numbers }
    const data: string = file.data
    return data`,
  counts: `const { paths } = await tools.glob({ pattern: '**/*.ts' })
    const found = await Promise.all(paths.map((path) => tools.grep({ pattern: 'x', path, output: 'count' })))
    return found.reduce((sum, one) => sum + one.total, 0)`,
  narrows: `const found = await tools.grep({ pattern: 'x' })
    switch (found.output) {
      case 'matches': return found.files[0]?.matches[0]?.line.length
      case 'files': return found.paths.length
      case 'count': return found.matches
    }`,
  catches: `try { await tools.bash({ command: 'false' }) } catch (error) {
      if (error instanceof ToolCallError) { const name: string = error.toolName; console.log(name, error.message) }
    }`,
  prints: `console.log('a', 1, { b: [null] })
    await tools.todo_write({ todos: [{ content: 'x', status: 'pending' }] })
    return (await tools.task_list()).tasks.length`,
}

const ILL_TYPED = {
  missing: `await tools.read({})`,
  misspelled: `await tools.read({ filepath: 'a' })`,
  wrong: `await tools.read({ file_path: 1 })`,
  unknown: `await tools.nope({})`,
  literal: `await tools.grep({ pattern: 'x', output: 'lines' })`,
  member: `return (await tools.glob({ pattern: '*' })).files`,
  union: `return (await tools.read({ file_path: 'a' })).lines`,
  unawaited: `return tools.glob({ pattern: '*' }).paths`,
  status: `await tools.todo_write({ todos: [{ content: 'x', status: 'done' }] })`,
  host: `return process.env`,
  timer: `setTimeout(() => {}, 1)`,
  assigned: `tools.read = tools.read`,
}

describe('the SDK of the first-party tools', () => {
  it('compiles, accepts programs that fit and refuses those that do not', { timeout: 60_000 }, async () => {
    const found = await complaints(sdkText(ownTools()), { ...WELL_TYPED, ...ILL_TYPED })
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.keys(ILL_TYPED).map((name) => [name, expect.any(Array)])),
    )
  })

  it('is byte-identical whatever the order of registration, and in every run', () => {
    const text = (tools: ToolDefinition[]): string => {
      const registry = createRegistry()
      const scope = registry.scope()
      for (const [index, one] of tools.entries()) (index % 2 === 0 ? registry : scope).register(one)
      return sdkOf(registry, scope)
    }
    const tools = ownTools()
    const expected = text(tools)
    expect(text(ownTools().toReversed())).toBe(expected)
    expect(text([...tools.slice(5), ...tools.slice(0, 5)])).toBe(expected)
    expect(sdkText(tools)).toBe(expected)
  })
})

describe('deckhand tools --code', () => {
  it('prints the SDK, and nothing else', async () => {
    const [cwd, printed] = [await temporaryDirectory(), [] as string[]]
    const stdout = { write: (text: string) => printed.push(text) }
    const env = { DECKHAND_HOME: cwd }
    expect(await tools({ cwd, env, stdout, stderr: stdout } as unknown as Host, { code: true })).toBe(0)
    expect(printed).toEqual([sdkText(ownTools({ web: { allowedAddresses: [], environment: {} } }))])
  })
})

describe('the SDK of a scope', () => {
  it('has what is visible there, and is in the guide under code modes only', () => {
    const codeMode = createCodeMode()
    const registry = createRegistry({ transport: codeMode.transport })
    codeMode.attach(registry)
    registry.register(tool({ name: 'seen' }))
    registry.register(tool({ name: 'hidden' }))
    const scope = registry.scope()
    scope.restrict({ deny: ['hidden'] })
    expect(codeMode.guide(scope)).toBe('')
    for (const mode of ['code', 'both'] as const) {
      const undo = scope.presentAs(mode)
      expect(codeMode.guide(scope)).toContain(
        'readonly seen: (args?: { [key: string]: JsonValue }) => Promise<JsonValue>',
      )
      expect(codeMode.guide(scope)).not.toMatch(/hidden|readonly run_code/)
      undo()
    }
    expect(codeMode.guide(scope)).toBe('')
  })

  it('compiles with any name, description and schema', { timeout: 60_000 }, async () => {
    const odd = [
      'new',
      'constructor',
      'class',
      'a-b',
      'ü',
      '1st',
      'with space',
      'quo"te',
      '__proto__',
      'then',
      'toString',
      '\u2028',
      '*/',
    ]
    const schemas: JsonObject[] = [
      {
        type: 'object',
        properties: { 'a b': { type: 'string', description: 'ends */ here' }, __proto__x: {} },
        required: ['undeclared'],
      },
      { anyOf: [{ type: 'object', properties: { a: { const: 1 } }, required: ['a'] }, { type: 'null' }] },
      {
        $ref: '#/$defs/tree',
        $defs: {
          tree: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/tree' } } } },
        },
      },
      { not: {} },
    ]
    const tools = odd.map((name, index) => ({
      ...tool({ name }),
      description: `Says */ and \`code\` and ${name}\n\nin\r\nlines`,
      parameters: schemas[index % schemas.length] ?? {},
    }))
    expect(Object.fromEntries(await complaints(sdkText(tools)))).toEqual({})
  })
})

describe('the SDK of MCP servers', () => {
  it('compiles for every tool of the reference servers', { timeout: 90_000 }, async () => {
    const directory = await temporaryDirectory()
    const servers = { everything: ['stdio'], filesystem: [directory], memory: [], 'sequential-thinking': [] }
    const imported = await Promise.all(Object.entries(servers).map(([name, args]) => listTools(name, args)))
    const tools = imported.flat()
    expect(tools.length).toBeGreaterThan(20)
    const sdk = sdkText(tools)
    const fits = { fits: `return await tools.mcp__filesystem__read_text_file({ path: 'a', head: 3 })` }
    const fails = { fails: `return await tools.mcp__filesystem__read_text_file({ path: 3 })` }
    expect([...(await complaints(sdk, { ...fits, ...fails })).keys()]).toEqual(['fails'])
  })
})

async function listTools(server: string, args: string[]): Promise<ToolDefinition[]> {
  const script = fileURLToPath(
    new URL(`../../../node_modules/@modelcontextprotocol/server-${server}/dist/index.js`, import.meta.url),
  )
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [script, ...args], stderr: 'ignore' }),
  )
  const { tools } = await client.listTools()
  await client.close()
  return tools.map(({ name, description = '', inputSchema, outputSchema }) => {
    const defined = tool({ name: `mcp__${server}__${name}` })
    const output = { ...defined.output, schema: (outputSchema ?? {}) as JsonObject }
    return { ...defined, description, parameters: inputSchema as JsonObject, output }
  })
}
