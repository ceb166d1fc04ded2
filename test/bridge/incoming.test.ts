// Messages that are too deep or too long cost themselves, not the connection.
import { afterEach, describe, expect, it } from 'vitest'
import { RawWire } from '../support/wire.ts'

const deep = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
let wire: RawWire

afterEach(async () => {
  await wire.bridge.close()
})

describe('a message that nests too deeply', () => {
  it('is refused under its id, whatever is wrong with it, and the next one is served', async () => {
    wire = new RawWire()
    wire.note('a', 'session/list')
    wire.send(`{"jsonrpc":"2.0","id":"a","method":"session/list","params":{"cwd":${deep(50_000)}}}\n`)
    const refused = { error: { code: -32600, message: expect.stringContaining('1,000 levels') } }
    expect(await wire.response('a')).toMatchObject(refused)
    for (const text of [
      `{"jsonrpc":"1.0","id":"b","method":"session/list","extra":${deep(50_000)}}`,
      `{"jsonrpc":"2.0","id":${deep(50_000)},"method":"session/list"}`,
      `{"neither":${deep(50_000)}}`,
    ]) {
      const before = wire.lines.length
      wire.send(`${text}\n`)
      await wire.until((line) => wire.lines.indexOf(line) >= before)
      expect(wire.lines.at(-1)).toMatchObject({ id: null, ...refused })
    }
    await wire.hello()
  })

  it('is dropped when it is a notification, and an error when it answers us', async () => {
    wire = new RawWire({
      script: async (turn) => {
        const { outcome } = await turn.ask('c', 'write')
        turn.emit({ type: 'title', title: `outcome ${outcome}` })
        return 'end_turn' as const
      },
    })
    const sessionId = await wire.open('/tmp')
    wire.send(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":${deep(50_000)}}}\n`)
    wire.request(1, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'x' }] })
    const asked = await wire.until((line) => line.method === 'session/request_permission')
    wire.send(`{"jsonrpc":"2.0","id":${JSON.stringify(asked.id)},"result":{"outcome":${deep(50_000)}}}\n`)
    expect((await wire.response(1)).result).toEqual({ stopReason: 'end_turn' })
    const titles = wire.lines.flatMap(({ params }) =>
      params?.update?.sessionUpdate === 'session_info_update' ? [params.update.title] : [],
    )
    expect(titles).toEqual(['outcome unavailable'])
    expect(wire.problems).toEqual([])
  })
})

describe('a line of more than 32 MiB', () => {
  it('is no JSON, and the next one is served', async () => {
    wire = new RawWire()
    const megabyte = Buffer.alloc(1024 * 1024, 'x')
    wire.send('{"jsonrpc":"2.0","id":1,"method":"session/list","params":{"cwd":"')
    for (let size = 0; size < 33; size++) wire.send(megabyte)
    wire.send('"}}\n')
    expect(await wire.until((line) => line.id === null)).toMatchObject({ error: { code: -32700 } })
    expect(wire.log.filter((line) => line.includes('not read'))).toHaveLength(1)
    await wire.hello()
    expect(wire.lines.filter((line) => line.id === null)).toHaveLength(1)
  })

  it('is told from one of just 32 MiB, wherever the chunks are cut', async () => {
    wire = new RawWire()
    await wire.hello()
    wire.note(1, 'session/list')
    const head = '{"jsonrpc":"2.0","id":1,"method":"session/list","params":{"cwd":"/'
    const line = Buffer.from(`${head}${'x'.repeat(32 * 1024 * 1024 - head.length - 3)}"}}\n`)
    for (let at = 0; at < line.length; at += 7_777_777) wire.send(line.subarray(at, at + 7_777_777))
    expect(await wire.response(1)).toMatchObject({ result: { sessions: [] } })
  })
})
