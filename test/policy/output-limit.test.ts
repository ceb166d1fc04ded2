import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#json/value.ts'
import { textOf, type ContentBlock } from '#model/content.ts'
import { installOutputLimit } from '#policy/output-limit.ts'
import { defineTool } from '#registry/define-tool.ts'
import { createRegistry } from '#registry/registry.ts'
import type { ToolExecutionToken } from '#registry/types.ts'
import { createOutputFiles, type OutputFiles } from '#workspace/output-files.ts'

let files: OutputFiles
beforeEach(() => void (files = createOutputFiles()))
afterEach(() => files.dispose())

const LONG = `${'漢字\n'.repeat(10_000)}END`

async function run(name: string, content: ContentBlock[], more: JsonObject = {}) {
  const registry = createRegistry()
  installOutputLimit(registry, files)
  registry.register(
    defineTool({
      name,
      description: 'x',
      parameters: {},
      output: { schema: { type: 'null' }, render: () => content },
      execute: () => {
        if (more['fails']) throw new Error(LONG)
        return null
      },
    }),
  )
  const signal = new AbortController().signal
  const nested = more['nested'] ? { parent: Symbol('parent') as ToolExecutionToken } : {}
  return registry.execute({ callId: 'c', name, arguments: {}, signal, ...nested })
}

describe('output limit', () => {
  it('keeps head and tail, and all of it in a file', async () => {
    const image = { type: 'image', data: '', mimeType: 'image/png' } as const
    const { content } = await run('mcp__x/y', [
      { type: 'text', text: LONG },
      image,
      { type: 'text', text: 'second' },
    ])
    expect(content.map(({ type }) => type)).toEqual(['text', 'image'])
    const text = textOf(content)
    expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024)
    expect(text).toMatch(
      /^漢字\n[^]*bytes left out[^]*END\nsecond\n\n\[\d+ bytes were left out in the middle; all of it is in .*\]$/,
    )
    expect(text).not.toContain('\uFFFD')
    const path = /all of it is in (.*)\]$/.exec(text)?.[1] ?? ''
    expect(await readFile(path, 'utf8')).toBe(`${LONG}\nsecond`)
    await files.dispose()
    await expect(readFile(path)).rejects.toThrow('ENOENT')
  })

  it('leaves short texts, read, bash, nested calls and failures alone', async () => {
    const long: ContentBlock[] = [{ type: 'text', text: LONG }]
    expect((await run('x', [{ type: 'text', text: 'a'.repeat(64 * 1024) }])).content).toHaveLength(1)
    for (const name of ['read', 'bash']) expect((await run(name, long)).content).toEqual(long)
    expect((await run('x', long, { nested: true })).content).toEqual(long)
    expect(textOf((await run('x', long, { fails: true })).content)).toContain(LONG)
    expect(files.directory).toBeUndefined()
  })
})
