// The built command under the oldest Node that it is for, the one that it is made with, and the newest.
import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import { BIN, ROOT } from '../cli/run-bin.ts'
import { scriptedBin } from '../support/scripted-bin.ts'
import { nodeBinary } from './nodes.ts'
import { orSkip } from './npm.ts'

// Processes start slowly on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const OLDEST = '22.18.0'
const NEWEST = '26.12.1'

const CODE =
  'const found = await tools.grep({ pattern: "three" })\nreturn JSON.stringify(found).split("a.txt").length - 1'
const TURNS: Scenario['turns'] = [
  {
    steps: [
      { do: [{ call: { id: 'read', name: 'read', arguments: { file_path: 'a.txt' } } }] },
      {
        do: [
          {
            call: {
              id: 'edit',
              name: 'edit',
              arguments: { file_path: 'a.txt', old_string: 'two', new_string: 'three' },
            },
          },
        ],
      },
      { do: [{ call: { id: 'bash', name: 'bash', arguments: { command: 'cat a.txt' } } }] },
      { do: [{ call: { id: 'code', name: 'run_code', arguments: { code: CODE, description: 'Count' } } }] },
      { do: [{ text: 'bash: {{result:bash}} code: {{result:code}}' }] },
    ],
  },
]

async function runTurn(node: string): Promise<void> {
  const { client, cwd } = await scriptedBin({
    command: [node, BIN, 'acp'],
    turns: TURNS,
    files: { 'a.txt': 'one\ntwo\n' },
    env: { DECKHAND_CODE_MODE: 'both', DECKHAND_MODE: 'bypass', NODE_OPTIONS: undefined },
  })
  const sessionId = await client.open(cwd)
  expect((await client.prompt(sessionId, 'go')).stopReason).toBe('end_turn')
  expect(await readFile(join(cwd, 'a.txt'), 'utf8')).toBe('one\nthree\n')
  const said = client.updates().filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
  expect(said.map(({ content }) => content.text).join('')).toMatch(/bash: one\nthree\n[^]* code: 1/)
  expect(client.faults).toEqual([])
  expect(await client.end()).toBe(0)
  expect(client.stderr).toBe('')
}

const fetching = new Map<string, Promise<string>>()
beforeAll(() => {
  for (const version of [OLDEST, NEWEST]) {
    const binary = nodeBinary(version)
    binary.catch(() => undefined)
    fetching.set(version, binary)
  }
})

describe.each([OLDEST, NEWEST])('Node %s', (version) => {
  it('runs a turn with tools and Code Mode', async (context) => {
    const node = await orSkip(context, fetching.get(version)!)
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()).toBe(`v${version}`)
    await runTurn(node)
  }, 300_000)
})

describe('the Node of development', () => {
  it('is of the line between, and runs a turn with tools and Code Mode', async () => {
    const node = join(ROOT, 'node_modules', '.bin', 'node')
    expect(execFileSync(node, ['--version'], { encoding: 'utf8' })).toMatch(/^v24\./)
    await runTurn(node)
  })
})

describe('the manifest', () => {
  it('names the oldest', async () => {
    const { engines } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'))
    expect(engines.node).toBe(`>=${OLDEST.replace(/\.0$/, '')}`)
  })
})
