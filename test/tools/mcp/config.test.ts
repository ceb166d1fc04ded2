import { describe, expect, it } from 'vitest'
import { configuredServers, mergeServers, readEditorServers } from '#tools/mcp/config.ts'
import { targetOf } from '#tools/mcp/target.ts'
import { serversOf } from './entries.ts'

describe('configuration', () => {
  it('B119: reads what editors send, and refuses the rest by name', () => {
    const { servers, problems } = readEditorServers([
      { name: 'local', command: 'npx', args: ['-y', 'x'], env: [{ name: 'A', value: 'b' }] },
      {
        type: 'http',
        name: 'web',
        url: 'https://h/mcp',
        headers: [{ name: 'X', value: 'y' }],
        trust: true,
        sampling: true,
      },
      { type: 'sse', name: 'stream', url: 'http://h/sse', headers: [] },
      { type: 'carrier-pigeon', name: 'bird' },
      { command: 'x' },
      { name: 'broken', command: '' },
      { name: 'local', command: 'other' },
      'nonsense',
    ])
    expect(servers).toEqual([
      {
        type: 'stdio',
        name: 'local',
        trust: false,
        sampling: false,
        command: 'npx',
        args: ['-y', 'x'],
        env: { A: 'b' },
      },
      {
        type: 'http',
        name: 'web',
        trust: false,
        sampling: false,
        orSse: false,
        url: 'https://h/mcp',
        headers: { X: 'y' },
      },
      { type: 'sse', name: 'stream', trust: false, sampling: false, url: 'http://h/sse', headers: {} },
    ])
    expect(problems).toEqual([
      expect.stringMatching(/"bird".*"carrier-pigeon" is not supported/),
      'MCP server 5 has no name: it is left out',
      expect.stringMatching(/"broken" is left out: command/),
      expect.stringMatching(/two MCP servers are called "local"/),
      'MCP server 8 has no name: it is left out',
    ])
  })

  it('takes what is configured as it is, and leaves the transport of an address open', () => {
    const untrusted = { trust: false, sampling: false }
    const web = { url: 'http://localhost/mcp', headers: { authorization: 'Bearer x' } }
    expect(
      configuredServers({
        a: { ...untrusted, type: 'stdio', command: 'a', args: [], env: { PORT: '8080' }, trust: true },
        b: { ...untrusted, type: 'http', ...web, sampling: true },
        c: { ...untrusted, type: 'sse', ...web },
      }),
    ).toEqual([
      {
        type: 'stdio',
        name: 'a',
        trust: true,
        sampling: false,
        command: 'a',
        args: [],
        env: { PORT: '8080' },
      },
      { type: 'http', name: 'b', trust: false, sampling: true, orSse: true, ...web },
      { type: 'sse', name: 'c', trust: false, sampling: false, ...web },
    ])
  })

  it("takes the editor's of two with one name", () => {
    const editor = readEditorServers([{ name: 'x', command: 'editor' }]).servers
    const own = serversOf({ x: { command: 'own', trust: true }, y: { command: 'y' } })
    expect(mergeServers(editor, own).map((server) => targetOf(server))).toEqual(['editor', 'y'])
    expect(mergeServers(editor, own)[0]?.trust).toBe(false)
  })

  it('shows a server without its secrets', () => {
    const [stdio] = serversOf({
      x: { command: 'run', args: ['--api-key=abc', '--token', 'abc', 'a b'] },
    })
    const [http] = serversOf({ x: { url: 'https://u:p@h/mcp?token=abc' } })
    expect(stdio && targetOf(stdio)).toBe('run --api-key=… --token … "a b"')
    expect(http && targetOf(http)).toBe('https://h/mcp?…')
  })
})
