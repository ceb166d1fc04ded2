// What only the bundle can break: code that is loaded late, behind a configuration file and a proxy.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startProxy } from '../support/proxy.ts'
import { startSseServer } from '../support/sse-server.ts'
import { temporaryDirectory } from '../support/temporary.ts'
import { APIS } from '../model/apis.ts'
import { runBin } from './run-bin.ts'

describe('the built command', () => {
  it.each(APIS)('runs a prompt on $name, through a proxy, as its configuration says', async (api) => {
    const chunks = api.chunks([{ text: ['Over the wire.'] }], 'stop')
    await using server = await startSseServer({ chunks })
    await using proxy = await startProxy(Number(new URL(server.url).port))
    const root = await temporaryDirectory()
    const [cwd, home] = [join(root, 'project'), join(root, 'home')]
    await Promise.all([mkdir(join(cwd, '.deckhand'), { recursive: true }), mkdir(home)])
    const id = api.name.slice(0, api.name.indexOf('/'))
    const own = `{ // With a comment.\n "model": "${api.name}", "providers": { "${id}": { "baseURL": "http://model.test/v1" } } }`
    await writeFile(join(home, 'config.jsonc'), own)
    await writeFile(join(cwd, '.deckhand', 'config.jsonc'), '{ "mode": "yolo2", "model": "evil/model", }')
    await writeFile(join(home, 'keys.json'), JSON.stringify({ [id]: 'stored-key' }))
    const env = { DECKHAND_HOME: home, HTTP_PROXY: proxy.url, NO_PROXY: '' }
    const { code, stdout, stderr } = await runBin(['run', 'Hello'], { cwd, env })
    expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '● Over the wire.' })
    expect(stderr).toMatch(/config\.jsonc:1:11: mode: expected one of ask.*the mode is ask/)
    expect(proxy.tunnels.map(({ to }) => to)).toEqual(['model.test:80'])
    expect(JSON.stringify(server.requests[0]?.headers)).toContain('stored-key')
  })
})
