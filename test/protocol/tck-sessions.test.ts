// The kit's checks of stored sessions, options, directories and logging out, against the built command.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import type { Wire } from '../support/bin-client.ts'
import { scriptedBin, type ScriptedBin } from '../support/scripted-bin.ts'
import { temporaryDirectory } from '../support/temporary.ts'

const SAY: Scenario['turns'] = Array.from({ length: 4 }, () => ({ steps: [{ do: [{ text: 'Hello.' }] }] }))

async function start(): Promise<ScriptedBin & { init: Wire }> {
  const bin = await scriptedBin({ turns: SAY })
  return { ...bin, init: await bin.client.initialize({}) }
}
type Kit = Awaited<ReturnType<typeof start>>
const open = async ({ client, cwd }: Kit, more: object = {}): Promise<Wire> =>
  client.request('session/new', { cwd, mcpServers: [], ...more })
const capabilities = ({ init }: Kit): Wire => init.agentCapabilities.sessionCapabilities

describe('stored sessions', () => {
  it('LIST-001, LIST-002: lists sessions, and those of one directory', async () => {
    const kit = await start()
    expect(capabilities(kit).list).toEqual({})
    const elsewhere = await temporaryDirectory()
    const here = (await open(kit)).sessionId
    await kit.client.prompt(here, 'first words')
    const there = (await open(kit, { cwd: elsewhere })).sessionId
    await kit.client.prompt(there, 'other words')
    const all = await kit.client.request('session/list', {})
    expect(all.sessions.map((session: Wire) => session.sessionId)).toEqual([there, here])
    const some = await kit.client.request('session/list', { cwd: kit.cwd })
    expect(some.sessions).toEqual([
      {
        sessionId: here,
        cwd: kit.cwd,
        title: 'first words',
        updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    ])
    expect(kit.client.faults).toEqual([])
  })

  it('RESUME-001, RESUME-002: goes on without a replay', async () => {
    const kit = await start()
    expect(capabilities(kit).resume).toEqual({})
    const { sessionId } = await open(kit)
    await kit.client.prompt(sessionId, 'remember me')
    expect(await kit.client.end()).toBe(0)
    const client = kit.another()
    await client.initialize({})
    const resumed = await client.request('session/resume', { sessionId, cwd: kit.cwd, mcpServers: [] })
    expect(resumed.modes.currentModeId).toBe('ask')
    expect(client.updates(sessionId).filter(({ sessionUpdate }) => /chunk|tool/.test(sessionUpdate))).toEqual(
      [],
    )
    expect(await client.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' })
    expect(client.faults).toEqual([])
  })

  it('DELETE-001, DELETE-002: a deleted session is gone; deleting it again succeeds with an object', async () => {
    const kit = await start()
    expect(capabilities(kit).delete).toEqual({})
    const { sessionId } = await open(kit)
    await kit.client.prompt(sessionId, 'hi')
    expect(await kit.client.request('session/delete', { sessionId })).toEqual({})
    expect(await kit.client.request('session/delete', { sessionId })).toEqual({})
    expect((await kit.client.request('session/list', {})).sessions).toEqual([])
    const gone = kit.client.request('session/load', { sessionId, cwd: kit.cwd, mcpServers: [] })
    await expect(gone).rejects.toMatchObject({ code: -32002 })
  })

  it('ADDDIRS-001: additional directories are taken, and reported', async () => {
    const kit = await start()
    expect(capabilities(kit).additionalDirectories).toEqual({})
    const more = join(await temporaryDirectory(), 'more')
    await mkdir(more)
    const { sessionId } = await open(kit, { additionalDirectories: [more] })
    await kit.client.prompt(sessionId, 'hi')
    const { sessions } = await kit.client.request('session/list', {})
    expect(sessions[0].additionalDirectories).toEqual([more])
    expect(kit.client.faults).toEqual([])
  })
})

describe('options', () => {
  it('CONFIG-001, CONFIG-002: setting any offered value answers with the whole state', async () => {
    const kit = await start()
    const { sessionId, configOptions } = await open(kit)
    expect(configOptions.map((option: Wire) => option.id)).toContain('mode')
    for (const option of configOptions as Wire[]) {
      for (const { value } of option.options as Wire[]) {
        const state = await kit.client.request('session/set_config_option', {
          sessionId,
          configId: option.id,
          value,
        })
        expect(state.configOptions.map(({ id }: Wire) => id)).toEqual(expect.arrayContaining(['mode']))
        const now = state.configOptions.find(({ id }: Wire) => id === option.id)
        expect(now.currentValue).toBe(value)
      }
    }
    expect(kit.client.faults).toEqual([])
  })
})

describe('authentication', () => {
  it('AUTH-004: logout answers with an object', async () => {
    const kit = await start()
    expect(kit.init.agentCapabilities.auth.logout).toEqual({})
    expect(await kit.client.request('logout', {})).toEqual({})
  })

  it('AUTH-005: methods are always offered, so that a session without a key may ask for them', async () => {
    const kit = await start()
    expect(kit.init.authMethods.length).toBeGreaterThan(0)
  })

  it('PROMPTCAP-002: audio is not advertised, and its block does not fail the prompt', async () => {
    const kit = await start()
    expect(kit.init.agentCapabilities.promptCapabilities.audio ?? false).toBe(false)
    const prompt = [
      { type: 'text', text: 'listen' },
      { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
    ]
    const { sessionId } = await open(kit)
    expect((await kit.client.request('session/prompt', { sessionId, prompt })).stopReason).toBe('end_turn')
  })
})
