import { readFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#json/value.ts'
import { type Bench, openBench, viewOf } from './harness.ts'

let bench: Bench
beforeEach(async () => void (bench = await openBench()))
afterEach(() => bench[Symbol.asyncDispose]())
const sh = (command: string, more: JsonObject = {}, signal?: AbortSignal) =>
  bench.run('bash', { command, ...more }, signal)

describe('bash', () => {
  it('gives output in its true order, and the status', async () => {
    const outcome = await sh('echo a; echo b >&2; echo c; exit 3')
    expect(outcome.text).toBe('a\nb\nc\n\n[exit code 3]')
    expect(outcome.result).toMatchObject({
      isError: false,
      value: { exitCode: 3, signal: null, timedOut: false, truncated: false, output: 'a\nb\nc\n' },
      meta: { rawOutput: { exitCode: 3, signal: null, timedOut: false, truncated: false } },
    })
    expect(outcome.reports.map((report) => (report.kind === 'output' ? report.data : '?')).join('')).toBe(
      'a\nb\nc\n',
    )
    expect(viewOf(bench, 'bash', { command: 'x' }, outcome)).toEqual({
      card: 'terminal',
      output: 'a\nb\nc\n',
      exitCode: 3,
    })
    expect((await sh('true')).text).toBe('(no output)\n\n[exit code 0]')
    expect((await sh('kill -9 $$')).text).toBe('(no output)\n\n[killed by SIGKILL]')
  })

  it('keeps the command as it is', async () => {
    expect((await sh(`printf '%s|' "$0" "$#" 'it'"'"'s' '$&'\necho \\\\`)).text).toContain(
      "bash|0|it's|$&|\\",
    )
  })

  it('runs in the workdir, and nothing stays', async () => {
    await mkdir(join(bench.cwd, 'sub'))
    expect((await sh('pwd; cd /; X=1', { workdir: 'sub' })).text).toContain(join(bench.cwd, 'sub'))
    expect((await sh('pwd; echo "<$X>"')).text).toContain(`${bench.cwd}\n<>`)
    expect((await sh('true', { workdir: 'sub' })).text).toBe('(no output)\n\n[ran in sub]\n[exit code 0]')
    const failed = await sh('pwd', { workdir: 'gone' })
    expect([failed.code, failed.text]).toEqual(['SHELL_START_FAILED', expect.stringContaining('gone')])
    expect(viewOf(bench, 'bash', { command: 'pwd' }, failed)).toEqual({ card: 'terminal', output: '' })
  })

  it('B155: stdin is closed', async () => {
    const { text } = await sh('cat; read x; echo "got <$x>"; wc -c <<E\nx\nE\nread y; echo $?')
    expect(text).toBe('got <>\n2\n1\n\n[exit code 0]')
  })

  it('B153: a timeout ends the whole tree and is a result', async () => {
    const start = performance.now()
    const outcome = await sh('echo $$; sh -c "sleep 30; touch m" | cat', { timeout_ms: 300 })
    expect(performance.now() - start).toBeLessThan(20_000)
    expect(outcome.result.isError).toBe(false)
    expect(outcome.text).toMatch(/\n\n\[timed out after 0\.3 s; killed by SIGTERM\]$/)
    expect(viewOf(bench, 'bash', { command: 'x' }, outcome)).toMatchObject({
      signal: 'SIGTERM',
      note: 'timed out after 0.3 s',
    })
    await expect(readFile(join(bench.cwd, 'm'))).rejects.toThrow('ENOENT')
  })

  it('an abort is an error that carries the output', async () => {
    const controller = new AbortController()
    const running = sh('echo started; sleep 30', {}, controller.signal)
    setTimeout(() => controller.abort(), 300)
    const outcome = await running
    expect([outcome.code, outcome.text]).toEqual([
      'ABORTED',
      expect.stringContaining('output so far:\nstarted'),
    ])
    expect(viewOf(bench, 'bash', { command: 'x' }, outcome)).toMatchObject({
      output: 'started\n',
      signal: 'SIGTERM',
      note: 'cancelled',
    })
  })

  it('B158: long output keeps head and tail in bytes, whole characters', async () => {
    for (const sign of ['漢', '🙂', 'a']) {
      const { text, result } = await sh(`yes '${sign.repeat(50)}' | head -n 4000 | tr -d '\\n'; echo END`)
      expect(text).toMatch(/\n\[… \d+ bytes left out …\]\n/)
      expect(text).toMatch(/END\n\n\[all of the output is in .*\]\n\[exit code 0\]$/)
      expect(text).not.toContain('\uFFFD')
      expect(Buffer.byteLength(text)).toBeLessThan(62_000)
      const left = Number(/\[… (\d+) bytes/.exec(text)?.[1])
      const kept = text.replace(/\n\[… .*…\]\n/, '').replace(/END\n\n.*$/s, 'END\n')
      expect(left + Buffer.byteLength(kept)).toBe(Buffer.byteLength(sign) * 200_000 + 4)
      expect(result.meta).toMatchObject({ note: 'output cut', rawOutput: { truncated: true } })
    }
  })

  it('B163: the model reads clean text, people get the escapes', async () => {
    const { text, reports } = await sh(
      `printf '\\033[31mred\\033[0m\\033]0;t\\007\\n'; for i in $(seq 50); do printf '\\r%d%%' $i; done; printf '\\nabc\\rX\\nab\\bZ\\nlong\\r\\033[Ks\\ncr\\r\\n'`,
    )
    expect(text).toBe('red\n50%\nXbc\naZ\ns\ncr\n\n[exit code 0]')
    expect(JSON.stringify(reports)).toContain('\\u001b[31mred')
  })

  it('shows NUL and invalid bytes replaced', async () => {
    expect((await sh(`printf 'a\\0b\\377c'`)).text).toBe('a\uFFFDb\uFFFDc\n\n[exit code 0]')
  })

  it('B150, B162: secrets and the launcher stay out', async () => {
    const environment = {
      PATH: process.env['PATH'],
      OPENAI_API_KEY: 'sk-test',
      my_secret: 's',
      DECKHAND_MODEL: 'm',
      NODE_OPTIONS: '--no-warnings',
      npm_config_prefix: '/p',
      npm_execpath: '/n',
      INIT_CWD: '/i',
      ELECTRON_RUN_AS_NODE: '1',
      HTTPS_PROXY: 'http://p',
      LANG: 'C.UTF-8',
      NODE_EXTRA_CA_CERTS: '/ca',
    }
    await using other = await openBench({ environment, keepEnvironment: ['my_secret'] })
    const { text } = await other.run('bash', { command: 'env' })
    expect(text).not.toMatch(/sk-test|DECKHAND_|NODE_OPTIONS|npm_|INIT_CWD|ELECTRON/)
    for (const line of ['my_secret=s', 'HTTPS_PROXY=http://p', 'LANG=C.UTF-8', 'NODE_EXTRA_CA_CERTS=/ca']) {
      expect(text).toContain(line)
    }
    for (const line of ['NO_COLOR=1', 'TERM=dumb', 'PAGER=cat', 'GIT_TERMINAL_PROMPT=0'])
      expect(text).toContain(line)
    expect((await other.run('bash', { command: 'command -v node' })).text).toContain('node')
  })

  it.each<JsonObject>([{ timeout_ms: 0 }, { timeout_ms: -5 }, { timeout_ms: 1.5 }])(
    'refuses %j',
    async (more) => {
      expect((await sh('echo x', more)).code).toBe('INVALID_ARGS')
    },
  )

  it('caps whatever content an outcome has', () => {
    const tool = bench.tool('bash')
    const finalize = (text: string) =>
      tool.finalizeContent?.({} as never, {
        isError: true,
        error: { message: '' },
        content: [{ type: 'text', text }],
      })
    expect(finalize('short')).toBeUndefined()
    const [cut] = finalize(`${'a'.repeat(100_000)}END`) ?? []
    expect(cut).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^a+\n\[… 38563 bytes left out …\]\na+END$/),
    })
  })

  it('presents the exact command', () => {
    const args = { command: 'cd x &&\n  make', description: 'build', workdir: 'sub' }
    expect(bench.tool('bash').presentCall?.(args)).toEqual({
      card: 'terminal',
      title: 'cd x &&\n  make',
      description: 'build',
      cwd: 'sub',
    })
  })
})
