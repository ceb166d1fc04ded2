import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { selected, type Wire } from '../support/bin-client.ts'
import { scriptedBin, type ScriptedBin, type ScriptedBinInit } from '../support/scripted-bin.ts'

const read = { call: { id: 'r', name: 'read', arguments: { file_path: 'a.txt' } } }
const edit = {
  call: { id: 'e', name: 'edit', arguments: { file_path: 'a.txt', old_string: 'two', new_string: '2' } },
}
const done = { do: [{ text: 'done: {{result}}' }] }
const EDITS: Scenario['turns'] = [{ steps: [{ do: [read] }, { do: [edit] }, done] }]

/** Writes the person's configuration before the command starts to look at it. */
async function configured(configuration: object, init: ScriptedBinInit): Promise<ScriptedBin> {
  const bin = await scriptedBin(init)
  await writeFile(join(bin.home, 'config.jsonc'), JSON.stringify(configuration))
  return { ...bin, client: bin.another() }
}

const said = ({ client }: ScriptedBin, sessionId: string): string =>
  client
    .updates(sessionId)
    .filter((update) => update.sessionUpdate === 'agent_message_chunk')
    .map((update) => update.content.text)
    .join('')
const statusOf = ({ client }: ScriptedBin, id: string): string =>
  client.updates().findLast((update) => update.toolCallId === id && update.status).status as string

const shout = (text: string) => ({ call: { id: `s${text}`, name: 'shout', arguments: { text } } })

describe('an editor that reads and writes files', () => {
  const CAPABILITIES = { fs: { readTextFile: true, writeTextFile: true }, _meta: { terminal_output: true } }

  /** An editor whose buffer of a.txt holds text that was not saved. */
  function editor() {
    const buffers = new Map<string, string>()
    const writes: string[] = []
    return {
      buffers,
      writes,
      answer: (method: string, params: Wire): unknown => {
        if (method === 'fs/read_text_file') return { content: buffers.get(params.path as string) ?? '' }
        writes.push(params.path as string)
        buffers.set(params.path as string, params.content as string)
        return {}
      },
    }
  }

  it('is not mentioned to the model where there is none', async () => {
    const bin = await configured({}, { turns: EDITS, files: { 'a.txt': 'one\ntwo\n' } })
    const sessionId = await bin.client.open(bin.cwd, {})
    await bin.client.prompt(sessionId, 'go')
    expect(said(bin, sessionId)).toBe('done: Edited a.txt: replaced 1 occurrence at line 2.')
  })

  it('is asked for the text that the person sees, and given the change', async () => {
    const { buffers, writes, answer } = editor()
    const bin = await configured({}, { turns: EDITS, files: { 'a.txt': 'one\ntwo\n' }, answer })
    const path = join(bin.cwd, 'a.txt')
    buffers.set(path, 'unsaved\ntwo\n')
    const sessionId = await bin.client.open(bin.cwd, CAPABILITIES)
    await bin.client.prompt(sessionId, 'go')
    expect(statusOf(bin, 'e')).toBe('completed')
    expect(writes).toEqual([path])
    expect(buffers.get(path)).toBe('unsaved\n2\n')
    expect(said(bin, sessionId)).toBe('done: Edited a.txt: replaced 1 occurrence at line 2.')
    expect(bin.client.faults).toEqual([])
  })

  it('is left alone where the configuration says disk', async () => {
    const { buffers, writes, answer } = editor()
    const bin = await configured(
      { files: 'disk' },
      { turns: EDITS, files: { 'a.txt': 'one\ntwo\n' }, answer },
    )
    buffers.set(join(bin.cwd, 'a.txt'), 'unsaved\ntwo\n')
    const sessionId = await bin.client.open(bin.cwd, CAPABILITIES)
    await bin.client.prompt(sessionId, 'go')
    expect(writes).toEqual([])
    expect(await readFile(join(bin.cwd, 'a.txt'), 'utf8')).toBe('one\n2\n')
  })
})

