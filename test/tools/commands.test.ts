// The command table: each returns in bounded time, leaves no process behind, and says what happened.
import { mkdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, openBench } from './harness.ts'
import { processesIn } from './processes.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())

interface Row {
  name: string
  command: string
  timeoutMs?: number
  /** Milliseconds. */
  within: number
  says: RegExp
}

const ENDED =
  /\[1 process left in the background was ended; run_in_background keeps a command running\]\n\[exit code 0\]$/
// A daemon as they are written: two forks, a session of its own, no parent of ours.
const DAEMON = `(setsid sh -c 'sleep 60 & exit' </dev/null >/dev/null 2>&1 &) ; echo started`

const ROWS: Row[] = [
  { name: 'a background child', command: 'sleep 60 & echo x', within: 20_000, says: ENDED },
  { name: 'a child in another session', command: 'setsid sleep 60 & echo x', within: 20_000, says: ENDED },
  {
    name: 'a silent background child',
    command: 'sleep 60 >/dev/null 2>&1 & echo x',
    within: 20_000,
    says: ENDED,
  },
  { name: 'a daemon', command: `${DAEMON}; sleep 0.2`, within: 20_000, says: ENDED },
  {
    name: 'a daemon when time is up',
    command: `${DAEMON}; sleep 60`,
    timeoutMs: 500,
    within: 20_000,
    says: /started\n\n\[timed out after 0\.5 s; killed by SIGTERM\]$/,
  },
  {
    name: 'one that ignores TERM',
    command: `trap '' TERM; echo x; sleep 60; sleep 60`,
    timeoutMs: 300,
    within: 20_000,
    says: /x\n\n\[timed out after 0\.3 s; killed by SIGKILL\]$/,
  },
  {
    name: 'a background child that ignores TERM',
    command: `(trap '' TERM; while :; do sleep 1; done) & echo x`,
    within: 20_000,
    says: /left in the background were ended/,
  },
  {
    name: 'a grandchild that holds stderr',
    command: `sh -c 'sleep 60 </dev/null >/dev/null &'; echo x`,
    within: 20_000,
    says: ENDED,
  },
  {
    name: 'endless output',
    command: 'yes',
    timeoutMs: 3_000,
    within: 20_000,
    says: /bytes left out[^]*all of the output is in[^]*timed out after 3 s/,
  },
  { name: 'reads from stdin', command: 'cat; read x; echo "<$x> $?"', within: 20_000, says: /^<> 1\n/ },
  {
    name: 'binary output',
    command: `printf 'a\\0\\377\\200b'`,
    within: 20_000,
    says: /^a\uFFFD\uFFFD\uFFFDb\n/,
  },
  {
    name: 'output split inside a character',
    command: `printf '\\360\\237'; sleep 0.2; printf '\\231\\202\\n'`,
    within: 20_000,
    says: /^🙂\n\n\[exit code 0\]$/,
  },
  { name: 'exit by signal', command: 'kill -SEGV $$', within: 20_000, says: /\[killed by SIGSEGV\]$/ },
  {
    name: 'a pipeline that breaks off',
    command: 'yes | head -n 1',
    within: 20_000,
    says: /^y\n\n\[exit code 0\]$/,
  },
]

describe.runIf(process.platform === 'linux')('commands', () => {
  it.each(ROWS)('$name', async ({ command, timeoutMs, within, says }) => {
    const start = performance.now()
    const { text } = await bench.run('bash', {
      command,
      ...(timeoutMs !== undefined && { timeout_ms: timeoutMs }),
    })
    expect(performance.now() - start).toBeLessThan(within)
    expect(text).toMatch(says)
    expect(processesIn(bench.cwd)).toEqual([])
  })

  it('50 MB of output: all of it is in the file that the text names', async () => {
    const { text, result } = await bench.run('bash', {
      command: `head -c 50000000 /dev/zero | tr '\\0' x; echo END`,
    })
    const file = /\[all of the output is in (.*)\]/.exec(text)?.[1] ?? ''
    expect(result).toMatchObject({ isError: false, value: { truncated: true, outputFile: file } })
    expect(Buffer.byteLength(text)).toBeLessThan(62_000)
    expect((await stat(file)).size).toBe(50_000_004)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await bench.workspace.dispose()
    await expect(stat(file)).rejects.toThrow('ENOENT')
  })

  it('100 MB of output: the file ends at 64 MiB', async () => {
    const { text } = await bench.run('bash', { command: `yes 0123456789 | head -c 100000000` })
    const file = /\[all of the output is in (.*)\]/.exec(text)?.[1] ?? ''
    expect((await stat(file)).size).toBe(64 * 1024 * 1024)
  })

  it('a missing directory: the given one, and that of the session', async () => {
    await mkdir(join(bench.cwd, 'sub'))
    await bench.run('bash', { command: 'rmdir ../sub', workdir: 'sub' })
    const gone = await bench.run('bash', { command: 'echo hi', workdir: 'sub' })
    expect([gone.code, gone.text]).toEqual([
      'SHELL_START_FAILED',
      expect.stringContaining("can't be entered"),
    ])
    expect((await bench.run('bash', { command: 'echo hi' })).text).toBe('hi\n\n[exit code 0]')
    await rm(bench.cwd, { recursive: true })
    expect((await bench.run('bash', { command: 'echo hi' })).code).toBe('SHELL_START_FAILED')
  })

  it('what is cancelled leaves nothing, and its error names the file', async () => {
    const controller = new AbortController()
    const running = bench.run('bash', { command: `yes & ${DAEMON}; sleep 60` }, controller.signal)
    setTimeout(() => controller.abort(), 500)
    const { code, text, result } = await running
    expect(code).toBe('ABORTED')
    const file = /\(all of it is in (.*?)\)/.exec(text)?.[1] ?? ''
    expect((await readFile(file, 'utf8')).includes('\ny\ny\n')).toBe(true)
    expect(result.meta).toMatchObject({ note: 'cancelled; output cut', rawOutput: { truncated: true } })
    expect(processesIn(bench.cwd)).toEqual([])
  })

  it('the end of the session ends what runs within a second', async () => {
    const running = bench.run('bash', {
      command: `trap '' TERM; echo x; ${DAEMON}; while :; do sleep 1; done`,
    })
    while (processesIn(bench.cwd).length < 2) await new Promise((resolve) => setTimeout(resolve, 20))
    const start = performance.now()
    await bench.workspace.dispose()
    expect(performance.now() - start).toBeLessThan(15_000)
    expect(processesIn(bench.cwd)).toEqual([])
    expect((await running).text).toContain('killed by SIGKILL')
    expect((await bench.run('bash', { command: 'echo' })).code).toBe('SHELL_START_FAILED')
  })
})
