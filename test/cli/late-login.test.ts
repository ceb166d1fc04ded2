// An editor's first run: no key, a login in a terminal meanwhile, and the same process goes on.
import { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { keyFile, readStoredKeys, storeKey } from '#config/keys.ts'
import { startAgent } from '#compose.ts'
import { temporaryDirectory } from '../support/temporary.ts'

describe('an editor without a key', () => {
  it('is told how to log in, and goes on when somebody has', async () => {
    const root = await temporaryDirectory()
    const [cwd, home] = [join(root, 'project'), join(root, 'home')]
    await Promise.all([mkdir(cwd), mkdir(home)])
    await writeFile(join(home, 'config.jsonc'), '{ "model": 5, }')
    const [input, output] = [new PassThrough(), new PassThrough()]
    const warnings: string[] = []
    const agent = await startAgent({
      input,
      output,
      env: { DECKHAND_HOME: home },
      version: '0',
      log: (_level, message) => void warnings.push(message),
      login: { command: '/node', args: ['/deckhand.js'] },
    })
    const stream = ndJsonStream(Writable.toWeb(input), Readable.toWeb(output) as ReadableStream<Uint8Array>)
    await client({ name: 'test' }).connectWith(stream, async (connection) => {
      const { authMethods } = await connection.request(methods.agent.initialize, {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { _meta: { 'terminal-auth': true } },
      })
      expect(authMethods?.[0]?._meta).toMatchObject({
        'terminal-auth': { command: '/node', args: ['/deckhand.js', 'login'] },
      })
      const open = () => connection.request(methods.agent.session.new, { cwd, mcpServers: [] })
      await expect(open()).rejects.toMatchObject({
        code: -32000,
        message: expect.stringContaining('deckhand login'),
      })
      await storeKey(home, 'anthropic', 'sk-later')
      await connection.request(methods.agent.authenticate, { methodId: 'api-key' })
      const { configOptions } = await open()
      expect(JSON.stringify(configOptions)).toContain('anthropic/claude-sonnet-5-5')
      expect(JSON.stringify(configOptions)).toContain('thought_level')
      await connection.request(methods.agent.logout, {})
      expect(readStoredKeys(home)).toEqual({})
      await expect(open()).rejects.toMatchObject({ code: -32000 })
    })
    expect(warnings.join('\n')).toMatch(/config\.jsonc:1:12: model: expected a text; it is ignored/)
    expect(keyFile(home)).toContain(home)
    await agent.dispose()
  })
})
