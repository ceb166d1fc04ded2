// The entry for the editors' registry, held against the rules of that registry's checker.
import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ROOT } from '../cli/run-bin.ts'
import { BinClient, type Wire } from '../support/bin-client.ts'
import { npm, orSkip } from './npm.ts'
import { scrubbedEnvironment } from './scrubbed.ts'
import { pack, type Tarball } from './tarball.ts'

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const entry = JSON.parse(read('packaging/acp-registry/agent.json'))
const icon = read('packaging/acp-registry/icon.svg')
const { version, license } = JSON.parse(read('package.json'))

/** The rules of the registry for an entry that npm distributes. */
const Entry = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  repository: z.url().optional(),
  website: z.url().optional(),
  authors: z.array(z.string()).optional(),
  license: z.string().optional(),
  distribution: z.strictObject({
    npx: z.strictObject({
      package: z.string().regex(/^(@[\w-]+\/)?[\w-]+@\d+\.\d+\.\d+$/),
      cmd: z.string().optional(),
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
    }),
  }),
})

describe('agent.json', () => {
  it('has the fields that the registry knows, in their forms', () => {
    expect(Entry.safeParse(entry).error?.issues).toBeUndefined()
    expect(Entry.safeParse({ ...entry, distribution: { npx: {} } }).success).toBe(false)
    expect(Entry.safeParse({ ...entry, id: 'Deckhand' }).success).toBe(false)
    // The registry makes it from icon.svg.
    expect(entry).not.toHaveProperty('icon')
  })

  it('names this version of the package, and the one way to start it', () => {
    expect(entry).toMatchObject({ id: 'deckhand', version, license })
    expect(version).toMatch(/^\d+\.\d+\.\d+$/)
    expect(entry.distribution).toEqual({ npx: { package: `deckhand@${version}`, args: ['acp'] } })
  })
})

describe('icon.svg', () => {
  it('is 16 by 16 and has no other colour than the one of the text around it', () => {
    const root = /<svg\b[^>]*>/.exec(icon)?.[0] ?? ''
    expect(root).toContain('xmlns="http://www.w3.org/2000/svg"')
    expect(root).toMatch(/\bwidth="16" height="16" viewBox="0 0 16 16"/)
    const colours = [...icon.matchAll(/\b(?:fill|stroke|stop-color|color)\s*[=:]\s*"?([^";]+)/g)].map(
      ([, value]) => value,
    )
    expect(new Set(colours)).toContain('currentColor')
    expect(colours.filter((colour) => colour !== 'currentColor' && colour !== 'none')).toEqual([])
  })

  it('has no comments, styles, scripts or references', () => {
    expect(icon).not.toMatch(/<!--|<style|<script|<image|<use|href|url\(/)
  })
})

describe('the check of the registry', () => {
  let tarball: Tarball
  beforeAll(async () => {
    tarball = await pack()
    return () => tarball.remove()
  }, 120_000)

  it('is passed by npx, an empty home and an environment that is scrubbed', async (context) => {
    const home = join(tarball.directory, 'auth-home')
    const sandbox = join(tarball.directory, 'sandbox')
    await Promise.all([mkdir(home), mkdir(sandbox)])
    // What the person's own npm configuration says of the registry would be in the home that is empty here.
    const registry = (await npm(['config', 'get', 'registry'], { cwd: sandbox })).trim()
    const env = { ...scrubbedEnvironment(home), npm_config_registry: registry, npm_config_fetch_retries: '1' }
    const npx = ['npx', '--prefix', sandbox, '--yes', `file:${tarball.path}`] as const
    // Fills npx's cache, so that the start below waits for no download.
    await orSkip(context, npm(['exec', ...npx.slice(1), '--', '--version'], { cwd: sandbox, env }))
    const client = new BinClient({
      command: [...npx, ...entry.distribution.npx.args],
      cwd: sandbox,
      inherit: false,
      env,
    })
    const answer = await client.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'ACP Registry Validator', version: '1.0.0' },
      clientCapabilities: {
        terminal: true,
        fs: { readTextFile: true, writeTextFile: true },
        _meta: { terminal_output: true, 'terminal-auth': true },
      },
    })
    expect(JSON.parse(client.lines[0] ?? '')).toMatchObject({ id: 1, result: { protocolVersion: 1 } })
    const types = answer.authMethods.map(({ type = 'agent' }: Wire) => type)
    expect(types.filter((type: string) => type === 'agent' || type === 'terminal').length).toBeGreaterThan(0)
    expect(await client.end()).toBe(0)
  }, 180_000)
})
