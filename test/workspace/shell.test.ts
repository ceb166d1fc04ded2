import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ShellCommand, ShellStartError } from '#workspace/command.ts'
import { createShell } from '#workspace/shell.ts'

let cwd: string
beforeEach(async () => void (cwd = await mkdtemp(join(tmpdir(), 'deckhand-shell-'))))
afterEach(() => rm(cwd, { recursive: true, force: true }))

function run(command: string, more: Partial<ShellCommand> = {}) {
  return createShell().run({ command, cwd, timeoutMs: 20_000, signal: new AbortController().signal, ...more })
}

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const start = performance.now()
  const result = await work
  return [result, performance.now() - start]
}

/** True when the process whose id stands in a file of cwd has ended. */
async function isGone(file: string): Promise<boolean> {
  const pid = Number(await readFile(join(cwd, file), 'utf8'))
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  return stat === undefined || stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
}

async function endsSoon(file: string): Promise<boolean> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isGone(file)) return true
    await sleep(20)
  }
  return false
}

describe('B152: the command is over when the shell exits', () => {
  it.each([
    ['a child that holds both', 'sleep 60 & echo $! >pid; echo end'],
    ['a child that holds stderr only', 'sleep 60 </dev/null >/dev/null & echo $! >pid; echo end'],
    ['a child in another session', 'setsid sleep 60 & echo $! >pid; echo end'],
    ['a child that writes on', 'yes & echo $! >pid; sleep 0.2; echo end'],
  ])('%s', async (_name, command) => {
    const [result, ms] = await timed(run(command))
    expect(ms).toBeLessThan(5_000)
    expect(result).toMatchObject({ exitCode: 0, signal: null, timedOut: false })
    expect(await endsSoon('pid')).toBe(true)
  })
})

describe('timeout and abort', () => {
  it('B153: a child that ignores TERM dies by KILL after 2 s', async () => {
    const [result, ms] = await timed(
      run(`trap '' TERM; echo $$ >pid; while :; do sleep 0.1; done`, { timeoutMs: 200 }),
    )
    expect(result).toMatchObject({ timedOut: true, aborted: false, exitCode: null, signal: 'SIGKILL' })
    expect(ms).toBeGreaterThan(2_000)
    expect(ms).toBeLessThan(4_500)
    expect(await endsSoon('pid')).toBe(true)
  })

  it('a grandchild that outlives its shell on TERM dies too', async () => {
    const command = `sh -c "trap : TERM; echo \\$\\$ >pid; while :; do sleep 0.1; done"; true`
    expect(await run(command, { timeoutMs: 300 })).toMatchObject({ timedOut: true })
    expect(await endsSoon('pid')).toBe(true)
  })

  it.runIf(process.platform === 'linux')('a child in another session dies too', async () => {
    const result = await run('setsid sh -c "echo \\$\\$ >pid; exec sleep 60"; true', { timeoutMs: 300 })
    expect(result).toMatchObject({ timedOut: true })
    expect(await endsSoon('pid')).toBe(true)
  })

  it('an abort ends it, before and while it runs', async () => {
    expect(await run('sleep 30', { signal: AbortSignal.abort() })).toMatchObject({
      aborted: true,
      signal: 'SIGTERM',
    })
    const controller = new AbortController()
    const onOutput = (): void => controller.abort()
    const [result, ms] = await timed(run('echo x; sleep 30', { signal: controller.signal, onOutput }))
    expect(result).toMatchObject({ aborted: true, timedOut: false, output: 'x\n' })
    expect(ms).toBeLessThan(2_000)
  })
})

describe('output', () => {
  it('B165: endless output takes less than 30 MB, and its end is there', async () => {
    const { stdout } = await execa(process.execPath, [
      '--expose-gc',
      fileURLToPath(new URL('endless-output.ts', import.meta.url)),
    ])
    const { grown, omitted } = JSON.parse(stdout) as { grown: number; omitted: number }
    expect(grown).toBeLessThan(30_000_000)
    expect(omitted).toBeGreaterThan(64 * 1024 * 1024)
  })

  it('endless output without a line end stays bounded', async () => {
    const result = await run(`head -c 30000000 /dev/zero; echo END`)
    expect(result.exitCode).toBe(0)
    expect(result.output).toMatch(/END\n$/)
    expect(result.omitted).toBeGreaterThan(1_000_000)
  })

  it('joins chunks on character borders', async () => {
    const seen: string[] = []
    await run(`printf '\\360\\237'; sleep 0.2; printf '\\231\\202'`, {
      onOutput: (data) => void seen.push(data),
    })
    expect(seen.join('')).toBe('🙂')
  })

  it('a slow consumer loses nothing', async () => {
    let seen = 0
    const onOutput = async (data: string): Promise<void> => {
      seen += data.length
      await sleep(150)
    }
    await run('head -c 500000 /dev/zero | tr "\\0" x', { onOutput })
    expect(seen).toBe(500_000)
  })
})

it('says that a shell can not start', async () => {
  await expect(run('true', { cwd: join(cwd, 'gone') })).rejects.toBeInstanceOf(ShellStartError)
})

it('says that a command is too long for the system', async () => {
  await expect(run(`: ${'x'.repeat(4_000_000)}`)).rejects.toBeInstanceOf(ShellStartError)
})

it('says that a shell can not be found', async () => {
  const shell = createShell({ environment: { PATH: join(cwd, 'empty') } })
  const command = { command: 'true', cwd, timeoutMs: 5_000, signal: new AbortController().signal }
  await expect(shell.run(command)).rejects.toBeInstanceOf(ShellStartError)
})

it('falls back to sh where bash is missing', async () => {
  await symlink('/bin/sh', join(cwd, 'sh'))
  const shell = createShell({ environment: { PATH: cwd } })
  const command = { command: 'echo "$0"', cwd, timeoutMs: 5_000, signal: new AbortController().signal }
  expect(await shell.run(command)).toMatchObject({ exitCode: 0, output: 'sh\n' })
})
