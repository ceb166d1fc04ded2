import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture, isRunning, openServers, startServers, stdio, until } from './harness.ts'

const good = { good: stdio('old-version', '2025-06-18') }

describe('starting', () => {
  it('B102: a server that never answers holds up nobody and is ended', async () => {
    const bench = await startServers(
      { silent: stdio('never-answers'), ...good },
      { timing: { handshake: 3000 } },
    )
    await until('the good one is there', () => bench.names().includes('mcp__good__old'))
    expect(bench.servers.status()[0]?.state).toBe('starting')
    const start = performance.now()
    await bench.servers.ready(100)
    expect(performance.now() - start).toBeLessThan(2500)
    await bench.servers.ready(20_000)
    expect(bench.problems).toEqual([
      expect.stringMatching(/^MCP server "silent" did not start: it did not answer within 3 s/),
    ])
    expect(bench.servers.status()[0]).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('3 s'),
    })
    expect(await bench.text('mcp__good__old')).toBe('2025-06-18')
  })

  it('tools of a late server appear when it is there', async () => {
    const bench = await startServers({ late: stdio('slow-start', '700') })
    await bench.servers.ready(100)
    expect(bench.names()).toEqual([])
    await bench.servers.ready(5000)
    expect(bench.names()).toEqual(['mcp__late__late'])
    expect(bench.problems).toEqual([])
    expect(bench.servers.status()[0]?.startMs).toBeGreaterThan(600)
  })

  it('B120: each failure is said once, with the server and its last words', async () => {
    const bench = await openServers({
      broken: stdio('dies-at-handshake'),
      missing: { command: 'no-such-command-anywhere' },
      ...good,
    })
    expect(bench.problems.toSorted()).toEqual([
      'MCP server "broken" did not start: it exited with code 3: the database is missing',
      expect.stringMatching(/^MCP server "missing" did not start: no-such-command-anywhere was not found/),
    ])
    expect(bench.names()).toEqual(['mcp__good__old'])
    expect(bench.servers.status().map(({ state }) => state)).toEqual(['failed', 'failed', 'ready'])
  })

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('speaks %s', async (version) => {
    const bench = await openServers({ old: stdio('old-version', version) })
    expect(await bench.text('mcp__old__old')).toBe(version)
  })

  it('refuses a version that nobody knows, in words', async () => {
    const bench = await openServers({ odd: stdio('old-version', '1999-01-01') })
    expect(bench.problems[0]).toContain('1999-01-01')
  })
})

describe('streams', () => {
  it('B104: stderr is drained and its end is kept', async () => {
    const bench = await openServers({ flood: stdio('floods-stderr') })
    expect(await bench.text('mcp__flood__noisy')).toBe('done')
    await until(
      'the last line is there',
      () => bench.servers.status()[0]?.stderr.endsWith('the last line\n') === true,
    )
    expect(bench.servers.status()[0]?.stderr.length).toBeLessThanOrEqual(64 * 1024)
  })

  it('B117: characters that are cut between chunks stay whole, and noise on stdout is named', async () => {
    const bench = await openServers({ noise: stdio('noise') })
    expect(await bench.text('mcp__noise__emoji')).toBe('👩‍👩‍👧 größer')
    expect(bench.servers.status()[0]?.warnings).toEqual([expect.stringContaining('Starting the server…')])
  })

  it('takes batches', async () => {
    const bench = await openServers({ batches: stdio('batches') })
    expect(await bench.text('mcp__batches__both')).toBe('in a batch')
  })

  it('wrong ids answer nobody', async () => {
    const bench = await openServers({ wrong: stdio('wrong-ids') }, { timing: { call: 300 } })
    expect(await bench.text('mcp__wrong__lost')).toMatch(
      /^Error: .*gave no answer to the call of lost .* 0\.3 s/,
    )
    expect(await bench.text('mcp__wrong__late')).toBe('yours')
  })

  it('cuts a result of 50 MB, and ends a server that sends more than can be taken', async () => {
    const bench = await openServers({ huge: stdio('huge-result') }, { timing: { backoff: 20 } })
    const text = await bench.text('mcp__huge__big')
    expect(text.length).toBeLessThan(3 * 1024 * 1024)
    expect(text).toMatch(/^<x+\n… \(\d+ characters left out\) …\nx+>$/)
    expect(await bench.text('mcp__huge__big', { megabytes: 70 })).toContain('a message of more than 64 MiB')
    expect(await bench.text('mcp__huge__small')).toBe('small')
  })
})

