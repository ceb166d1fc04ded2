import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Scenario } from '#model/scenario.ts'
import type { LoggedEvent } from '#session/event.ts'
import { readSessionFile } from '#session/read.ts'
import { scriptedBin } from '../support/scripted-bin.ts'

const BUSY: Scenario['turns'] = [
  {
    steps: [
      {
        do: [
          { call: { id: 'c', name: 'bash', arguments: { command: 'echo $$; sh -c "sleep 61 & sleep 62"' } } },
        ],
      },
    ],
  },
]

async function logOf(home: string): Promise<readonly LoggedEvent[]> {
  const [name] = await readdir(join(home, 'sessions'))
  const path = join(home, 'sessions', name ?? '')
  expect((await readFile(path, 'utf8')).endsWith('\n')).toBe(true)
  return (await readSessionFile(path)).events
}

/** Starts a command that runs for a minute; resolves with the pid of its shell. */
async function busy() {
  const { client, cwd, home } = await scriptedBin({ turns: BUSY, env: { DECKHAND_MODE: 'bypass' } })
  const sessionId = await client.open(cwd)
  const answer = client.prompt(sessionId, 'go').catch((error: unknown) => error)
  const output = await client.seen((message) => message.params?.update?._meta?.terminal_output !== undefined)
  return {
    client,
    home,
    answer,
    pid: Number.parseInt(output.params.update._meta.terminal_output.data as string, 10),
  }
}

describe('the end of the process', () => {
  it('exits by itself with 0 when stdin closes while idle (B03)', async () => {
    const { client, cwd } = await scriptedBin({ turns: BUSY })
    await client.open(cwd)
    expect(await client.end()).toBe(0)
  })

  it('exits with 0 when stdin closes before anything was said', async () => {
    const { client } = await scriptedBin({ turns: BUSY })
    expect(await client.end()).toBe(0)
    expect(client.lines).toEqual([])
  })

  it('kills commands and logs their results when stdin closes while busy (B01)', async () => {
    const { client, home, pid } = await busy()
    expect(await client.end()).toBe(0)
    expect(existsSync(`/proc/${pid}`)).toBe(false)
    const events = await logOf(home)
    expect(events.filter((event) => event.type === 'tool_result')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'cancelled' })
  })

  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends the same way on %s', async (signal) => {
    const { client, home, pid } = await busy()
    client.child.kill(signal)
    expect(await client.exited).toBe(0)
    expect(existsSync(`/proc/${pid}`)).toBe(false)
    expect((await logOf(home)).at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'cancelled' })
  })

  it('ends a command that ignores SIGTERM, and logs what became of it', async () => {
    const turns: Scenario['turns'] = [
      {
        steps: [
          {
            do: [
              {
                call: {
                  id: 'c',
                  name: 'bash',
                  arguments: { command: "trap '' TERM; echo $$; while :; do sleep 63; done" },
                },
              },
            ],
          },
        ],
      },
    ]
    const { client, cwd, home } = await scriptedBin({ turns, env: { DECKHAND_MODE: 'bypass' } })
    const sessionId = await client.open(cwd)
    client.prompt(sessionId, 'go').catch(() => undefined)
    const output = await client.seen(
      (message) => message.params?.update?._meta?.terminal_output !== undefined,
    )
    const pid = Number.parseInt(output.params.update._meta.terminal_output.data as string, 10)
    expect(await client.end()).toBe(0)
    expect(existsSync(`/proc/${pid}`)).toBe(false)
    const events = await logOf(home)
    expect(events.filter((event) => event.type === 'tool_result')).toHaveLength(1)
    expect(events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'cancelled' })
  })

  it('takes a closed stdout for a client that is gone', async () => {
    const { client, pid } = await busy()
    client.child.stdout?.destroy()
    client.raw(`${JSON.stringify({ jsonrpc: '2.0', id: 99, method: '_x/y' })}\n`)
    expect(await client.exited).toBe(0)
    expect(existsSync(`/proc/${pid}`)).toBe(false)
  })
})
