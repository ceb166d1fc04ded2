import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { mcp } from '#cli/mcp.ts'
import { fakeHost } from '../../cli/fake-host.ts'
import { temporaryDirectory } from '../../support/temporary.ts'
import { stdio } from './harness.ts'

async function run(mcpServers: object, json = false) {
  const home = await temporaryDirectory()
  await mkdir(home, { recursive: true })
  await writeFile(join(home, 'config.jsonc'), JSON.stringify({ mcpServers }))
  const host = fakeHost({ env: { ...process.env, DECKHAND_HOME: home }, cwd: home })
  const code = await mcp(host, { json })
  return { code, ...host.shown }
}

describe('deckhand mcp', () => {
  it('prints tools, errors and timings', async () => {
    const { code, stdout, stderr } = await run({ shop: stdio('offers'), broken: stdio('dies-at-handshake') })
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /✔ shop stdio .*offers\.mjs\n {2}6 tools, 2 prompts, resources in \d+ ms fixture 1\n/,
    )
    expect(stdout).toContain('    mcp__shop__look Look *around*\n')
    expect(stdout).toMatch(
      /✖ broken stdio .*\n {2}failed: it exited with code 3: the database is missing\n {2}stderr: the database is missing/,
    )
    expect(stderr).toBe(
      'deckhand: MCP server "broken" did not start: it exited with code 3: the database is missing\n',
    )
  })

  it('prints JSON, and says when there is nothing', async () => {
    const { code, stdout } = await run({ shop: stdio('offers') }, true)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'shop', state: 'ready', tools: expect.any(Array) }])
    expect(await run({})).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('No MCP servers are configured'),
    })
  })
})