describe('lists', () => {
  it('imports two thousand tools', async () => {
    const bench = await openServers({ many: stdio('many-tools') })
    expect(bench.names()).toHaveLength(2000)
    expect(await bench.text('mcp__many__tool_1999', { query: 'x' })).toBe('tool_1999')
  })

  it('cuts pages that go round in a circle or never end', async () => {
    const bench = await openServers({
      loop: stdio('pages-in-a-loop'),
      endless: stdio('pages-in-a-loop', 'endless'),
    })
    expect(bench.names().filter((name) => name.includes('loop'))).toEqual([
      'mcp__loop__first',
      'mcp__loop__second',
    ])
    expect(bench.names().filter((name) => name.includes('endless'))).toHaveLength(200)
    expect(bench.problems.join('\n')).toMatch(/"loop".*circle/)
    expect(bench.problems.join('\n')).toMatch(/"endless".*does not end/)
  })

  it('B115: a storm of changes costs little, and a refresh that fails keeps the old list', async () => {
    const bench = await openServers({ storm: stdio('list-storm') }, { timing: { refresh: 30 } })
    const before = bench.registry.get('mcp__storm__steady', bench.scope)
    await bench.text('mcp__storm__steady')
    expect(bench.names()).toContain('mcp__storm__generation_1')
    await until('the new list is there', () => bench.names().includes('mcp__storm__generation_2'))
    expect(bench.names()).not.toContain('mcp__storm__generation_1')
    expect(bench.registry.get('mcp__storm__steady', bench.scope)).toBe(before)
    expect(Number(await bench.text('mcp__storm__count'))).toBeLessThan(8)
    expect(bench.servers.status()[0]?.warnings.join()).toContain('passing trouble')
  })
})

describe('crashes', () => {
  it('B114: calls in flight fail, one restart is shared, only harmless calls are sent again', async () => {
    const starts = join((await startServers({})).cwd, 'starts')
    const bench = await openServers({ dies: stdio('dies-in-calls', starts) }, { timing: { backoff: 50 } })
    const results = await Promise.all(
      ['work', 'work', 'work'].map((tool) => bench.text(`mcp__dies__${tool}`)),
    )
    expect(results[0]).toBe('call 1')
    expect(results[1]).toMatch(
      /^Error: .*"dies" was lost during the call of work \(it exited with code 1: out of memory\)/,
    )
    expect(results[2]).toMatch(/was lost/)
    expect(await bench.text('mcp__dies__work')).toBe('call 1')
    expect(await bench.text('mcp__dies__look')).toBe('call 1')
    expect((await readFile(starts, 'utf8')).trim().split('\n')).toHaveLength(3)
    expect(bench.problems.filter((problem) => problem.includes('was lost'))).toHaveLength(2)
  })

  it('a server that dies between calls is there again at the next', async () => {
    const bench = await openServers({ once: stdio('dies-between-calls') }, { timing: { backoff: 30_000 } })
    const first = await bench.text('mcp__once__once')
    await until('it is gone', () => bench.servers.status()[0]?.state === 'reconnecting')
    const second = await bench.text('mcp__once__once')
    expect(second).toMatch(/^from \d+$/)
    expect(second).not.toBe(first)
  })

  it('B114: a cancel does not wait for a restart; tools stay and say why they fail', async () => {
    const bench = await openServers(
      {
        gone: {
          command: 'sh',
          args: [
            '-c',
            '[ -e used ] && exec sleep 60; touch used; exec "$0" "$1"',
            process.execPath,
            fixture('dies-between-calls'),
          ],
        },
      },
      { timing: { backoff: 10, handshake: 3000 } },
    )
    await bench.text('mcp__gone__once')
    await until('it is gone', () => bench.servers.status()[0]?.state === 'reconnecting')
    const stop = new AbortController()
    const call = bench.call('mcp__gone__once', {}, stop.signal)
    setTimeout(() => stop.abort(), 50)
    const start = performance.now()
    expect((await call).isError).toBe(true)
    expect(performance.now() - start).toBeLessThan(2500)
    expect(bench.names()).toContain('mcp__gone__once')
    expect(await bench.text('mcp__gone__once')).toMatch(/is not running: it did not answer within 3 s/)
  })

  it('gives up after ten tries and says so once', async () => {
    const bench = await openServers(
      {
        gone: {
          command: 'sh',
          args: [
            '-c',
            '[ -e used ] && exit 7; touch used; exec "$0" "$1"',
            process.execPath,
            fixture('dies-between-calls'),
          ],
        },
      },
      { timing: { backoff: 1, longestBackoff: 4 } },
    )
    await bench.text('mcp__gone__once')
    await until('it gave up', () => bench.servers.status()[0]?.state === 'failed')
    expect(bench.problems.filter((problem) => problem.includes('could not be started again'))).toHaveLength(1)
    expect(bench.problems.at(-1)).toContain('exited with code 7')
  })
})

describe('the end', () => {
  it('B122: a server that ignores everything is killed with all that it started', async () => {
    const { cwd } = await startServers({})
    const pids = join(cwd, 'pids')
    const bench = await openServers(
      { stubborn: stdio('stubborn', pids), silent: stdio('never-answers') },
      { timing: { handshake: 1000 } },
    )
    const ids = (await readFile(pids, 'utf8')).trim().split('\n').map(Number)
    expect(await Promise.all(ids.map(isRunning))).toEqual([true, true, true])
    const hanging = bench.call('mcp__stubborn__hangs')
    const start = performance.now()
    await bench.servers.dispose()
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(await Promise.all(ids.map(isRunning))).toEqual([false, false, false])
    expect((await hanging).isError).toBe(true)
  })
})
