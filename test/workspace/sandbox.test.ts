import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSandbox, type SandboxRuntime } from '#workspace/sandbox.ts'
import { ShellStartError } from '#workspace/command.ts'
import { createShell } from '#workspace/shell.ts'

let cwd: string
beforeEach(async () => void (cwd = await mkdtemp(join(tmpdir(), 'deckhand-sandbox-'))))
afterEach(() => rm(cwd, { recursive: true, force: true }))

type Seen = { initialized: unknown[]; wrapped: unknown[]; resets: number }

/** Confines by a variable that the command can see. */
function runtime(errors: string[] = []): { runtime: SandboxRuntime; seen: Seen } {
  const seen: Seen = { initialized: [], wrapped: [], resets: 0 }
  return {
    seen,
    runtime: {
      SandboxManager: {
        isSupportedPlatform: () => true,
        checkDependencies: () => ({ errors }),
        initialize: async (config) => void seen.initialized.push(config),
        wrapWithSandbox: async (command, shell, config) => {
          seen.wrapped.push(config)
          return `CONFINED=yes ${shell} -c '${command.replaceAll("'", `'\\''`)}'`
        },
        reset: async () => void (seen.resets += 1),
      },
    },
  }
}

const command = (text: string) => ({
  command: text,
  cwd,
  timeoutMs: 5_000,
  signal: new AbortController().signal,
})

describe.runIf(process.platform !== 'win32')('sandbox', () => {
  it('runs what the runtime wraps, streams joined, environment kept', async () => {
    const fake = runtime()
    const sandbox = createSandbox({
      roots: [cwd],
      allowedDomains: ['*.npmjs.org'],
      load: async () => fake.runtime,
    })
    const shell = createShell({ sandbox, environment: { PATH: process.env['PATH'], LANG: 'C.UTF-8' } })
    const result = await shell.run(command(`echo "$CONFINED $LANG it's"; echo err >&2; exit 3`))
    expect(result).toMatchObject({ exitCode: 3, output: "yes C.UTF-8 it's\nerr\n" })
    await shell.run(command('true'))
    expect(fake.seen.initialized).toHaveLength(1)
    expect(fake.seen.wrapped[0]).toEqual({
      network: { allowedDomains: ['*.npmjs.org'], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [cwd, tmpdir()], denyWrite: [] },
    })
    await sandbox.dispose()
    expect(fake.seen.resets).toBe(1)
  })

  it.each([
    [
      'what it needs is missing',
      async () => runtime(['bubblewrap not found']).runtime,
      'bubblewrap not found',
    ],
    [
      'it does not start',
      async () => {
        throw new Error('no package')
      },
      'no package',
    ],
  ])('refuses commands where %s', async (_name, load, reason) => {
    const shell = createShell({ sandbox: createSandbox({ roots: [cwd], load }) })
    const refused = shell.run(command('touch ran'))
    await expect(refused).rejects.toBeInstanceOf(ShellStartError)
    await expect(shell.run(command('touch ran'))).rejects.toThrow(`start: ${reason}`)
  })

  it('says that the package is not there', async () => {
    const shell = createShell({ sandbox: createSandbox({ roots: [cwd] }) })
    await expect(shell.run(command('touch ran'))).rejects.toThrow(
      '@anthropic-ai/sandbox-runtime is not installed',
    )
  })
})
