import { appendFile, mkdir, readdir, readFile, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { conversationOf } from '#session/conversation.ts'
import { readSessionFile } from '#session/read.ts'
import { createSessionStore } from '#session/store.ts'
import { say, stage, type Stage } from '../support/scripted-agent.ts'

const TURNS = [
  {
    match: 'first',
    steps: [
      { do: [{ call: { name: 'read', arguments: { file_path: 'a.txt' } } }] },
      { do: [{ text: 'read it' }] },
    ],
  },
  { match: 'second', steps: [{ do: [{ text: 'still here' }] }] },
]

async function played(): Promise<Stage & { log: string }> {
  const played = await stage({ turns: TURNS, files: { 'a.txt': 'one\n' } })
  await played.session.prompt(say('first'))
  await played.session.close()
  const [name] = await readdir(join(played.home, 'sessions'))
  return { ...played, log: join(played.home, 'sessions', name ?? '') }
}

const place = (cwd: string) => ({ cwd, additionalDirectories: [] })

describe('a stored session', () => {
  it('opens in a new process with its history, and goes on (B90)', async () => {
    const { session, cwd, restart } = await played()
    const before = session.history()
    const agent = await restart()
    const again = await agent.open(session.id, place(cwd))
    expect(again.history()).toEqual(before)
    expect(again.title).toBe('first')
    expect(await again.prompt(say('second'))).toBe('end_turn')
    expect(conversationOf(again.history())).toHaveLength(6)
  })

  it('is valid JSON Lines, readable line by line, with the header first', async () => {
    const { log, cwd, session } = await played()
    const lines = (await readFile(log, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string })
    expect(lines[0]).toMatchObject({ type: 'session', version: 1, id: session.id, cwd, roots: [cwd] })
    expect(lines.slice(1)).toEqual(session.history())
  })

  it('of which nothing was written before its process was killed is none', async () => {
    const { log, session, cwd, restart } = await played()
    await truncate(log, 0)
    const agent = await restart()
    await expect(agent.open(session.id, place(cwd))).rejects.toMatchObject({
      code: 'not_found',
      message: `there is no session "${session.id}"`,
    })
  })

  it('loses only the torn last line, at whatever byte it is torn (B78)', async () => {
    const { log, session, cwd, restart } = await played()
    const whole = await readFile(log)
    const lastLine = whole.subarray(whole.lastIndexOf(0x0a, whole.length - 2) + 1)
    for (const cut of [1, 2, Math.floor(lastLine.length / 2), lastLine.length - 1]) {
      await writeFile(log, whole)
      await truncate(log, whole.length - cut)
      const stored = await readSessionFile(log)
      expect(stored.events.length).toBe(session.history().length - (cut === 1 ? 0 : 1))
      const agent = await restart()
      const again = await agent.open(session.id, place(cwd))
      expect(await again.prompt(say('second'))).toBe('end_turn')
      await again.close()
      const reread = await readSessionFile(log)
      expect(reread.events.at(-1)).toMatchObject({ type: 'turn_end', stopReason: 'end_turn' })
    }
  })

  it('passes over a bad line in the middle, and says so (B80)', async () => {
    const { log } = await played()
    const lines = (await readFile(log, 'utf8')).split('\n')
    lines.splice(3, 0, '\0'.repeat(300), '{bad', '{"type":"tool_call","seq":1,"at":"x"}')
    await writeFile(log, lines.join('\n'))
    const stored = await readSessionFile(log)
    expect(stored.warnings).toHaveLength(3)
    expect(stored.events.at(-1)).toMatchObject({ type: 'turn_end' })
  })

  it('passes over an event whose inside is damaged, and goes on', async () => {
    const { log, session, cwd, restart } = await played()
    const whole = await readFile(log, 'utf8')
    for (const [from, to] of [
      ['"text":"read it"', '"tdxt":"read it"'],
      ['"parts":', '"partz":'],
      ['"content":[{"type":"text","text":"first"', '"contenu":[{"type":"text","text":"first"'],
    ] as const) {
      expect(whole).toContain(from)
      await writeFile(log, whole.replace(from, to))
      expect((await readSessionFile(log)).warnings.length).toBeGreaterThan(0)
      const agent = await restart()
      const again = await agent.open(session.id, place(cwd))
      expect(await again.prompt(say('second'))).toBe('end_turn')
      await again.close()
    }
  })

  it('is not removed while another process has it open', async () => {
    const { session, agent, cwd, restart } = await stage({ turns: TURNS, files: { 'a.txt': 'one\n' } })
    await session.prompt(say('first'))
    const other = await restart()
    await expect(other.remove(session.id)).rejects.toMatchObject({ code: 'busy' })
    expect(await session.prompt(say('second'))).toBe('end_turn')
    await agent.remove(session.id)
    await expect(other.open(session.id, place(cwd))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('gives a lost call its result, so that the next request is valid (B83)', async () => {
    const { log, session, cwd, restart } = await played()
    const message = {
      id: 'm9',
      parts: ['x', 'y'].map((callId) => ({ type: 'tool_call', callId, name: 'bash', arguments: {} })),
    }
    const events = [
      { type: 'turn_start', turnId: 't9' },
      { type: 'user_message', message: { id: 'u9', content: [], source: { kind: 'user' } } },
      { type: 'assistant_message', message },
      { type: 'tool_call', callId: 'x', name: 'bash', messageId: 'm9' },
      { type: 'tool_call', callId: 'y', name: 'bash', messageId: 'm9' },
      { type: 'tool_started', callId: 'x' },
    ]
    await appendFile(
      log,
      events.map((event) => `${JSON.stringify({ seq: 99, at: 'now', ...event })}\n`).join(''),
    )
    const agent = await restart()
    const again = await agent.open(session.id, place(cwd))
    const closing = again.history().slice(-3)
    expect(closing).toMatchObject([
      { type: 'tool_result', callId: 'x', error: { info: { code: 'TOOL_OUTCOME_UNKNOWN' } } },
      { type: 'tool_result', callId: 'y', error: { info: { code: 'TOOL_NOT_STARTED' } } },
      { type: 'turn_failed', turnId: 't9' },
    ])
    expect(await again.prompt(say('second'))).toBe('end_turn')
  })

  it('is bound to another directory when it is opened there, and the model is told (B85)', async () => {
    const { session, home, restart } = await played()
    const other = join(home, 'other')
    await mkdir(other)
    await writeFile(join(other, 'a.txt'), 'of the other place\n')
    const agent = await restart([
      {
        steps: [
          { do: [{ call: { name: 'read', arguments: { file_path: 'a.txt' } } }] },
          { do: [{ text: '{{result}}' }] },
        ],
      },
    ])
    const again = await agent.open(session.id, place(other))
    await again.prompt(say('look'))
    expect(JSON.stringify(conversationOf(again.history()))).toContain(
      `The working directory of this session is now ${other}.`,
    )
    expect(JSON.stringify(again.history().at(-3))).toContain('of the other place')
  })

  it.each(['../../etc/passwd', '/etc/passwd', 'a/b', '', '.', 'x\u0000', 'x'.repeat(300), 'CON'])(
    'is not found under %j (B81)',
    async (id) => {
      const { agent, cwd } = await stage({ turns: TURNS })
      await expect(agent.open(id, place(cwd))).rejects.toMatchObject({ code: 'not_found' })
    },
  )

  it('that is not there is told by its id, not by the path that it would have', async () => {
    const { agent, cwd, home } = await stage({ turns: TURNS })
    const id = '00000000-0000-4000-8000-000000000000'
    const refusal = { code: 'not_found', message: `there is no session "${id}"` }
    await expect(agent.open(id, place(cwd))).rejects.toMatchObject(refusal)
    await expect(createSessionStore(home).read(id)).rejects.toMatchObject(refusal)
  })

  it('writes no file before the first prompt', async () => {
    const { session, home } = await stage({ turns: TURNS })
    await session.close()
    expect(await readdir(home)).toEqual([])
  })

  it('goes on in memory, visibly, when the disk refuses (B96)', async () => {
    const { session, home } = await stage({ turns: TURNS, files: { 'a.txt': 'one\n' } })
    await writeFile(join(home, 'sessions'), 'a file where the directory should be')
    const notices: unknown[] = []
    session.subscribe((event) => event.type === 'notice' && notices.push(event))
    expect(await session.prompt(say('first'))).toBe('end_turn')
    expect(notices).toMatchObject([{ severity: 'warning', title: 'This session can’t be saved' }])
  })
})
