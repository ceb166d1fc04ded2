import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AgentSession } from '#agent/port.ts'
import type { AnyEvent } from '#session/event.ts'
import { conversationOf } from '#session/conversation.ts'
import { say, stage, type StageInit } from '../support/scripted-agent.ts'

const bash = (command: string) => ({ call: { name: 'bash', arguments: { command } } })

/** Cancels when the first event of this kind is seen; resolves with the stop reason. */
async function cancelAt(session: AgentSession, wanted: (event: AnyEvent) => boolean): Promise<string> {
  const stop = session.subscribe((event) => {
    if (wanted(event)) session.cancel()
  })
  const reason = await session.prompt(say('go'))
  stop()
  return reason
}

const PHASES: { phase: string; init: StageInit; at: (event: AnyEvent) => boolean }[] = [
  {
    phase: 'while text streams',
    init: { turns: [{ steps: [{ do: [{ text: 'a long story' }, { hang: true }] }] }] },
    at: (event) => event.type === 'text_delta',
  },
  {
    phase: 'while a command runs',
    init: { turns: [{ steps: [{ do: [bash('echo on; sleep 60')] }] }] },
    at: (event) => event.type === 'tool_output',
  },
  {
    phase: 'between a result and the next request',
    init: { turns: [{ steps: [{ do: [bash('true')] }, { do: [{ text: 'no' }] }] }] },
    at: (event) => event.type === 'tool_result',
  },
  {
    phase: 'at once',
    init: { turns: [{ steps: [{ do: [{ text: 'no' }] }] }] },
    at: (event) => event.type === 'turn_start',
  },
]

describe('cancel (B67)', () => {
  it.each(PHASES)(
    '$phase: cancelled, every call has one result, the next turn works (B64, B66)',
    async ({ init, at }) => {
      const again = { match: 'again', steps: [{ do: [{ text: 'here I am' }] }] }
      const { session } = await stage({
        ...init,
        turns: [again, ...init.turns.map((turn) => ({ ...turn, match: 'go' }))],
      })
      expect(await cancelAt(session, at)).toBe('cancelled')
      const events = session.history()
      const calls = events.filter((event) => event.type === 'tool_call').map((event) => event.callId)
      const results = events.filter((event) => event.type === 'tool_result').map((event) => event.callId)
      expect(results.toSorted()).toEqual(calls.toSorted())
      expect(await session.prompt(say('again'))).toBe('end_turn')
      expect(conversationOf(session.history()).at(-1)).toMatchObject({ parts: [{ text: 'here I am' }] })
    },
  )

  it('kills what the command started (B71)', async () => {
    const { session, cwd } = await stage({
      turns: [{ steps: [{ do: [bash('sh -c "sleep 1; touch marker" & echo on; wait')] }] }],
    })
    await cancelAt(session, (event) => event.type === 'tool_output')
    await new Promise((resolve) => setTimeout(resolve, 1300))
    expect(existsSync(join(cwd, 'marker'))).toBe(false)
  })

  it('gives up a body that does not stop, and drops what it still says', async () => {
    const { session } = await stage({
      turns: [{ steps: [{ do: [bash('echo on; sleep 60'), bash('touch never')] }] }],
    })
    await cancelAt(session, (event) => event.type === 'tool_output')
    const codes = session
      .history()
      .flatMap((event) => (event.type === 'tool_result' ? [event.error?.info?.code] : []))
    expect(codes[1]).toBe('ABORTED_BEFORE_DISPATCH')
    expect(codes).toHaveLength(2)
  })

  it('is a no-op when nothing runs (B77)', async () => {
    const { session } = await stage({ turns: [{ steps: [{ do: [{ text: 'hi' }] }] }] })
    session.cancel()
    expect(session.history()).toEqual([])
    expect(await session.prompt(say('x'))).toBe('end_turn')
  })
})
