import { describe, expect, it } from 'vitest'
import { openServers, stdio } from './harness.ts'
import type { ToolExecutionResult } from '#registry/types.ts'

async function results(...names: string[]): Promise<Record<string, ToolExecutionResult>> {
  const bench = await openServers({ odd: stdio('odd-results') })
  const called = names.map(async (name) => [name, await bench.call(`mcp__odd__${name}`)] as const)
  const all = Object.fromEntries(await Promise.all(called))
  return { ...all, warnings: bench.servers.status()[0]?.warnings as never }
}

const text = (value: string) => [{ type: 'text', text: value }]

describe('results', () => {
  it('keeps every kind of block', async () => {
    const { blocks } = await results('blocks')
    expect(blocks).toMatchObject({
      isError: false,
      content: [
        { type: 'text', text: 'words' },
        { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) },
        { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
        { type: 'resource', resource: { uri: 'mem://a', mimeType: 'text/plain', text: 'inside' } },
        { type: 'resource', resource: { uri: 'mem://b', blob: 'AAEC' } },
        { type: 'resource_link', uri: 'file:///x', name: 'x' },
      ],
    })
  })

  it('says what it can not keep', async () => {
    const { unknown } = await results('unknown')
    expect(unknown?.content.map((block) => (block.type === 'text' ? block.text : block.type))).toEqual([
      '[The server sent a block of unknown type: {"type":"hologram","beams":3}]',
      '[The server sent a block that is no object: "loose text"]',
      '[The server sent an image that is malformed]',
      '[The server sent a block that is no object: null]',
    ])
  })

  it('B110: takes every envelope that was ever sent, and names what is none', async () => {
    const all = await results(
      'only_structure',
      'empty',
      'null_content',
      'old',
      'old_text',
      'no_blocks',
      'bad_content',
      'a_list',
    )
    expect(all['only_structure']).toMatchObject({
      content: text('{\n  "a": 1\n}'),
      meta: { rawOutput: { a: 1 } },
    })
    for (const name of ['empty', 'null_content', 'old', 'no_blocks'])
      expect(all[name]?.content).toEqual(text('(no output)'))
    expect(all['old_text']?.content).toEqual(text('"plain"'))
    expect(all['bad_content']).toMatchObject({
      isError: true,
      error: {
        info: { code: 'MCP_MALFORMED' },
        message: expect.stringContaining('"content" is a value of type string'),
      },
    })
    expect(all['a_list']).toMatchObject({
      isError: true,
      error: { message: expect.stringContaining('the answer is malformed') },
    })
  })

  it('B112: an image comes once', async () => {
    const { image_twice: twice } = await results('image_twice')
    expect(twice?.content).toEqual([expect.objectContaining({ type: 'image' })])
    expect(JSON.stringify(twice?.meta)).toBe(
      '{"rawOutput":{"result":[{"type":"image","data":"(500000 characters of base64 left out)","mimeType":"image/png"}]}}',
    )
  })

  it('isError fails the call and keeps the structured content for the card', async () => {
    const all = await results('fails', 'fails_silently')
    expect(all['fails']).toMatchObject({
      isError: true,
      error: { message: 'no such city', info: { code: 'MCP_TOOL_FAILED' } },
      content: text('Error: no such city'),
      meta: { rawOutput: { code: 404 } },
    })
    expect(all['fails_silently']).toMatchObject({ isError: true })
  })

  it('B109: structured content that is missing or does not fit is a warning', async () => {
    const all = await results('missing_structure', 'ill_fitting')
    expect(all['missing_structure']).toMatchObject({ isError: false, content: text('ok') })
    expect(all['ill_fitting']).toMatchObject({
      isError: false,
      content: text('ok'),
      meta: { rawOutput: { celsius: 'warm' } },
    })
    expect(all['warnings']).toEqual([
      expect.stringMatching(/^missing_structure: .*it is missing$/),
      expect.stringMatching(/^ill_fitting: .*celsius/),
    ])
  })

  it('cuts descriptions', async () => {
    const bench = await openServers({ talks: stdio('huge-description') })
    const [schema] = bench.registry.schemas(bench.scope)
    expect(JSON.stringify(schema).length).toBeLessThan(9000)
    expect(schema?.description).toMatch(/… \(\d+ more characters\)$/)
    expect(await bench.text('mcp__talks__talks')).toBe('said enough')
  })
})