describe('the configuration', () => {
  it('hides tools, and what is hidden does not exist', async () => {
    const bin = await configured(
      { tools: { deny: ['edit'] } },
      { turns: EDITS, files: { 'a.txt': 'one\ntwo\n' } },
    )
    const sessionId = await bin.client.open(bin.cwd)
    await bin.client.prompt(sessionId, 'go')
    expect(said(bin, sessionId)).toContain('unknown tool "edit"')
    expect(statusOf(bin, 'r')).toBe('completed')
  })

  it('rules over commands, deny before allow', async () => {
    const bash = (id: string, command: string) => ({ call: { id, name: 'bash', arguments: { command } } })
    const turns: Scenario['turns'] = [
      { steps: [{ do: [bash('x', 'echo ok'), bash('y', 'rm a.txt')] }, done] },
    ]
    const permissions = { allow: ['bash(echo *)', 'bash(rm *)'], deny: ['bash(rm *)'] }
    const bin = await configured(
      { permissions },
      { turns, files: { 'a.txt': 'x' }, permission: () => 'never' },
    )
    const sessionId = await bin.client.open(bin.cwd)
    expect(await bin.client.prompt(sessionId, 'go')).toEqual({ stopReason: 'end_turn' })
    expect([statusOf(bin, 'x'), statusOf(bin, 'y')]).toEqual(['completed', 'failed'])
    expect(await readFile(join(bin.cwd, 'a.txt'), 'utf8')).toBe('x')
  })

  it('names a rule that can’t be read, and fails closed', async () => {
    const turns: Scenario['turns'] = [{ steps: [{ do: [{ text: 'hello' }] }] }]
    const bin = await configured({ permissions: { deny: ['bahs(rm', 'bash(git push *)'] } }, { turns })
    const sessionId = await bin.client.open(bin.cwd)
    await bin.client.prompt(sessionId, 'go')
    expect(bin.client.lines.join('\n')).toContain('bahs(rm')
    expect(bin.client.faults).toEqual([])
  })

  it('loads plug-ins; one that fails is named and costs only itself', async () => {
    const turns: Scenario['turns'] = [
      { steps: [{ do: [shout('hi')] }, done] },
      { steps: [{ do: [shout('')] }, done] },
    ]
    const bin = await scriptedBin({ turns, env: { DECKHAND_MODE: 'bypass' } })
    const folder = join(bin.home, 'plugins')
    await mkdir(folder)
    await writeFile(join(folder, 'bad.ts'), 'throw new Error("out of order")')
    await writeFile(
      join(folder, 'good.ts'),
      // The library is the running one, though nothing is installed beside the plug-in.
      `import { defineTool, ToolError } from 'deckhand'
      import { checkTool } from 'deckhand/testing'
      export default (deck: any) => deck.tools.register(defineTool({
        name: 'shout', description: 'Shouts.', parameters: { text: { type: 'string', required: true } },
        output: { schema: { type: 'string' }, render: (_args: unknown, value: string) => [{ type: 'text', text: value }] },
        execute: ({ text }: { text: string }) => {
          if (text === '') throw new ToolError('EMPTY', 'nothing to ' + typeof checkTool)
          return text.toUpperCase()
        },
      }))`,
    )
    await writeFile(
      join(bin.home, 'config.jsonc'),
      JSON.stringify({ plugins: [join(folder, 'bad.ts'), join(folder, 'good.ts')] }),
    )
    const client = bin.another()
    const sessionId = await client.open(bin.cwd)
    await client.prompt(sessionId, 'go')
    expect(said({ ...bin, client }, sessionId)).toContain('done: HI')
    await client.prompt(sessionId, 'again')
    expect(said({ ...bin, client }, sessionId)).toContain('nothing to function')
    expect(client.lines.join('\n')).toContain('out of order')
    expect(client.faults).toEqual([])
  })

  it('with a fault in it says where, and the rest counts (B187, B189)', async () => {
    const bin = await scriptedBin({ turns: [{ steps: [done] }] })
    const file = join(bin.home, 'config.jsonc')
    await writeFile(file, '{\n  "model": 5,\n  "mode": "plan",\n')
    const client = bin.another()
    const sessionId = await client.open(bin.cwd)
    expect(await client.prompt(sessionId, 'hello')).toEqual({ stopReason: 'end_turn' })
    expect(client.stderr + client.lines.join('\n')).toContain('config.jsonc')
    expect(await readFile(file, 'utf8')).toBe('{\n  "model": 5,\n  "mode": "plan",\n')
  })

  it('of the project does nothing but forbid until this very content is trusted, by /trust', async () => {
    const turns: Scenario['turns'] = [
      { steps: [{ do: [{ call: { id: 'b', name: 'bash', arguments: { command: 'touch made' } } }] }, done] },
    ]
    const bin = await scriptedBin({ turns, permission: () => selected('reject-once') })
    await mkdir(join(bin.cwd, '.deckhand'))
    const file = join(bin.cwd, '.deckhand', 'config.jsonc')
    await writeFile(file, '{ "permissions": { "allow": ["bash(touch *)"] } }')
    const { client } = bin
    const sessionId = await client.open(bin.cwd)
    const made = (): boolean => existsSync(join(bin.cwd, 'made'))
    await client.prompt(sessionId, 'go')
    expect(made()).toBe(false)
    await client.prompt(sessionId, '/trust')
    expect(said(bin, sessionId)).toContain('is not trusted')
    await client.prompt(sessionId, '/trust yes')
    await client.prompt(sessionId, 'go')
    expect(made()).toBe(true)
    await rm(join(bin.cwd, 'made'))
    await writeFile(file, '{ "permissions": { "allow": ["bash(touch *)", "bash(rm *)"] } }')
    await client.prompt(sessionId, 'go')
    expect(made()).toBe(false)
    expect(client.faults).toEqual([])
  })

  it('has a plug-in that only a person may change: in accept-edits the model asks, and is told to when refused', async () => {
    const turns: Scenario['turns'] = [
      {
        steps: ['a.txt', 'tools/plug.mjs'].flatMap((path, at) => {
          const content = `globalThis.planted = ${at}\n`
          return [
            { do: [{ call: { id: `w${at}`, name: 'write', arguments: { file_path: path, content } } }] },
          ]
        }),
      },
    ]
    turns[0]?.steps.push(done)
    const bin = await scriptedBin({
      turns,
      env: { DECKHAND_MODE: 'accept-edits' },
      permission: () => selected('reject-once'),
    })
    await mkdir(join(bin.cwd, 'tools'))
    await mkdir(join(bin.cwd, '.deckhand'))
    await writeFile(join(bin.cwd, '.deckhand', 'config.jsonc'), '{ "plugins": ["./tools/plug.mjs"] }')
    const before = bin.another()
    await before.prompt(await before.open(bin.cwd), '/trust yes')
    await before.end()
    const client = bin.another()
    await client.prompt(await client.open(bin.cwd), 'go')
    expect(existsSync(join(bin.cwd, 'a.txt'))).toBe(true)
    expect(existsSync(join(bin.cwd, 'tools', 'plug.mjs'))).toBe(false)
    expect(statusOf({ ...bin, client }, 'w0')).toBe('completed')
    expect(statusOf({ ...bin, client }, 'w1')).toBe('failed')
  })
})
